package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 64 << 20

// Read goes through a recording. It stops after the first error: an *Error for a line that cannot be read, else the
// reader's own. Steps keep no part of r's buffers.
func Read(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 0, 64<<10), MaxLine)
		lines.Split(splitLines)
		story := teller{yield: yield}
		bare := false
		for n := 1; lines.Scan(); n++ {
			line := bytes.TrimSpace(lines.Bytes())
			if len(line) == 0 {
				continue
			}
			rec, ok := record(line)
			if !story.begun && !ok {
				bare = true
			}
			story.line = n
			switch {
			case bare:
				story.emit("", Out{Line: bytes.Clone(line)})
			case ok:
				story.tell(rec)
			default:
				story.fail(&Error{Line: n, Problem: "no record of a recording"})
			}
			if story.over {
				return
			}
		}
		if err := lines.Err(); err != nil {
			story.fail(fmt.Errorf("recording: %w", err))
			return
		}
		story.end()
	}
}

// Error says which line is none of a recording.
type Error struct {
	Line    int
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("recording: line %d: %s", e.Line, e.Problem) }

// wire is one record.
type wire struct {
	Time *float64        `json:"t_ms"`
	Dir  string          `json:"dir"`
	Src  string          `json:"src"`
	Conn string          `json:"conn"`
	Data json.RawMessage `json:"data"`
}

// record reads one line as a record; ok is false for anything else.
func record(line []byte) (w wire, ok bool) {
	if json.Unmarshal(line, &w) != nil {
		return wire{}, false
	}
	return w, w.Time != nil && w.Dir != "" && w.Data != nil
}

func (w *wire) at() time.Duration { return time.Duration(*w.Time * float64(time.Millisecond)) }

// native is the line that the agent read or wrote.
func (w *wire) native() []byte {
	if s, ok := w.text(); ok {
		return []byte(s)
	}
	var b bytes.Buffer
	if json.Compact(&b, w.Data) != nil {
		return bytes.Clone(w.Data)
	}
	return b.Bytes()
}

// text is data that is a string.
func (w *wire) text() (string, bool) {
	var s string
	if len(w.Data) == 0 || w.Data[0] != '"' || json.Unmarshal(w.Data, &s) != nil {
		return "", false
	}
	return s, true
}

// splitLines splits at LF alone: U+2028 and its like are part of the lines.
func splitLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
