package tui

import (
	"os"
	"sync/atomic"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// meter is a terminal that counts what it is sent. A frame is sent with one Write.
type meter struct {
	*os.File
	last, all atomic.Int64
}

func (m *meter) Write(p []byte) (int, error) {
	n, err := m.File.Write(p)
	m.last.Store(int64(n))
	m.all.Add(int64(n))
	return n, err
}

// traffic is what a meter read when the last message came, in bytes. What a frame takes is
// known once it is sent, so the screen tells of the frame before.
type traffic struct{ last, all int64 }

func (m *meter) read() traffic { return traffic{m.last.Load(), m.all.Load()} }

// trafficText is what --debug-bytes shows at the right end of the last line, always of the
// same width; "" where it isn't asked for.
func (m *model) trafficText() string {
	const least = 60
	if m.meter == nil || m.width < least {
		return ""
	}
	const room = 26 // holds a gigabyte
	text := telemetry.Thousands(int(m.traffic.last)) + " of " + telemetry.Thousands(int(m.traffic.all)) + " bytes "
	return spread("", m.styles.bold.Render(text), max(room, width(text)))
}
