package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// TestLimitsAreThoseOfTheDocument pins what docs/recording-format.md states.
func TestLimitsAreThoseOfTheDocument(t *testing.T) {
	got := fmt.Sprint(maxLine>>20, maxObjects, maxArrays, maxDefinitions>>20, maxTotal>>30, maxLines, maxDamage, maxContributors, maxKey>>10, maxSpan.Hours()/24, minPeriod, maxSteps)
	if want := "64 500000 5000000 64 8 10000000 100 1000 16 500 1s 720000"; got != want {
		t.Errorf("limits %s, want %s", got, want)
	}
}

// endless gives the same byte for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestEndlessFirstLineIsRefused(t *testing.T) {
	_, err := NewReader(io.MultiReader(strings.NewReader("{"), endless(0)))
	if !errors.Is(err, ErrNotRecording) || !strings.Contains(err.Error(), "longer than 64 MiB") {
		t.Errorf("error %v", err)
	}
}

func TestLinesThatWouldGrowAreDamage(t *testing.T) {
	text := gunzip(t, record(t, minutes(0, 2)...))
	head, rest, _ := strings.Cut(text, "\n")
	definition := `{"kind":"define","what":"tables","n":7,"value":[{}` + strings.Repeat(",{}", maxObjects/2) + "]}\n"
	for _, c := range []struct{ name, lines, want string }{
		{"a batch of empty series", `{"kind":"batch","series":[{}` + strings.Repeat(",{}", maxObjects) + "]}\n", "a line of more than 500000 objects or 5000000 lists"},
		{"a batch of empty points", `{"kind":"batch","series":[{"points":[[]` + strings.Repeat(",[]", maxArrays) + "]}]}\n", "a line of more than 500000 objects or 5000000 lists"},
		{"many definitions", strings.Repeat(definition, 2), "more than 500000 objects in definitions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(head + "\n" + c.lines + rest))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for ; err == nil; n++ {
				_, err = r.Next(context.Background())
			}
			if d := r.Damage(); len(d) == 0 || !strings.HasSuffix(d[0].Error(), c.want) {
				t.Errorf("%d batches, damage %v", n-1, d)
			}
		})
	}
}

func TestHolesInAFileAreSkippedQuickly(t *testing.T) {
	whole := record(t, minutes(0, 60)...)
	at := members(whole)
	const hole = 64 << 20
	holed := io.MultiReader(bytes.NewReader(whole[:at[1]]), io.LimitReader(endless(0), hole), bytes.NewReader(whole[at[1]:]))
	r, err := NewReader(holed)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; err == nil; n++ {
		_, err = r.Next(context.Background())
	}
	if n != 61 || len(r.Damage()) != 1 {
		t.Errorf("%d batches, damage %v", n-1, r.Damage())
	}
}

func TestTooMuchIsDamage(t *testing.T) {
	text := gunzip(t, record(t, minutes(0, 10)...))
	for _, c := range []struct {
		name string
		set  func(*lines)
		want string
	}{
		{"bytes", func(l *lines) { l.total = maxTotal - 100 }, "more than 8 GiB of lines"},
		{"lines", func(l *lines) { l.count = maxLines - 3 }, "more than 10 million lines"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			c.set(r.lines)
			for err == nil {
				_, err = r.Next(context.Background())
			}
			if d := r.Damage(); len(d) != 1 || !strings.HasSuffix(d[0].Error(), c.want) {
				t.Errorf("damage %v", d)
			}
		})
	}
}

func TestRankingThatCannotBeIsDamage(t *testing.T) {
	for _, c := range []struct {
		name string
		keys int
		size int
		want string
	}{
		{"many keys", maxContributors + 1, 4, "a ranking of 1001 keys, over the limit of 1000"},
		{"long key", 1, maxKey + 1, "a key of 16385 bytes, over the limit of 16384"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := minute(1)
			b.Rankings[0].Contributors = nil
			for range c.keys {
				b.Rankings[0].Contributors = append(b.Rankings[0].Contributors, telemetry.Contributor{Key: telemetry.Key{Partition: strings.Repeat("k", c.size)}})
			}
			got := play(t, record(t, minute(0), b))
			if texts := damageWarnings(got); len(texts) != 1 || !strings.Contains(texts[0], c.want) {
				t.Errorf("warnings %q", texts)
			}
		})
	}
}

func TestManyShortPeriodsAreDamage(t *testing.T) {
	far := minute(0)
	far.Window.Start, far.Window.End = base.AddDate(0, 0, 9), base.AddDate(0, 0, 9).Add(time.Second)
	far.Window.Period = time.Second
	got := play(t, record(t, minute(0), far))
	if texts := damageWarnings(got); len(texts) != 1 || !strings.Contains(texts[0], "spans more than 720000 periods of 1s") {
		t.Errorf("warnings %q", texts)
	}
}

func TestZstdIsNamed(t *testing.T) {
	_, err := NewReader(strings.NewReader("\x28\xb5\x2f\xfd\x04\x58"))
	if !errors.Is(err, ErrNotRecording) || !strings.Contains(err.Error(), "hint: unpack it first: zstd -d") {
		t.Errorf("error %v", err)
	}
}
