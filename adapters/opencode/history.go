package opencode

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// history finds out what the agent said while nobody listened: after the stream of events was lost, since OpenCode repeats
// nothing, and when a session is taken up again. First the stream is open, then the status is asked for, then what is asked
// and the messages. They are folded like events, and only then the events that came meanwhile: all but deltas are whole
// states, so that hearing one twice does no harm.
type history struct {
	on      bool    // questions are not answered yet
	lost    bool    // the stream is
	holds   bool    // events wait until the messages are folded
	recall  bool    // the conversation so far is wanted: the log has nothing of it
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

// live is the source of events.
func (h *history) live() source { return source{more: h.on || h.wanted} }

// takeUp takes up a session whose past the agent knows: what it says waits.
func (h *history) takeUp() { h.resume, h.wanted, h.holds = true, true, true }

// start asks for the status; the other questions follow its answer.
func (h *history) start(calls *calls, out *adapters.Output) {
	h.on, h.wanted, h.status, h.beats = true, true, "", 0
	calls.ask(call{kind: askStatus, method: "GET", path: "/session/status"}, out)
}

// statusAnswered takes the status of all sessions. Those that are idle are not listed.
func (h *history) statusAnswered(a *httpline.Answer, c call, calls *calls, out *adapters.Output) {
	if calls.again(a, c, out) {
		return
	}
	var list map[string]statusWire
	if a.OK() && native.Decode(a.Body, &list) == nil {
		h.status = "idle"
		if s, ok := list[calls.session]; ok && s.Type != "" {
			h.status = s.Type
		}
	}
	if !c.foreign && h.on {
		query := pageQuery
		if h.resume && h.recall {
			query = recallQuery
		}
		calls.messages(askMessages, query, 0, out)
	}
}

// messagesAnswered takes the newest messages, and says whether they are to be folded. Of a recording they count where they fill a gap: else
// they can only be older than what was heard.
func (h *history) messagesAnswered(a *httpline.Answer, c call, calls *calls, out *adapters.Output) (fold bool) {
	switch less := shorter(c.query); {
	case a.Status == 0 && calls.again(a, c, out):
		return false
	case c.foreign:
		return h.wanted && a.OK()
	case !h.on:
		return false
	case !a.OK() && a.Status == 200 && less != "": // too long
		calls.messages(askMessages, less, 0, out)
		return false
	}
	if !a.OK() {
		out.Draft(adapters.Notice{
			Level: "warning", Kind: "resync_failed",
			Text: "What the agent said while it could not be heard is not known: " + problem(a),
		})
	}
	return true
}

// working says that a snapshot is one of a session at work.
func (h *history) working() bool { return h.status == "busy" || h.status == "retry" }

// finish folds the messages, and says what the session does.
func (h *history) finish(a *httpline.Answer, calls *calls, w *work, out *adapters.Output) (idle bool) {
	if a.OK() {
		h.fold(a, h.resume, w, out)
	}
	h.resume = false
	if h.working() {
		if !w.turn.on || w.turn.idle {
			w.busy(out)
		}
		if !h.foreign {
			newest := w.requests.keys.Last()
			calls.ask(call{kind: askPermissions, method: "GET", path: "/permission", newest: newest}, out)
			calls.ask(call{kind: askQuestions, method: "GET", path: "/question", newest: newest}, out)
		}
	}
	return h.status == "idle" && !h.idle // else the events that wait say it, too, and what came before it
}

// hold keeps an event until the snapshot is folded, and says whether there is no room for more.
func (h *history) hold(e event, line []byte) (full bool) {
	switch {
	case e.kind == "session.idle":
		h.status, h.idle = "idle", true
	case e.kind == "session.status":
		var p struct {
			Status statusWire `json:"status"`
		}
		_ = native.Decode(e.properties, &p)
		h.status = p.Status.Type
		h.idle = h.idle || p.Status.Type == "idle"
	}
	h.held = append(h.held, slices.Clone(line))
	h.bytes += len(line)
	return len(h.held) > maxHeld || h.bytes > maxHeldBytes
}

// beat takes a heartbeat while events are held back, and says whether they have waited long enough.
func (h *history) beat() (over bool) {
	h.beats++
	return h.beats >= maxBeats
}

// release gives the events that were held back. What they say of the status is old news where it was before the newest
// message of the user's that the snapshot had: it is about a turn before that message's.
func (h *history) release() [][]byte {
	h.holds = false
	held := h.held
	newest := h.user
	h.user = ""
	if i := slices.IndexFunc(held, func(line []byte) bool { return newest != "" && begins(line, newest) }); i > 0 {
		fresh := slices.Clone(held[i:])
		held = append(slices.DeleteFunc(held[:i], func(line []byte) bool {
			e, _ := readEvent(line)
			return e.kind == "session.status" || e.kind == "session.idle"
		}), fresh...)
	}
	h.held, h.bytes, h.beats, h.idle = nil, 0, 0, false
	return held
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
