package replay

import (
	"encoding/json"
	"fmt"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// definitions are what a writer has defined in the present member.
type definitions struct {
	number map[definition]int
	count  map[string]int // by kind, the highest number given
	// series holds the numbers of series by their value: they are too often needed
	// for their text to be made each time.
	series map[seriesHead]int
}

type definition struct{ what, text string }

func newDefinitions() definitions {
	return definitions{map[definition]int{}, map[string]int{}, map[seriesHead]int{}}
}

// define makes sure that a value stands in the member and gives its number.
func (w *Writer) define(what string, value any) int {
	text, err := json.Marshal(value)
	if err != nil {
		if w.err == nil {
			_ = w.fail(fmt.Errorf("%s: %w", what, err))
		}
		return 0
	}
	key := definition{what, string(text)}
	if n, ok := w.defs.number[key]; ok {
		return n
	}
	w.defs.count[what]++
	n := w.defs.count[what]
	w.defs.number[key] = n
	w.add(defineLine{Kind: kindDefine, What: what, N: n, Value: text})
	return n
}

// defineList is define, with 0 for an empty list.
func defineList[T any](w *Writer, what string, list []T) int {
	if len(list) == 0 {
		return 0
	}
	return w.define(what, list)
}

func (w *Writer) defineSeries(s telemetry.Series) int {
	head := seriesHead{SeriesID: s.ID, Period: duration(s.Period)}
	n, ok := w.defs.series[head]
	if !ok {
		n = w.define(whatSeries, head)
		w.defs.series[head] = n
	}
	return n
}
