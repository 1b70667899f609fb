package replay

import (
	"bufio"
	"bytes"
	"io"
)

// maxKept is how many compressed bytes of a member are kept for going back to
// its beginning. 30 minutes of one busy table are about 0.1 MiB.
const maxKept = 32 << 20

// tape reads bytes, knows how far it has come, and can go back to a mark.
type tape struct {
	under *bufio.Reader
	// back holds bytes that are to be read again before those of under.
	back []byte
	// kept holds what was read since the mark, at most maxKept bytes.
	kept []byte
	// at is the offset of the next byte from the start of the input.
	at int64
}

func newTape(r io.Reader) *tape { return &tape{under: bufio.NewReaderSize(r, 64<<10)} }

// mark makes the present place the one that rewind goes back to.
func (t *tape) mark() { t.kept = t.kept[:0] }

// rewind goes back to skip bytes after the mark. Where more was read than is
// kept it stays where it is.
func (t *tape) rewind(skip int) {
	if len(t.kept) < maxKept && len(t.kept) > skip {
		again := t.kept[skip:]
		t.back = append(bytes.Clone(again), t.back...)
		t.at -= int64(len(again))
	}
	t.mark()
}

// ReadByte makes flate read no further than a member's end.
func (t *tape) ReadByte() (byte, error) {
	var b byte
	if len(t.back) > 0 {
		b, t.back = t.back[0], t.back[1:]
	} else {
		var err error
		if b, err = t.under.ReadByte(); err != nil {
			return 0, err
		}
	}
	t.at++
	if len(t.kept) < maxKept {
		t.kept = append(t.kept, b)
	}
	return b, nil
}

// Read reads at least one byte unless p is empty.
func (t *tape) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	var n int
	if len(t.back) > 0 {
		n = copy(p, t.back)
		t.back = t.back[n:]
	} else {
		var err error
		if n, err = t.under.Read(p); n == 0 {
			return 0, err
		}
	}
	t.at += int64(n)
	t.kept = append(t.kept, p[:min(n, maxKept-len(t.kept))]...)
	return n, nil
}

// peek shows up to n bytes without reading them.
func (t *tape) peek(n int) []byte {
	if len(t.back) >= n {
		return t.back[:n]
	}
	more, _ := t.under.Peek(n - len(t.back))
	return append(bytes.Clone(t.back), more...)
}

// gzipMagic begins a gzip member: the two magic bytes and the one method there is
// (RFC 1952, section 2.3.1).
var gzipMagic = []byte{0x1f, 0x8b, 8}

// zstdMagic begins a zstd frame (RFC 8878, section 3.1.1), which isn't read.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// seekMember goes on to the next place that may begin a gzip member. It reports
// false at the end of the input.
func (t *tape) seekMember() bool {
	const window = 32 << 10
	for {
		t.mark()
		next := t.peek(window)
		if at := bytes.Index(next, gzipMagic); at >= 0 {
			t.skip(at)
			return true
		}
		if len(next) < len(gzipMagic) {
			t.skip(len(next))
			return false
		}
		t.skip(len(next) - len(gzipMagic) + 1)
	}
}

// skip drops n bytes that peek has shown, and doesn't keep them.
func (t *tape) skip(n int) {
	t.at += int64(n)
	held := min(n, len(t.back))
	t.back = t.back[held:]
	_, _ = t.under.Discard(n - held)
}
