package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/replay/scenario"
)

// nothing stands in a confusion for an event that isn't there.
const nothing = "nothing"

// share counts how many of some were right.
type share struct{ right, all int }

func (s *share) count(right bool) {
	s.all++
	if right {
		s.right++
	}
}

func (s share) String() string {
	if s.all == 0 {
		return "none to judge"
	}
	return fmt.Sprintf("%5.1f %%  (%d of %d)", 100*float64(s.right)/float64(s.all), s.right, s.all)
}

// bin collects events of similar confidence.
type bin struct {
	share
	confidence float64
}

// scoreSheet is the result of many trials.
type scoreSheet struct {
	trials                             int
	confusion                          map[[2]string]int // true cause, reported cause
	place, cause, limit, key, onset    share
	healthy, inside, enough, shardable share
	factors                            share
	widths                             []float64
	bins                               [10]bin
	wrong                              []string
}

func newScoreSheet() *scoreSheet { return &scoreSheet{confusion: map[[2]string]int{}} }

// add judges one trial.
func (s *scoreSheet) add(t trial) {
	s.trials++
	alarms := 0
	for _, e := range t.events {
		truth := t.about(e)
		right := truth != nil && slices.Contains(truth.Causes, string(e.Cause))
		if truth == nil || !truth.Minor {
			s.calibrate(e.Confidence, right)
		}
		if !e.Note() && truth == nil {
			alarms++
			s.confusion[[2]string{nothing, string(e.Cause)}]++
			s.fault(t, "want nothing, got %s", got(e))
		}
	}
	if t.truth.Healthy {
		s.healthy.count(alarms == 0)
	}
	for i := range t.truth.Events {
		if truth := &t.truth.Events[i]; !truth.Minor {
			s.judge(t, truth, t.answer(truth))
		}
	}
}

// judge compares what happened with what was said; e is nil where nothing was.
func (s *scoreSheet) judge(t trial, truth *scenario.Event, e *analysis.Event) {
	s.place.count(e != nil)
	if e == nil {
		s.confusion[[2]string{truth.Causes[0], nothing}]++
		s.fault(t, "want %s, got nothing", wanted(truth))
		return
	}
	cause, right := truth.Causes[0], slices.Contains(truth.Causes, string(e.Cause))
	if right {
		cause = string(e.Cause)
	}
	s.confusion[[2]string{cause, string(e.Cause)}]++
	s.cause.count(right)
	if !right {
		s.fault(t, "want %s, got %s", wanted(truth), got(e))
	}
	limit := e.Limit == truth.Limit || slices.Contains(truth.LimitAlso, e.Limit)
	s.limit.count(limit)
	if !limit {
		s.fault(t, "limit: want %s, got %s", truth.Limit, got(e))
	}
	onset := math.Abs(e.Start.Sub(truth.Start).Minutes()) <= 1
	s.onset.count(onset)
	if !onset {
		s.fault(t, "onset: want %s, got %s", wanted(truth), got(e))
	}
	for _, factor := range truth.Contributing {
		found := slices.Contains(e.Contributing, analysis.Factor(factor))
		s.factors.count(found)
		if !found {
			s.fault(t, "factor: want %s, got %v %s", factor, e.Contributing, got(e))
		}
	}
	s.judgeKeys(t, truth, e)
	s.judgeHottest(t, truth, e)
}

func (s *scoreSheet) judgeKeys(t trial, truth *scenario.Event, e *analysis.Event) {
	if !t.ranked[truth.Index] {
		return
	}
	if len(truth.Keys) > 0 {
		right := false
		for _, k := range truth.Keys {
			right = right || len(e.Keys) > 0 && e.Keys[0].Key.Partition == k.Partition
		}
		s.key.count(right)
		if !right {
			s.fault(t, "key: want %q, got %s %s", truth.Keys[0].Partition, foremost(e), got(e))
		}
	}
	if truth.ShardsNeeded > 0 && string(e.Cause) == truth.Causes[0] {
		n := shards(e)
		s.shardable.count(n > 0)
		if n > 0 {
			right := n >= float64(truth.ShardsNeeded) && n <= 3*float64(truth.ShardsNeeded)
			s.enough.count(right)
			if !right {
				s.fault(t, "shards: want %d to %d, got %.0f", truth.ShardsNeeded, 3*truth.ShardsNeeded, n)
			}
		}
	}
}

func (s *scoreSheet) judgeHottest(t trial, truth *scenario.Event, e *analysis.Event) {
	if truth.Hottest == nil {
		return
	}
	served := truth.Hottest.Served
	// A hundredth of a unit is rounding, not error.
	right := e.Hottest != nil && served >= e.Hottest.Low-0.01 && served <= e.Hottest.High+0.01
	s.inside.count(right)
	if e.Hottest != nil {
		s.widths = append(s.widths, float64((e.Hottest.High-e.Hottest.Low)/served))
	}
	if !right {
		h := analysis.Hottest{}
		if e.Hottest != nil {
			h = *e.Hottest
		}
		s.fault(t, "hottest: want %.0f, got %.0f to %.0f (%s)", float64(served), float64(h.Low), float64(h.High), e.Cause)
	}
}

func (s *scoreSheet) calibrate(confidence float64, right bool) {
	b := &s.bins[min(len(s.bins)-1, max(0, int(confidence*float64(len(s.bins)))))]
	b.count(right)
	b.confidence += confidence
}

// foremost is the key that an event names first.
func foremost(e *analysis.Event) string {
	if len(e.Keys) == 0 {
		return "no key"
	}
	return fmt.Sprintf("%q", e.Keys[0].Key.Partition)
}

func (s *scoreSheet) fault(t trial, format string, args ...any) {
	s.wrong = append(s.wrong, t.name+": "+fmt.Sprintf(format, args...))
}

func got(e *analysis.Event) string {
	return fmt.Sprintf("%s/%s %s by %s at %s (%.2f)", e.Resource.Index, e.Direction, e.Cause, e.Limit, e.Start.UTC().Format("15:04"), e.Confidence)
}

// scored are the causes that have an F1 of their own.
var scored = []analysis.Cause{
	analysis.HotKey, analysis.HotPartition, analysis.TableCapacity, analysis.GSIPressure, analysis.LargeItem, analysis.AccountQuota,
}

// f1 is the harmonic mean of a cause's precision and recall; ok is false where it
// neither happened nor was reported.
func (s *scoreSheet) f1(cause string) (f1, precision, recall float64, ok bool) {
	hit, reported, real := 0, 0, 0
	for pair, n := range s.confusion {
		if pair[0] == cause {
			real += n
		}
		if pair[1] == cause {
			reported += n
		}
		if pair[0] == cause && pair[1] == cause {
			hit += n
		}
	}
	if real+reported == 0 {
		return 0, 0, 0, false
	}
	precision = float64(hit) / float64(max(reported, 1))
	recall = float64(hit) / float64(max(real, 1))
	return 2 * float64(hit) / float64(real+reported), precision, recall, true
}

// calibrationError is the expected difference between confidence and truth, in
// the bins from the given one on.
func (s *scoreSheet) calibrationError(from int) float64 {
	total, all := 0.0, 0
	for _, b := range s.bins[from:] {
		total += math.Abs(float64(b.right) - b.confidence)
		all += b.all
	}
	return total / float64(max(all, 1))
}

func (s *scoreSheet) print(out io.Writer, detail bool) error {
	var b strings.Builder
	if detail {
		slices.Sort(s.wrong)
		for _, w := range s.wrong {
			fmt.Fprintln(&b, w)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%-18s %9s %7s %5s\n", "cause", "precision", "recall", "F1")
	sum, n := 0.0, 0
	for _, c := range scored {
		if f1, precision, recall, ok := s.f1(string(c)); ok {
			fmt.Fprintf(&b, "%-18s %9.3f %7.3f %5.3f\n", c, precision, recall, f1)
			sum, n = sum+f1, n+1
		}
	}
	fmt.Fprintf(&b, "%-18s %23.3f\n\n", "macro F1", sum/float64(max(n, 1)))
	s.printShares(&b)
	fmt.Fprintf(&b, "\n%-24s %9s %7s %7s\n", "confidence", "events", "stated", "right")
	for i, bin := range s.bins {
		if bin.all > 0 {
			fmt.Fprintf(&b, "%.1f to %.1f %23d %7.3f %7.3f\n", float64(i)/10, float64(i+1)/10,
				bin.all, bin.confidence/float64(bin.all), float64(bin.right)/float64(bin.all))
		}
	}
	counting := int(analysis.NoteBelow * float64(len(s.bins)))
	fmt.Fprintf(&b, "expected calibration error %.3f, with notes %.3f, over %d incidents\n",
		s.calibrationError(counting), s.calibrationError(0), s.trials)
	_, err := io.WriteString(out, b.String())
	return err
}

func (s *scoreSheet) printShares(b *strings.Builder) {
	for _, row := range []struct {
		name string
		share
	}{
		{"right place", s.place},
		{"right cause there", s.cause},
		{"right limit there", s.limit},
		{"onset within a minute", s.onset},
		{"contributing found", s.factors},
		{"hot key named first", s.key},
		{"healthy and left alone", s.healthy},
		{"hottest inside range", s.inside},
		{"shards advised", s.shardable},
		{"shards enough, not many", s.enough},
	} {
		fmt.Fprintf(b, "%-24s %s\n", row.name, row.share)
	}
	if len(s.widths) > 0 {
		slices.Sort(s.widths)
		fmt.Fprintf(b, "%-24s %5.1f %% of the load\n", "median range", 100*s.widths[len(s.widths)/2])
	}
}
