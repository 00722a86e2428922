package scripted

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"
)

// output is what the agent says, a line at a time. After a failed write, and once the agent is killed, nothing is said.
type output struct {
	killed <-chan struct{}
	to     *bufio.Writer
	broken error         // the first failed write
	slow   time.Duration // before each line
}

// emit says one line.
func (o *output) emit(v any) { o.line(encode(v)) }

func (o *output) line(line []byte) {
	if o.slow > 0 {
		o.flush()
		timer := time.NewTimer(o.slow)
		select {
		case <-timer.C:
		case <-o.killed:
			timer.Stop()
			return
		}
	}
	o.write(line)
	o.write([]byte("\n"))
}

func (o *output) write(p []byte) {
	if o.broken == nil && !closed(o.killed) {
		_, o.broken = o.to.Write(p)
	}
}

func (o *output) flush() {
	if o.broken == nil {
		o.broken = o.to.Flush()
	}
}

// respond answers a command.
func (o *output) respond(c command, data json.RawMessage) {
	o.emit(response{ID: c.ID, Type: "response", Command: c.Type, Success: true, Data: data})
}

// refuse answers a command that is not carried out.
func (o *output) refuse(c command, format string, args ...any) {
	o.emit(response{ID: c.ID, Type: "response", Command: c.Type, Error: fmt.Sprintf(format, args...)})
}

func closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
