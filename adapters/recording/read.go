package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 64 << 20

// maxUndecided is how many lines may stand before the first one that tells whether the file holds records.
const maxUndecided = 64

// Read goes through a recording. A line that cannot be read gives an *Error, and Read goes on behind it, if the caller
// does; so one that was cut off or broken in two costs no more than itself. Any other error is the reader's own: after it only
// the connections end. Steps keep no part of r's buffers.
func Read(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		f := file{frames: process.NewFramer(r, MaxLine), story: teller{yield: yield}}
		err := f.read()
		f.decide(f.kind == undecided)
		if err != io.EOF {
			f.story.fail(fmt.Errorf("recording: %w", err))
		}
		f.story.end()
	}
}

// Error says which line is none of a recording.
type Error struct {
	Line    int
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("recording: line %d: %s", e.Line, e.Problem) }

// file is a recording that is being read.
type file struct {
	frames *process.Framer
	story  teller
	kind   kind
	early  []early // lines before the kind was known
}

// kind is what a file holds. Its first record says so, or the first JSON object that is none.
type kind int

const (
	undecided kind = iota
	records
	bare
)

// early is a line that no JSON parser takes, and neither kind of file excludes.
type early struct {
	number int
	line   []byte
}

// read reads to the end, or until nobody listens any more, and gives the reader's error.
func (f *file) read() error {
	for n := 1; !f.story.over; n++ {
		frame, err := f.frames.Next()
		if err != nil {
			return err
		}
		f.story.line = n
		if frame.TooLong != nil {
			f.story.bad(fmt.Sprintf("%d bytes: the limit is %d", frame.TooLong.Bytes, MaxLine))
			continue
		}
		if line := bytes.TrimSpace(frame.Line); len(line) > 0 {
			f.line(line)
		}
	}
	return io.EOF
}

func (f *file) line(line []byte) {
	rec, ok := wire{}, false
	if f.kind != bare {
		rec, ok = record(line)
	}
	if f.kind == undecided {
		switch {
		case ok:
			f.decide(false)
		case line[0] == '{' && json.Valid(line), len(f.early) == maxUndecided:
			f.decide(true)
		default:
			f.early = append(f.early, early{f.story.line, bytes.Clone(line)})
			return
		}
	}
	switch {
	case f.kind == bare:
		f.story.emit("", Out{Line: bytes.Clone(line)})
	case ok:
		f.story.tell(rec)
	default:
		f.story.bad(noRecord)
	}
}

const noRecord = "no record of a recording"

// decide settles what the file holds, and with it what the lines were that came before.
func (f *file) decide(isBare bool) {
	if f.kind != undecided {
		return
	}
	f.kind = records
	if isBare {
		f.kind = bare
	}
	now := f.story.line
	for _, e := range f.early {
		f.story.line = e.number
		if isBare {
			f.story.emit("", Out{Line: e.line})
		} else {
			f.story.bad(noRecord)
		}
	}
	f.story.line, f.early = now, nil
}

// wire is one record.
type wire struct {
	Time *float64        `json:"t_ms"`
	Dir  string          `json:"dir"`
	Src  string          `json:"src"`
	Conn string          `json:"conn"`
	Data json.RawMessage `json:"data"`

	Incarnation uint32 `json:"incarnation"` // only in archives, from 1
}

// record reads one line as a record; ok is false for anything else.
func record(line []byte) (w wire, ok bool) {
	if json.Unmarshal(line, &w) != nil {
		return wire{}, false
	}
	return w, w.Time != nil && w.Dir != "" && w.Data != nil
}

// maxTime is a hundred years: times beyond it were not measured.
const maxTime = float64(100 * 365 * 24 * time.Hour / time.Millisecond)

// at keeps whole milliseconds exact, also those of the Unix epoch, in which a raw archive counts.
func (w *wire) at() time.Duration {
	ms, part := math.Modf(min(max(*w.Time, 0), maxTime))
	return time.Duration(ms)*time.Millisecond + time.Duration(part*float64(time.Millisecond))
}

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
