package merged

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What is collected before it is handed on.
const (
	sendBytes = 32 << 10  // where there is more to come
	keepBytes = 256 << 10 // of the buffer: what a longer event needed is given back
)

// form is how what a stream says is written: as server-sent events or as lines.
type form struct {
	media string
	lines bool
}

var (
	sse    = form{media: schema.EventStream}
	ndjson = form{media: schema.NDJSONType, lines: true}
)

// output collects what a stream says, and hands it to the client. A client that reads slowly makes it wait.
type output struct {
	form
	ctx context.Context
	w   http.ResponseWriter
	out *http.ResponseController
	buf []byte
	bad error // of the first write that failed: everything behind it is lost
}

// event says an event: cursor is the text of its position, line its line.
func (o *output) event(id string, cursor, line []byte) {
	if o.lines {
		o.buf = protocol.AppendMergedLine(o.buf, id, cursor, line)
	} else {
		o.buf = protocol.AppendMergedHead(o.buf, id, cursor)
		o.buf = append(o.buf, line...)
		o.buf = append(o.buf, "\n\n"...)
	}
	o.full()
}

// signal says what is no event. It has no id: a client that reconnects stands where it stood.
func (o *output) signal(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers
	}
	if o.lines {
		o.buf = append(append(o.buf, text...), '\n')
	} else {
		o.buf = append(o.buf, "data: "...)
		o.buf = append(o.buf, text...)
		o.buf = append(o.buf, "\n\n"...)
	}
	o.full()
}

// overflow says a line of an overflow.
func (o *output) overflow(id string, line []byte) {
	if o.lines {
		o.buf = append(protocol.AppendMergedOverflow(o.buf, id, line), '\n')
	} else {
		o.buf = append(protocol.AppendMergedOverflow(append(o.buf, "data: "...), id, line), "\n\n"...)
	}
	o.full()
}

// full hands on what is collected where it is much.
func (o *output) full() {
	if len(o.buf) >= sendBytes {
		o.send()
	}
}

func (o *output) send() {
	if o.bad != nil || len(o.buf) == 0 {
		return
	}
	if _, err := o.w.Write(o.buf); err != nil {
		o.bad = answer.Lost(err)
	} else {
		o.bad = context.Cause(o.ctx)
	}
	if o.buf = o.buf[:0]; cap(o.buf) > keepBytes {
		o.buf = nil
	}
}

// flush hands on everything.
func (o *output) flush() error {
	o.send()
	if o.bad == nil {
		if err := o.out.Flush(); err != nil {
			o.bad = answer.Lost(err)
		}
	}
	return o.bad
}
