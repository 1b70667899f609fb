package tui

import "github.com/hotpart/hotpart/analysis/telemetry"

// clean makes text from outside fit to show: one line, no control characters, keys masked
// where asked for.
func (m *model) clean(s string) string {
	if m.masking {
		s = m.mask.Text(s)
	}
	return m.drawable(s)
}

// cleanKey is clean for a text that is nothing but a key's value.
func (m *model) cleanKey(s string) string {
	if m.masking {
		s = m.mask.Value(s)
	}
	return m.drawable(s)
}

func (m *model) drawable(s string) string {
	s = measurable(telemetry.Clean(s))
	if m.opts.ASCII {
		s = ascii.Replace(s)
	}
	return s
}
