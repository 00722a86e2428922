package codex

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// link is this thread's end of the connection: the requests that wait for their responses, and whether any response would come. An
// attached connection may be lost and come back (adapters/remote), while the server and the turn go on: then the thread is joined again.
type link struct {
	thread    string             // its id; empty: not known yet
	ids       int                // of our own requests, last given
	calls     map[string]*asking // our own, by raw id
	sent      map[string]*asking // those of a recording, by raw id
	away      bool               // lost
	rejoining bool               // open again, and the thread is not joined yet
	foreign   bool               // somebody else makes the requests: a recording
}

// asking is a request that waits for its response.
type asking struct {
	method  string
	prompt  *prompting       // of turn/start and turn/steer
	id      string           // of the command that it serves
	page    int              // of lists: which one
	setting adapters.Command // of thread/settings/update
	mine    bool             // not the request of a recording
}

func newLink(thread string) link {
	return link{thread: thread, calls: map[string]*asking{}, sent: map[string]*asking{}}
}

// quiet says that nothing is sent: no answer would come.
func (l *link) quiet() bool { return l.away || l.rejoining }

// ask sends a request of the translator's own.
func (l *link) ask(a *asking, params any, out *adapters.Output) {
	l.ids++
	id := "t" + strconv.Itoa(l.ids)
	a.mine = true
	l.calls[`"`+id+`"`] = a
	out.Line(encode(call{ID: id, Method: a.method, Params: params}))
}

// note keeps a request of a recording until its response comes.
func (l *link) note(m *message) { l.sent[string(m.id)] = &asking{method: m.method} }

// take gives the request that a response is to, once; nil: nobody's here.
func (l *link) take(id []byte) *asking {
	a := l.calls[string(id)]
	if a == nil {
		a = l.sent[string(id)]
	}
	if a != nil {
		delete(l.calls, string(id))
		delete(l.sent, string(id))
	}
	return a
}

// lose gives up what was under way: nobody answers it any more.
func (l *link) lose() {
	l.away, l.rejoining = true, false
	clear(l.calls)
	clear(l.sent)
}
