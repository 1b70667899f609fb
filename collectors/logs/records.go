package logs

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// The limits that keep any file from taking up memory: what is beyond is dropped.
const (
	maxLine   = 64 << 10  // bytes of one line; an error stands at its beginning
	maxRecord = 128 << 10 // bytes of the lines of one record
)

// telling are the words of which a record that tells of a refusal holds one.
var telling = [][]byte{[]byte("Throughput"), []byte("Throttling"), []byte("RequestLimitExceeded"), []byte("AccountLimitExceeded"), []byte("Rate of requests")}

// records gives each record of a log with its time. Records without a word that
// tells of a refusal come as "".
func records(r io.Reader, take func(stamp, string)) error {
	in := bufio.NewReaderSize(r, maxLine)
	var at stamp
	var text strings.Builder
	told, begun := false, false
	end := func() {
		record := ""
		if told {
			record = text.String()
		}
		if begun {
			take(at, record)
		}
		text.Reset()
		told, begun = false, false
	}
	for {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) > 0 {
			if t, ok := timeOf(string(line)); ok {
				// A time within an object that is printed over several lines is that of the
				// record, but no new one begins with it.
				if inner := (line[0] == ' ' || line[0] == '\t') && begun && !bytes.Contains(line, []byte(`"timestamp"`)); !inner {
					end()
					at = t
				} else if at.at.IsZero() {
					at = t
				}
			}
			begun = true
			if text.Len()+len(line) < maxRecord {
				told = told || tells(line)
				text.Write(line)
				text.WriteByte('\n')
			}
		}
		if err != nil {
			end()
			return nil
		}
	}
}

func tells(line []byte) bool {
	for _, word := range telling {
		if bytes.Contains(line, word) {
			return true
		}
	}
	return false
}

// readLine reads a line without its break, and drops what is over the bound. It is
// valid until the next call.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimRight(line, "\r\n"), err
	}
	line = bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = in.ReadSlice('\n')
	}
	return line, err
}
