package replay

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// members are the offsets at which the recording's gzip members begin.
func members(recording []byte) []int {
	var at []int
	for i := range recording {
		if bytes.HasPrefix(recording[i:], gzipMagic) {
			at = append(at, i)
		}
	}
	return at
}

func damageWarnings(batches []telemetry.Batch) []string {
	var texts []string
	for _, b := range batches {
		for _, w := range b.Warnings {
			if w.Code == telemetry.DamagedRecording {
				texts = append(texts, w.Text)
			}
		}
	}
	return texts
}

func TestCutRecordingIsReadToTheCut(t *testing.T) {
	whole := record(t, minutes(0, 90)...)
	for cut := len(whole) - 1; cut > members(whole)[1]; cut -= 307 {
		got := play(t, whole[:cut])
		texts := damageWarnings(got)
		if len(texts) != 1 || !strings.Contains(texts[0], "unexpected EOF; it could be read to") {
			t.Fatalf("cut at byte %d: warnings %q", cut, texts)
		}
		last := len(got) - 1
		if diff := cmp.Diff(minutes(0, last), got[:last], cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("cut at byte %d: %s", cut, diff)
		}
		if w := got[last].Window; !w.Start.Equal(w.End) || !w.End.Equal(got[last-1].Window.End) {
			t.Fatalf("cut at byte %d: the last batch's window is %v", cut, w)
		}
	}
}

// TestCutAnywhereLosesAtMostTheBatchBeingWritten is what a recorder that is killed
// leaves: a beginning of its file, of whatever length.
func TestCutAnywhereLosesAtMostTheBatchBeingWritten(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	written := []int{} // bytes of the file after each batch
	for _, b := range minutes(0, 35) {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		written = append(written, out.Len())
	}
	cuts := slices.Clone(written)
	for cut := written[0] + 1; cut < out.Len(); cut += 19 {
		cuts = append(cuts, cut)
	}
	for _, cut := range cuts {
		whole := 0
		for whole < len(written) && written[whole] <= cut {
			whole++
		}
		r, err := NewReader(bytes.NewReader(out.Bytes()[:cut]))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			b, err := r.Next(context.Background())
			if err != nil {
				break
			}
			if b.Window.Start.Before(b.Window.End) {
				n++
			}
		}
		// The text of a batch may be there before the flush that ends it.
		if n < whole || n > whole+1 {
			t.Fatalf("cut at byte %d: %d batches of %d are read", cut, n, whole)
		}
	}
}

func TestReadingResumesAtTheNextMember(t *testing.T) {
	whole := record(t, minutes(0, 90)...)
	at := members(whole)
	if len(at) != 3 {
		t.Fatalf("%d members in 90 minutes", len(at))
	}
	for flipped := at[1] + 10; flipped < at[2]-10; flipped += 53 {
		broken := bytes.Clone(whole)
		broken[flipped] ^= 0x55
		got := play(t, broken)
		texts := damageWarnings(got)
		if len(texts) == 0 || !strings.HasPrefix(texts[0], "the recording is damaged at byte ") {
			t.Fatalf("byte %d flipped: warnings %q", flipped, texts)
		}
		tail := got[len(got)-30:]
		tail[0].Warnings = nil
		if diff := cmp.Diff(minutes(60, 90), tail, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("byte %d flipped: the third member is not read: %s", flipped, diff)
		}
	}
}

func TestLostMinutesAreNamed(t *testing.T) {
	whole := record(t, minutes(0, 90)...)
	at := members(whole)
	broken := append(bytes.Clone(whole[:at[1]]), make([]byte, 300)...)
	broken = append(broken, whole[at[2]:]...)
	texts := damageWarnings(play(t, broken))
	if len(texts) != 1 || !strings.HasSuffix(texts[0], "; 2026-03-02 10:30 to 2026-03-02 11:00 is lost") {
		t.Errorf("warnings %q", texts)
	}
}

func TestDamagedBeginningLosesOnlyItsMember(t *testing.T) {
	whole := record(t, minutes(0, 60)...)
	whole[12] ^= 0xff
	got := play(t, whole)
	texts := damageWarnings(got)
	if len(got) != 30 || len(texts) != 1 || !strings.HasSuffix(texts[0], "nothing before 2026-03-02 10:30 could be read") {
		t.Errorf("%d batches, warnings %q", len(got), texts)
	}
}

func TestDamagedLineOfPlainTextLosesOnlyItself(t *testing.T) {
	rows := strings.SplitAfter(gunzip(t, record(t, minutes(0, 4)...)), "\n")
	for i, row := range rows {
		if strings.Contains(row, `"start":"2026-03-02T10:02:00Z"`) {
			rows[i] = row[:len(row)/2] + "\n"
		}
	}
	got := play(t, []byte(strings.Join(rows, "")))
	texts := damageWarnings(got)
	if len(got) != 3 || len(texts) != 1 || !strings.HasSuffix(texts[0], "; 2026-03-02 10:02 to 2026-03-02 10:03 is lost") {
		t.Errorf("%d batches, warnings %q", len(got), texts)
	}
}

func TestBatchWithoutItsDefinitionsIsDamage(t *testing.T) {
	plain := gunzip(t, record(t, minutes(0, 2)...))
	from := strings.Index(plain, `{"kind":"define","what":"series"`)
	plain = plain[:from] + plain[from+strings.Index(plain[from:], "\n")+1:]
	texts := damageWarnings(play(t, []byte(plain)))
	if len(texts) != 1 || !strings.Contains(texts[0], "series 1 is not defined and 1 more; no batch could be read") {
		t.Errorf("warnings %q", texts)
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"nothing", "", "not a hotpart recording: it is empty"},
		{"binary", "\x7fELF\x02\x01", "not a hotpart recording: it is neither gzip nor JSON Lines"},
		{"other JSON", `{"Table":{"TableName":"orders"}}`, `not a hotpart recording: the first line has no format "hotpart.recording"`},
		{"pretty JSON", "{\n \"Table\": 1\n}", "not a hotpart recording: its first line is not JSON"},
		{"half a header", "\x1f\x8b\x08\x00", "not a hotpart recording, or one that broke before its first line ended: damaged at byte 4: unexpected EOF"},
		{"newer", `{"kind":"header","format":"hotpart.recording","version":2}`, "recording has format version 2, this program reads up to 1\nhint: a newer hotpart made it: update hotpart"},
		{"version zero", `{"kind":"header","format":"hotpart.recording"}`, "not a hotpart recording: format version 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewReader(strings.NewReader(c.input))
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if errors.Is(err, ErrNotRecording) != strings.HasPrefix(c.want, "not a") {
				t.Errorf("%v: ErrNotRecording is %v", err, errors.Is(err, ErrNotRecording))
			}
		})
	}
}

func TestReaderGivesUpAfterManyDamagedPlaces(t *testing.T) {
	whole := record(t, minutes(0, 2)...)
	broken := append(bytes.Clone(whole), bytes.Repeat([]byte{0x1f, 0x8b, 8, 0}, 100_000)...)
	r, err := NewReader(bytes.NewReader(broken))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = r.Next(context.Background())
	}
	if n := len(r.Damage()); n != maxDamage {
		t.Errorf("%d damaged places were met, want %d", n, maxDamage)
	}
}

func TestWindowThatMakesNoSenseIsDamage(t *testing.T) {
	start := base.Add(time.Minute)
	for _, c := range []struct {
		name   string
		window telemetry.Window
		want   string
	}{
		{"backwards", telemetry.Window{Start: start, End: base, Period: time.Minute}, "ends before it starts"},
		{"tiny period", telemetry.Window{Start: start, End: start.Add(time.Minute), Period: 1}, "period of 1ns is too short"},
		{"endless", telemetry.Window{Start: start, End: start.AddDate(2, 0, 0), Period: time.Minute}, "more than 500 days from the first"},
		{"long ago", telemetry.Window{Start: time.Unix(0, 0), End: start, Period: time.Minute}, "more than 500 days from the first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := minute(1)
			b.Window = c.window
			got := play(t, record(t, minute(0), b))
			if texts := damageWarnings(got); len(got) != 2 || len(texts) != 1 || !strings.Contains(texts[0], c.want) {
				t.Errorf("%d batches, warnings %q", len(got), texts)
			}
		})
	}
}

func TestNextStopsWhenAsked(t *testing.T) {
	r, err := NewReader(bytes.NewReader(record(t, minutes(0, 2)...)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
