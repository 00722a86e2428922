package httpline

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Head begins every line of this package.
const Head = `{"http":"`

// Line is a call, an answer or a state of the stream.
//
//sumtype:decl
type Line interface {
	line()
	// Append writes the line, without a newline.
	Append(to []byte) []byte
}

// Call is one request to the agent.
type Call struct {
	N       uint64
	AfterMs int64 // wait so long before it is made, in milliseconds
	Method  string
	Path    string // with its query
	Body    []byte // JSON; empty: none
}

// Answer is what became of a call: a status, or an error where there was none.
type Answer struct {
	N      uint64
	Status int
	Body   []byte // JSON; empty: none
	Error  string // no answer came, or it could not be read
}

// Stream says that the stream of events was opened, or lost. Whatever the agent said while it was lost never comes.
type Stream struct {
	State State
	Path  string // with its query
	Error string // why it was lost
}

// State is the state of a stream.
type State string

// The states of a stream.
const (
	Open State = "open"
	Lost State = "lost"
)

// OK says that the call was answered with a status of success.
func (a *Answer) OK() bool { return a.Error == "" && a.Status >= 200 && a.Status < 300 }

// Append writes the line.
func (c *Call) Append(to []byte) []byte {
	to = append(to, Head+`call","n":`...)
	to = strconv.AppendUint(to, c.N, 10)
	if c.AfterMs > 0 {
		to = strconv.AppendInt(append(to, `,"after":`...), c.AfterMs, 10)
	}
	to = text(to, "method", c.Method)
	to = text(to, "path", c.Path)
	return end(to, c.Body)
}

// Append writes the line.
func (a *Answer) Append(to []byte) []byte {
	to = append(to, Head+`answer","n":`...)
	to = strconv.AppendUint(to, a.N, 10)
	if a.Status != 0 {
		to = strconv.AppendInt(append(to, `,"status":`...), int64(a.Status), 10)
	}
	if a.Error != "" {
		to = text(to, "error", a.Error)
	}
	return end(to, a.Body)
}

// Append writes the line.
func (s *Stream) Append(to []byte) []byte {
	to = append(to, Head+`stream"`...)
	to = text(to, "state", string(s.State))
	to = text(to, "path", s.Path)
	if s.Error != "" {
		to = text(to, "error", s.Error)
	}
	return append(to, '}')
}

// text writes a member that is a string.
func text(to []byte, key, s string) []byte {
	value, err := json.Marshal(s)
	if err != nil {
		value = []byte(`""`) // a string cannot fail
	}
	to = append(append(append(to, `,"`...), key...), `":`...)
	return append(to, value...)
}

// end writes the body on one line, and the end of the line.
func end(to, body []byte) []byte {
	if body = bytes.TrimSpace(body); len(body) == 0 {
		return append(to, '}')
	}
	b := bytes.NewBuffer(append(to, `,"body":`...))
	if n := b.Len(); json.Compact(b, body) != nil {
		b.Truncate(n)
		if quoted, err := json.Marshal(string(bytes.ToValidUTF8(body, []byte("\ufffd")))); err == nil { // a string cannot fail
			b.Write(quoted)
		}
	}
	return append(b.Bytes(), '}')
}

func (*Call) line()   {}
func (*Answer) line() {}
func (*Stream) line() {}
