package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// mask replaces key values by key-1, key-2 and so on, in the order they were first met.
// The zero value masks nothing.
type mask struct {
	on    bool
	names map[string]string
	keys  []string // the longest first, so that no key is replaced inside another
}

// learn takes in the keys of a diagnosis.
func (k *mask) learn(d *analysis.Diagnosis) {
	if k.names == nil {
		k.names = map[string]string{}
	}
	before := len(k.names)
	add := func(s string) {
		if s != "" && k.names[s] == "" {
			k.names[s] = fmt.Sprintf("key-%d", len(k.names)+1)
			k.keys = append(k.keys, s)
		}
	}
	for _, e := range d.Events {
		for _, key := range e.Keys {
			add(key.Key.Partition)
			add(key.Key.Sort)
		}
	}
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			for _, key := range slices.Concat(r.Read.Keys, r.Write.Keys) {
				add(key.Key.Partition)
				add(key.Item)
			}
		}
	}
	if len(k.names) != before {
		slices.SortStableFunc(k.keys, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	}
}

func (k *mask) apply(s string) string {
	if !k.on {
		return s
	}
	for _, key := range k.keys {
		if strings.Contains(s, key) {
			s = strings.ReplaceAll(s, key, k.names[key])
		}
	}
	return s
}
