package asked

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const (
	// settle is how long a request has to be shown before a key answers it: what somebody was about to type when it came is no answer.
	settle = 500 * time.Millisecond

	maxArguments = 1 << 20 // of a call, in bytes
	maxWatched   = 100     // requests, and calls
)

// Watch is what a log asks while somebody reads it: its open requests, of which the first takes the keys. The zero Watch is ready.
type Watch struct {
	open   []opened
	calls  map[string]*protocol.ToolCallData // that are open, by their entries
	dialog *Dialog
	since  time.Time // the dialog is shown
	rung   bool      // somebody was told of it
	sent   string    // how the answer is told that is on its way; empty: none is
}

// opened is a request that is open; cut: only the beginning of what it asks was shown.
type opened struct {
	protocol.RequestOpened

	cut bool
}

// Event takes the next event of the log.
func (w *Watch) Event(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.RequestOpened:
		if p.Kind != protocol.RequestCallerTool && len(w.open) < maxWatched {
			w.open = append(w.open, opened{*p, p.DiffTruncated})
		}
	case *protocol.RequestResolved:
		w.open = slices.DeleteFunc(w.open, func(q opened) bool { return q.RequestID == p.RequestID })
		if w.dialog != nil && w.dialog.Request.RequestID == p.RequestID {
			w.dialog, w.sent = nil, ""
		}
	case *protocol.SessionEnd:
		*w = Watch{}
	case *protocol.EntryStart:
		if d, is := p.Data.(*protocol.ToolCallData); is && len(w.calls) < maxWatched {
			if w.calls == nil {
				w.calls = map[string]*protocol.ToolCallData{}
			}
			call := *d
			w.calls[p.EntryID] = &call
		}
	case *protocol.EntryDelta:
		if a, is := p.Delta.(*protocol.ArgumentsAppend); is {
			if call := w.calls[p.EntryID]; call != nil && len(call.Arguments) < maxArguments {
				call.Arguments += a.Text
			}
		}
	case *protocol.EntryEnd:
		delete(w.calls, p.EntryID)
	default:
	}
}

// Reset forgets everything: the log begins again.
func (w *Watch) Reset() { *w = Watch{} }

// Next looks which request takes the keys; ring: it has waited for a moment, and nobody was told. Of a log that is read from its beginning, what was
// answered long ago is gone by then.
func (w *Watch) Next(now time.Time) (ring bool) {
	if w.dialog == nil && len(w.open) > 0 {
		w.dialog, w.since, w.sent, w.rung = w.open[0].dialog(), now, "", false
	}
	if w.dialog == nil || w.rung || now.Sub(w.since) < settle {
		return false
	}
	w.rung = true
	return true
}

func (o *opened) dialog() *Dialog {
	d := NewDialog(o.RequestOpened)
	d.Cut = o.cut
	return d
}

// Edit shows what the call of a request would change, where the request itself does not say it.
func (w *Watch) Edit(q *protocol.RequestOpened, style terminal.Style, columns int) []string {
	p := paper{style: style, columns: max(columns, 20)}
	w.edit(q, &p)
	for i := range w.open {
		if o := &w.open[i]; o.RequestID == q.RequestID {
			o.cut = o.cut || p.cut
		}
	}
	return p.lines
}

func (w *Watch) edit(q *protocol.RequestOpened, p *paper) {
	call := w.calls[q.EntryID]
	if call == nil {
		call = &protocol.ToolCallData{}
	}
	if q.Diff != "" || IsDiff(q.Text) { // it is shown
		return
	}
	if call.Diff != "" {
		p.diff(call.Diff)
		return
	}
	for _, text := range []string{call.Arguments, q.Text} {
		if e, is := editsOf(text); is {
			p.edits(e)
			return
		}
	}
	if q.Text == "" && call.Arguments != "" { // the request says nothing of them
		p.add(nil, indented(call.Arguments))
	}
}

// Key takes a key; reply is an answer to request.
func (w *Watch) Key(k keys.Key, now time.Time) (request string, reply *resource.RequestAnswer) {
	if w.dialog == nil || w.sent != "" || now.Sub(w.since) < settle {
		return "", nil
	}
	reply, words, _ := w.dialog.Key(k)
	if reply == nil {
		return "", nil
	}
	w.sent = words
	return w.dialog.Request.RequestID, reply
}

// Asks is the request that takes the keys; empty: none does.
func (w *Watch) Asks() string {
	if w.dialog == nil {
		return ""
	}
	return w.dialog.Request.RequestID
}

// Failed says that the answer to a request did not count: the keys answer it again, unless another one has them by now.
func (w *Watch) Failed(request string, now time.Time) {
	if w.dialog != nil && w.Asks() == request {
		again := opened{w.dialog.Request, w.dialog.Cut}
		w.dialog, w.since, w.sent = again.dialog(), now, ""
	}
}

// Prompt shows which keys answer.
func (w *Watch) Prompt(style terminal.Style, columns int) []string {
	switch {
	case w.dialog == nil:
		return nil
	case w.sent != "":
		return []string{style.Warn(terminal.Cut("sending: "+terminal.Visible(w.sent), columns))}
	}
	lines, _ := w.dialog.Prompt(style, columns)
	return lines
}
