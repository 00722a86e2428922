package live

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// ownSession goes on with a session that the agent has of its own: it is listed, what was said in it stands before the first turn, and the
// first prompt's turn has its own answer. A session of one that the agent does not have fails.
func ownSession(w *world) {
	before := w.create(w.agent.free)
	asked := w.agent.model.prompt(w, "What is a ring?", use(w.agent.run("echo round")), say("A circle of riders."))
	before.send(asked)
	before.turn(protocol.TurnCompleted)
	before.idle()
	native := ""
	for i := range before.events {
		if m, ok := before.events[i].Payload.(*protocol.SessionMeta); ok && m.NativeSessionID != nil {
			native = *m.NativeSessionID
		}
	}
	type own struct{ NativeSessionID, SessionID string }
	listed := func() own {
		var answer struct{ Sessions []own }
		q := url.Values{"cwd": {w.daemon.cwd}, "agent": {w.agent.name}}
		if err := w.daemon.call(w.Context(), http.MethodGet, "/native-sessions?"+q.Encode(), nil, &answer); err != nil {
			before.fail("list: %v", err)
		}
		i := slices.IndexFunc(answer.Sessions, func(o own) bool { return o.NativeSessionID == native })
		if i < 0 {
			before.fail("%s is not listed: %+v", native, answer.Sessions)
		}
		return answer.Sessions[i]
	}
	if o := listed(); o.SessionID != before.id {
		before.fail("it works in %q", o.SessionID)
	}
	if err := w.daemon.call(w.Context(), http.MethodPost, "/sessions/"+before.id+"/end", nil, nil); err != nil {
		before.fail("end: %v", err)
	}
	if o := listed(); o.SessionID != "" {
		before.fail("after its end it works in %q", o.SessionID)
	}

	s := w.create(w.agent.free, with("nativeSessionId", native))
	s.idle()
	if texts, turns := s.said(); len(texts) != 1 || texts[0] != asked || turns[0] != "" {
		s.fail("before, the user said %q in %q", texts, turns)
	}
	if c := s.ends(protocol.EntryToolCall); len(c) != 1 || c[0].TurnID != "" || s.answer() != "A circle of riders." {
		s.fail("%d tools, and the answer %q", len(c), s.answer())
	}
	prompt := w.agent.model.prompt(w, "And a master?", say("Who leads them."))
	s.send(prompt)
	s.turn(protocol.TurnCompleted)
	s.idle()
	texts, turns := s.said()
	if len(texts) != 1 || texts[0] != prompt || turns[0] == "" || s.answer() != "Who leads them." {
		s.fail("the user said %q in %q, and the agent %q", texts, turns, s.answer())
	}

	if x, err := w.tryCreate(w.agent.free, with("nativeSessionId", "0198c0de-0000-7000-8000-000000000000")); err == nil {
		x.until("its end", isType(protocol.TypeSessionEnd))
	}
}
