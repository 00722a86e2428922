package live

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// session is one session of a row, and every event of its log that was shown.
type session struct {
	*world
	id     string
	cwd    string // empty: not known
	seen   [][]byte
	events []protocol.Event
	at     protocol.Cursor // behind the newest of them
	audit  *audit.Log
	asked  int // events that were there at the newest prompt
}

// create makes a session in the daemon's folder. Settings go into the request beside agent and cwd.
func (w *world) create(settings ...setting) *session {
	w.Helper()
	s, err := w.tryCreate(settings...)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

func (w *world) tryCreate(settings ...setting) (*session, error) {
	body := map[string]any{"agent": w.agent.name, "cwd": w.daemon.cwd}
	if w.agent.startModel != "" {
		body["model"] = w.agent.startModel
	}
	for _, set := range settings {
		if set != nil {
			set(w, body)
		}
	}
	mode, chosen := body["mode"] // not of the request that makes a session: it is chosen in one that is there
	delete(body, "mode")
	var made struct{ ID string }
	if err := w.daemon.call(w.Context(), http.MethodPost, "/sessions", body, &made); err != nil {
		return nil, err
	}
	s := w.open(made.ID)
	s.cwd, _ = body["cwd"].(string)
	if chosen {
		if err := w.daemon.call(w.Context(), http.MethodPost, "/sessions/"+s.id+"/mode", map[string]any{"mode": mode}, nil); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// open reads a session that is there.
func (w *world) open(id string) *session { return &session{world: w, id: id, audit: audit.New()} }

// setting changes the request that makes a session.
type setting func(w *world, body map[string]any)

func with(key string, value any) setting {
	return func(_ *world, body map[string]any) { body[key] = value }
}

// until follows the log, from where it was left, to the first event that fits.
func (s *session) until(what string, fits func(*protocol.Event) bool) *protocol.Event {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	for u, err := range s.daemon.Follow(ctx, s.id, s.at) {
		l, ok := u.(client.Line)
		if err == nil && !ok {
			continue
		}
		if err == nil {
			err = s.audit.Take(&l.Event)
		}
		if err != nil {
			s.Fatalf("session %s, waiting for %s: %v\n%s", s.id, what, err, s.tail())
		}
		s.seen, s.events, s.at = append(s.seen, l.Raw), append(s.events, l.Event), l.At
		if fits(&l.Event) {
			return &l.Event
		}
	}
	s.Fatalf("session %s is over, waiting for %s\n%s", s.id, what, s.tail())
	return nil
}

func (s *session) tail() []byte { return bytes.Join(s.seen[max(0, len(s.seen)-40):], []byte("\n")) }

// fail ends the row with the end of the log.
func (s *session) fail(format string, args ...any) {
	s.Helper()
	s.Fatalf(format+"\n%s", append(args, s.tail())...)
}

func isType(t protocol.Type) func(*protocol.Event) bool {
	return func(e *protocol.Event) bool { return e.Payload.Type() == t }
}

func inState(states ...protocol.State) func(*protocol.Event) bool {
	return func(e *protocol.Event) bool {
		st, ok := e.Payload.(*protocol.Status)
		return ok && slices.Contains(states, st.State)
	}
}

// send sends a prompt that follows up.
func (s *session) send(text string) resource.PromptAccepted {
	return s.sendAs(resource.NewPrompt{Text: text})
}

func (s *session) sendAs(p resource.NewPrompt) resource.PromptAccepted {
	s.Helper()
	s.asked = len(s.events)
	r, err := s.daemon.Prompt(s.Context(), s.id, client.Prompt{Text: p.Text, Images: p.Images, StreamingBehavior: p.StreamingBehavior, Notify: p.Notify})
	if err != nil {
		s.fail("prompt: %v", err)
	}
	return r
}

// steer sends a prompt into the running turn and waits until the agent has it.
func (s *session) steer(text string) {
	s.Helper()
	r, err := s.daemon.Prompt(s.Context(), s.id, client.Prompt{Text: text, StreamingBehavior: protocol.Steer})
	if err != nil {
		s.fail("steer: %v", err)
	}
	eventually(s, "the dispatch of the prompt", func() bool {
		detail, err := s.daemon.Session(s.id).Show(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		return !slices.ContainsFunc(detail.Queue, func(p resource.WaitingPrompt) bool { return p.PromptID == r.PromptID && !p.Sent })
	})
}

// turn waits for the end of a turn, which must be as wanted, and for the idle behind it where nothing waits.
func (s *session) turn(want protocol.TurnStatus) *protocol.TurnEnd {
	s.Helper()
	end := s.until("the turn's end", isType(protocol.TypeTurnEnd)).Payload.(*protocol.TurnEnd)
	if end.Status != want {
		s.fail("the turn ended %s, want %s: %+v", end.Status, want, end)
	}
	if (want == protocol.TurnError) != (end.Error != "") && want != protocol.TurnInterrupted {
		s.fail("a turn that ended %s has the error %q", end.Status, end.Error)
	}
	return end
}

func (s *session) idle() {
	s.Helper()
	s.until("idle", inState(protocol.StateIdle))
}

// ends are the ended entries of a type since the newest prompt, in the order of their ends.
func (s *session) ends(kind protocol.EntryType) []*protocol.EntryEnd {
	var list []*protocol.EntryEnd
	for i := range s.events[s.asked:] {
		if end, ok := s.events[s.asked+i].Payload.(*protocol.EntryEnd); ok && end.EntryType == kind {
			list = append(list, end)
		}
	}
	return list
}

// answer is the newest assistant message since the newest prompt.
func (s *session) answer() string {
	s.Helper()
	list := s.ends(protocol.EntryAssistantMessage)
	if len(list) == 0 {
		s.fail("no answer")
	}
	return list[len(list)-1].Data.(*protocol.MessageData).Text
}

// tool is the only tool call since the newest prompt.
func (s *session) tool() *protocol.ToolCallData {
	s.Helper()
	list := s.ends(protocol.EntryToolCall)
	if len(list) != 1 {
		s.fail("%d tool calls", len(list))
	}
	return list[0].Data.(*protocol.ToolCallData)
}

// said are the texts of the user's messages since the newest prompt, as the agent took them.
func (s *session) said() (texts, turns []string) {
	for _, e := range s.ends(protocol.EntryUserMessage) {
		texts, turns = append(texts, e.Data.(*protocol.MessageData).Text), append(turns, e.TurnID)
	}
	return texts, turns
}

// states checks that the status went through these states since the newest prompt, in this order, others between them.
func (s *session) states(want ...protocol.State) {
	s.Helper()
	var got []string
	rest := want
	for i := range s.events[s.asked:] {
		if st, ok := s.events[s.asked+i].Payload.(*protocol.Status); ok {
			got = append(got, string(st.State))
			if len(rest) > 0 && st.State == rest[0] {
				rest = rest[1:]
			}
		}
	}
	if len(rest) > 0 {
		s.fail("states %v, want %v in it", strings.Join(got, " "), want)
	}
}

// whole compares what was shown with the stored log, byte for byte, and says whether an ended session left anything open.
func (s *session) whole() {
	s.Helper()
	if stored := s.stored(); !bytes.HasPrefix(stored, joined(s.seen)) {
		s.Errorf("%d shown lines are not the beginning of the stored log of %d bytes", len(s.seen), len(stored))
	}
	if s.audit.Status().State.Ended() {
		s.settled()
	}
}

// stored is the log as the daemon serves it.
func (s *session) stored() []byte {
	s.Helper()
	l, err := s.daemon.Session(s.id).OpenLog(s.Context(), client.LogQuery{})
	if err != nil {
		s.Fatal(err)
	}
	defer l.Close()
	all, err := io.ReadAll(l)
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// joined is lines as a log has them.
func joined(lines [][]byte) []byte {
	if len(lines) == 0 {
		return nil
	}
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

// settled says whether everything is closed.
func (s *session) settled() {
	s.Helper()
	if open := s.audit.Settled(); open != nil {
		s.Errorf("%v\n%s", open, s.tail())
	}
}
