package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// split cuts a line into words; a word in double quotes may hold blanks and
// Go's escapes.
func split(line string) ([]string, error) {
	var out []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '"' {
			word, rest, _ := strings.Cut(line, " ")
			out, line = append(out, word), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("a quote is not closed: %s", telemetry.Clean(line))
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("quoted text %s can't be read", telemetry.Clean(quoted))
		}
		out, line = append(out, word), line[len(quoted):]
	}
	return out, nil
}

// args are the words of a line after the first. The first error sticks.
type args struct {
	of    string
	words []string
	err   error
}

func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%s: "+format, append([]any{a.of}, values...)...)
	}
}

func (a *args) more() bool { return a.err == nil && len(a.words) > 0 }

// rest reports words that nothing has asked for.
func (a *args) rest() error {
	if a.err == nil && len(a.words) > 0 {
		a.fail("unexpected %q", a.words[0])
	}
	return a.err
}

func (a *args) text() string {
	if len(a.words) == 0 {
		a.fail("something is missing at the end")
		return ""
	}
	word := a.words[0]
	a.words = a.words[1:]
	return word
}

// skip takes the next word if it is the given one.
func (a *args) skip(word string) bool {
	if len(a.words) == 0 || a.words[0] != word {
		return false
	}
	a.words = a.words[1:]
	return true
}

func (a *args) word(word string) {
	if !a.skip(word) {
		a.fail("want %q next", word)
	}
}

func (a *args) choice(words ...string) string {
	word := a.text()
	if a.err == nil && !slices.Contains(words, word) {
		a.fail("%q is none of %s", word, strings.Join(words, ", "))
	}
	return word
}

// number reads 12, 0.5, 40k or 12M.
func (a *args) number() float64 {
	word := a.text()
	if a.err != nil {
		return 0
	}
	scale := 1.0
	digits := word
	for suffix, by := range map[string]float64{"k": 1e3, "M": 1e6} {
		if cut, ok := strings.CutSuffix(word, suffix); ok {
			digits, scale = cut, by
		}
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(n >= 0 && n <= 1e12) {
		a.fail("%q is not a number", word)
		return 0
	}
	return n * scale
}

func (a *args) rate() telemetry.Rate { return telemetry.Rate(a.number()) }

// bytes reads 900B, 12KB, 3MB or 11GB.
func (a *args) bytes() float64 {
	word := a.text()
	for _, unit := range []struct {
		suffix string
		size   float64
	}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}} {
		if digits, ok := strings.CutSuffix(word, unit.suffix); ok {
			n, err := strconv.ParseFloat(digits, 64)
			if err == nil && n >= 0 && n < 1e9 {
				return n * unit.size
			}
			break
		}
	}
	a.fail("%q is not a size such as 900B, 12KB or 11GB", word)
	return 0
}

// share reads 40% as 0.4.
func (a *args) share() float64 {
	word := a.text()
	digits, ok := strings.CutSuffix(word, "%")
	n, err := strconv.ParseFloat(digits, 64)
	if a.err == nil && (!ok || err != nil || !(n >= 0 && n <= 100)) {
		a.fail("%q is not a share such as 40%%", word)
		return 0
	}
	return n / 100
}

func (a *args) duration() time.Duration {
	word := a.text()
	d, err := time.ParseDuration(word)
	if a.err == nil && (err != nil || d < 0 || d > 24*time.Hour) {
		a.fail("%q is not a time such as 90s, 5m or 1h", word)
		return 0
	}
	return d
}

func (a *args) seconds() float64 { return a.duration().Seconds() }

// time reads 2026-03-02T10:00, in UTC.
func (a *args) time() time.Time {
	word := a.text()
	t, err := time.Parse("2006-01-02T15:04", word)
	if a.err == nil && err != nil {
		a.fail("%q is not a time such as 2026-03-02T10:00", word)
	}
	return t
}

func (a *args) direction() telemetry.Direction {
	return telemetry.Direction(a.choice("read", "write"))
}

// index reads "index NAME" if it stands there.
func (a *args) index() string {
	if a.skip("index") {
		return a.text()
	}
	return ""
}

// capacity reads provisioned read 5 write 5 [saved 300s], or on-demand [maximum
// read 500 write 300].
func (a *args) capacity() Capacity {
	c := Capacity{OnDemand: a.choice("provisioned", "on-demand") == "on-demand", Saved: partition.BurstSeconds}
	read, write := &c.ProvisionedRead, &c.ProvisionedWrite
	if c.OnDemand {
		if !a.skip("maximum") {
			return c
		}
		read, write = &c.MaximumRead, &c.MaximumWrite
	}
	for a.more() {
		switch a.choice("read", "write", "saved") {
		case "read":
			*read = a.rate()
		case "write":
			*write = a.rate()
		case "saved":
			c.Saved = min(a.seconds(), partition.BurstSeconds)
		}
	}
	if !c.OnDemand && (c.ProvisionedRead < 1 || c.ProvisionedWrite < 1) {
		a.fail("provisioned throughput needs read and write units")
	}
	return c
}

// key reads "NAME" 40% [item "SORT" | collection 500 | growing].
func (a *args) key() Key {
	k := Key{Name: a.text(), Share: a.share(), Item: "meta"}
	switch {
	case !a.more():
	case a.skip("item"):
		k.Item = a.text()
	case a.skip("collection"):
		k.Spread, k.Items = partition.Collection, int(a.number())
	case a.skip("growing"):
		k.Spread = partition.Growing
	}
	return k
}

// keys reads COUNT [zipf EXPONENT] "PATTERN".
func (a *args) keys() Rest {
	r := Rest{Count: int(a.number())}
	if a.skip("zipf") {
		r.Zipf = a.number()
	}
	r.Pattern = a.text()
	if a.err == nil && (r.Count < 1 || r.Count > 1e9 || r.Zipf > 3 || strings.Count(r.Pattern, "%") != 1) {
		a.fail("want a count of keys, an exponent up to 3 and a pattern with one %%")
	}
	return r
}

// operations reads PutItem 40% UpdateItem 60%, or one name alone.
func (a *args) operations() []Operation {
	var out []Operation
	for a.more() {
		o := Operation{Name: a.text(), Share: 1}
		if a.more() {
			o.Share = a.share()
		}
		out = append(out, o)
	}
	if len(out) == 0 {
		a.err = errors.Join(a.err, errors.New("operations: none given"))
	}
	return out
}

// change reads at 20m [index NAME] read|write [maximum] 600.
func (a *args) change() Change {
	a.word("at")
	c := Change{At: a.duration(), Index: a.index(), Direction: a.direction()}
	c.Maximum = a.skip("maximum")
	c.Rate = a.rate()
	return c
}

// scaling reads [index NAME] read|write from 50 to 8000 target 70%.
func (a *args) scaling() Scaling {
	s := Scaling{Index: a.index(), Direction: a.direction()}
	a.word("from")
	s.Min = a.rate()
	a.word("to")
	s.Max = a.rate()
	a.word("target")
	s.Target = a.share()
	return s
}
