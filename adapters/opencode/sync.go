package opencode

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// resync finds out what the agent said while nobody listened: after the stream of events was lost, since OpenCode repeats
// nothing, and when a session is taken up again. First the stream is open, then the status is asked for, then what is asked
// and the messages. They are folded like events, and only then the events that came meanwhile: all but deltas are whole
// states, so that hearing one twice does no harm.
type resync struct {
	on      bool    // questions are not answered yet
	lost    bool    // the stream is
	holds   bool    // events wait until the messages are folded
	folds   bool    // a snapshot is being folded
	past    bool    // of a session that is taken up: what ended in it is over
	resume  bool    // the session is taken up, and not ready
	wanted  bool    // a snapshot is: of a recording, whose own answers come
	foreign bool    // somebody else makes the calls: a recording. Ours are never answered there, so nothing waits for them
	status  string  // of the session, as last told; empty: not known
	ended   float64 // when the newest message of the snapshot ended so far, Unix ms
	user    string  // the newest message of the user's in the snapshot
	beats   int
	idle    bool // one of the events that wait says that the session is idle
	held    [][]byte
	bytes   int
}

// Bounds of what waits for a snapshot.
const (
	maxHeld      = 20_000
	maxHeldBytes = 16 << 20
)

// pageLimit is how many messages a snapshot has at most: the newest ones.
const (
	pageLimit   = 50
	pageQuery   = "limit=50"
	shortLimit  = 4 // where a page is too long for an answer
	shortQuery  = "limit=4"
	recallLimit = 500 // where the earlier conversation is wanted
	recallQuery = "limit=500"
)

// shorter is asked for where the answer was too long; empty: nothing is.
func shorter(query string) string {
	switch query {
	case recallQuery:
		return pageQuery
	case pageQuery:
		return shortQuery
	}
	return ""
}

// busy says that a snapshot is to come.
func (r *resync) busy() bool { return r.on || r.folds || r.wanted }

// stream takes a state of the stream of events.
func (t *Translator) stream(s *httpline.Stream, out *adapters.Output) {
	if s.State == httpline.Lost {
		t.sync.lost = true
		t.release(out)
		for _, x := range t.parts {
			x.gap = x.gap || !x.closed && x.tool == nil
		}
		return
	}
	again := t.sync.lost || t.spec.Child
	t.sync.lost = false
	if again && t.session != "" {
		t.sync.holds = !t.sync.foreign
		t.startSync(out)
	}
}

// startSync asks for the status; the other questions follow its answer.
func (t *Translator) startSync(out *adapters.Output) {
	t.sync.on, t.sync.wanted, t.sync.status, t.sync.beats = true, true, "", 0
	t.ask(out, call{kind: askStatus, method: "GET", path: "/session/status"})
}

// statusAnswered takes the status of all sessions. Those that are idle are not listed.
func (t *Translator) statusAnswered(a *httpline.Answer, c call, out *adapters.Output) {
	if t.again(a, c, out) {
		return
	}
	var list map[string]statusWire
	if a.OK() && native.Decode(a.Body, &list) == nil {
		t.sync.status = "idle"
		if s, ok := list[t.session]; ok && s.Type != "" {
			t.sync.status = s.Type
		}
	}
	if !c.foreign && t.sync.on {
		query := pageQuery
		if t.sync.resume && t.spec.Recall {
			query = recallQuery
		}
		t.ask(out, call{kind: askMessages, method: "GET", path: "/session/" + t.session + "/message", query: query})
	}
}

// messagesAnswered takes the newest messages. Of a recording they count where they fill a gap: else they can only be older than
// what was heard.
func (t *Translator) messagesAnswered(a *httpline.Answer, c call, out *adapters.Output) {
	if a.Status == 0 && t.again(a, c, out) {
		return
	}
	if c.foreign {
		if t.sync.wanted && a.OK() {
			t.finishSync(a, out)
		}
		return
	}
	if !t.sync.on {
		return
	}
	if less := shorter(c.query); !a.OK() && a.Status == 200 && less != "" { // too long
		t.ask(out, call{kind: askMessages, method: "GET", path: c.path, query: less})
		return
	}
	if !a.OK() {
		out.Draft(adapters.Notice{
			Level: "warning", Kind: "resync_failed",
			Text: "What the agent said while it could not be heard is not known: " + problem(a),
		})
	}
	t.finishSync(a, out)
}

// finishSync folds the messages, and then what was held back.
func (t *Translator) finishSync(a *httpline.Answer, out *adapters.Output) {
	t.sync.past = t.sync.resume
	if a.OK() {
		t.foldAnswer(a, out)
	}
	t.sync.past, t.sync.resume = false, false
	switch t.sync.status {
	case "busy", "retry":
		if !t.run.on || t.run.idle {
			t.busy(out)
		}
		if !t.sync.foreign {
			t.ask(out, call{kind: askPermissions, method: "GET", path: "/permission"})
			t.ask(out, call{kind: askQuestions, method: "GET", path: "/question"})
		}
	case "idle":
		if t.sync.idle {
			break // the events that wait say it, too, and what came before it
		}
		t.idle(out)
		t.run.guess = t.run.idle
		if !t.run.on {
			t.flush(out)
		}
	}
	t.sync.on, t.sync.wanted = false, false
	t.release(out)
	t.ready(out)
}

// listed takes what the agent asks. What was asked while nobody listened is opened; what is not listed any more is closed. It
// is asked for only while the session is busy: right after an abort, dead requests are still listed.
func (t *Translator) listed(a *httpline.Answer, c call, out *adapters.Output) {
	if !a.OK() {
		t.again(a, c, out)
		return
	}
	there := map[string]bool{}
	if c.kind == askQuestions {
		var list []struct {
			SessionID string `json:"sessionID"`
			questionWire
		}
		_ = native.Decode(a.Body, &list)
		for i := range list {
			if q := &list[i]; q.SessionID == t.session {
				there[q.ID] = true
				t.question(&q.questionWire, false, out)
			}
		}
	} else {
		var list []struct {
			SessionID string `json:"sessionID"`
			permissionWire
		}
		_ = native.Decode(a.Body, &list)
		for i := range list {
			if p := &list[i]; p.SessionID == t.session {
				there[p.ID] = true
				t.permission(&p.permissionWire, false, out)
			}
		}
	}
	t.asked.drop(func(id string, r *request) bool {
		return !there[id] && r.question == (c.kind == askQuestions) && !r.next && !r.answered && r.key <= c.newest
	}, out)
}

// hold keeps an event until the snapshot is folded.
func (t *Translator) hold(e event, line []byte, out *adapters.Output) {
	switch {
	case e.kind == "session.idle":
		t.sync.status, t.sync.idle = "idle", true
	case e.kind == "session.status":
		var p struct {
			Status statusWire `json:"status"`
		}
		_ = native.Decode(e.properties, &p)
		t.sync.status = p.Status.Type
		t.sync.idle = t.sync.idle || p.Status.Type == "idle"
	}
	t.sync.held = append(t.sync.held, slices.Clone(line))
	if t.sync.bytes += len(line); len(t.sync.held) > maxHeld || t.sync.bytes > maxHeldBytes {
		t.release(out)
	}
}

// release lets go of the events that were held back. What they say of the status is old news where it was before the newest
// message of the user's that the snapshot had: it is about a run before that message's.
func (t *Translator) release(out *adapters.Output) {
	t.sync.holds = false
	held := t.sync.held
	newest := t.sync.user
	t.sync.user = ""
	if i := slices.IndexFunc(held, func(line []byte) bool { return newest != "" && begins(line, newest) }); i > 0 {
		fresh := slices.Clone(held[i:])
		held = append(slices.DeleteFunc(held[:i], func(line []byte) bool {
			e, _ := readEvent(line)
			return e.kind == "session.status" || e.kind == "session.idle"
		}), fresh...)
	}
	t.sync.held, t.sync.bytes, t.sync.beats, t.sync.idle = nil, 0, 0, false
	for _, line := range held {
		t.Line(line, out)
	}
}

// begins says that an event is the beginning of a user's message: later ones have a summary.
func begins(line []byte, message string) bool {
	e, _ := readEvent(line)
	if e.kind != "message.updated" {
		return false
	}
	var p struct {
		Info messageInfo `json:"info"`
	}
	_ = native.Decode(e.properties, &p)
	return p.Info.ID == message && len(p.Info.Summary) == 0
}
