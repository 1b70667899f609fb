package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// The limits that keep a hostile file from using up memory or time.
const (
	maxLine         = 64 << 20   // bytes of one line
	maxObjects      = 500_000    // opening braces of one line, and of a member's definitions
	maxArrays       = 5_000_000  // opening brackets of one line
	maxDefinitions  = 64 << 20   // bytes of a member's definitions
	maxTotal        = 8 << 30    // bytes of all lines
	maxLines        = 10_000_000 // lines
	maxDamage       = 100        // damaged places
	maxContributors = 1000       // keys of one ranking in one batch
	maxKey          = 16 << 10   // bytes of a key; DynamoDB's have 2 KiB at most, four joined 8
)

// damage is a place where a recording can't be read. What comes after it still
// may be.
type damage struct {
	at    int64 // offset in the file
	cause error
}

func (d *damage) Error() string { return fmt.Sprintf("damaged at byte %d: %v", d.at, d.cause) }

// lines reads lines out of gzip members or plain text.
type lines struct {
	tape  *tape
	gz    *gzip.Reader  // nil for plain text
	text  *bufio.Reader // the present member's text; nil between members
	buf   []byte
	began int64 // where the present member begins
	total int64 // bytes read
	count int   // lines read
	// lost counts the damaged places.
	lost int
}

func newLines(r io.Reader) (*lines, error) {
	l := &lines{tape: newTape(r)}
	switch first := l.tape.peek(len(gzipMagic)); {
	case bytes.Equal(first, gzipMagic):
		l.gz = new(gzip.Reader)
	case len(first) > 0 && first[0] == '{':
		l.text = bufio.NewReader(l.tape)
	case bytes.Equal(l.tape.peek(len(zstdMagic)), zstdMagic):
		return nil, fmt.Errorf("%w: it is compressed with zstd\nhint: unpack it first: zstd -d FILE", ErrNotRecording)
	case len(first) == 0:
		return nil, fmt.Errorf("%w: it is empty", ErrNotRecording)
	default:
		return nil, fmt.Errorf("%w: it is neither gzip nor JSON Lines", ErrNotRecording)
	}
	return l, nil
}

// next returns the next line without its line break, valid until the next call.
// It returns io.EOF at the end, and a *damage where something is lost; the call
// after that goes on behind it.
func (l *lines) next() ([]byte, error) {
	if l.lost >= maxDamage {
		return nil, io.EOF
	}
	for {
		if l.text == nil {
			if err := l.open(); err != nil {
				return nil, err
			}
		}
		line, err := l.read()
		if l.count++; err == nil && l.count > maxLines {
			err = errTooMany
		}
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, errTooMuch), errors.Is(err, errTooMany):
			l.lost = maxDamage
			return nil, &damage{l.tape.at, err}
		case l.gz == nil && errors.Is(err, io.EOF):
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			l.text = nil
		default:
			return nil, l.damaged(err)
		}
	}
}

// open begins the next member.
func (l *lines) open() error {
	if len(l.tape.peek(1)) == 0 {
		return io.EOF
	}
	l.tape.mark()
	l.began = l.tape.at
	if err := l.gz.Reset(l.tape); err != nil {
		return l.damaged(err)
	}
	l.gz.Multistream(false)
	l.text = bufio.NewReaderSize(l.gz, 64<<10)
	return nil
}

// damaged notes a damaged place and goes on to the next member. A damaged member may have led the decompressor past the
// start of the next one, so the search begins within the damaged one.
func (l *lines) damaged(cause error) error {
	if errors.Is(cause, gzip.ErrChecksum) {
		cause = fmt.Errorf("a checksum is wrong, so values from byte %d on may be wrong too", l.began)
	}
	d := &damage{l.tape.at, cause}
	l.lost++
	if l.gz != nil {
		l.text = nil
		l.tape.rewind(1)
		l.tape.seekMember()
	}
	return d
}

var (
	errTooMany = fmt.Errorf("more than %d million lines", maxLines/1_000_000)
	errTooMuch = fmt.Errorf("more than %d GiB of lines", maxTotal>>30)
	errTooLong = fmt.Errorf("a line is longer than %d MiB", maxLine>>20)
	errTooFull = fmt.Errorf("a line of more than %d objects or %d lists", maxObjects, maxArrays)
)

// parsable refuses a line that would grow beyond measure when it is parsed: an object of
// two bytes becomes one of hundreds.
func parsable(line []byte) error {
	if bytes.Count(line, []byte("{")) > maxObjects || bytes.Count(line, []byte("[")) > maxArrays {
		return errTooFull
	}
	return nil
}

// read reads one line of the present member.
func (l *lines) read() ([]byte, error) {
	l.buf = l.buf[:0]
	for {
		part, err := l.text.ReadSlice('\n')
		if l.total += int64(len(part)); l.total > maxTotal {
			return nil, errTooMuch
		}
		whole := err == nil
		if whole && len(l.buf) == 0 {
			return bytes.TrimRight(part, "\r\n"), nil
		}
		if len(l.buf)+len(part) > maxLine {
			return nil, errTooLong
		}
		l.buf = append(l.buf, part...)
		switch {
		case whole, errors.Is(err, io.EOF) && len(l.buf) > 0:
			return bytes.TrimRight(l.buf, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return nil, err
		}
	}
}
