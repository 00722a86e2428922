package live

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Rows of agents that are given the daemon's MCP server.
const (
	rowLeads  = "MCP: leads a session of its own"
	rowAllows = "MCP: asks before it calls a tool"
	rowTold   = "MCP: is prompted when its session is done"
	rowLooks  = "MCP: looks at what it leads without a person"
	rowCaller = "MCP: calls a client's tool"
	rowLater  = "MCP: calls a tool offered to the running agent"
	rowAnew   = "MCP: kill -9 of the daemon, given anew"
)

var mcpRows = []row{
	{name: rowLeads, run: leads},
	{name: rowAllows, run: asksForTool},
	{name: rowTold, run: isTold},
	{name: rowLooks, run: looksAlone},
	{name: rowCaller, run: callsClient},
	{name: rowLater, more: true, run: callsLater},
	{name: rowAnew, alone: true, run: givenAnew},
}

// counting is what the scripted agent is told to do below an agent.
const counting = "Count.\n```script\n[{\"say\":{\"text\":\"One, two, three.\"}}]\n```"

// gives makes a session whose agent is given the server.
func (w *world) gives(settings ...setting) *session {
	w.Helper()
	if w.old() {
		w.skip("Pi knows no MCP servers before 1.0")
	}
	return w.create(append(settings, with("mcp", true))...)
}

// given is a call of one of the daemon's tools, as the agent's model makes it.
func (w *world) given(tool string, args map[string]any) reply {
	w.Helper()
	return use(w.agent.given(tool, args))
}

// did checks that the newest turn called these tools, each to its end, and gives their outputs.
func (s *session) did(tools ...string) (outputs []string) {
	s.Helper()
	var called []string
	for _, e := range s.ends(protocol.EntryToolCall) {
		d := e.Data.(*protocol.ToolCallData)
		if d.Status != protocol.ToolCompleted {
			s.fail("%+v", d)
		}
		called, outputs = append(called, d.ToolName), append(outputs, d.Output)
	}
	if !slices.EqualFunc(called, tools, strings.HasSuffix) {
		s.fail("called %q, want %q", called, tools)
	}
	return outputs
}

// born is the only session that the newest turn has made, and that works for it.
func (s *session) born() *session {
	s.Helper()
	var list []string
	for i := range s.events[s.asked:] {
		if b, ok := s.events[s.asked+i].Payload.(*protocol.ChildSession); ok && b.TurnID == "" && b.Ended == "" { // others tell that it rests
			list = append(list, b.ChildSessionID)
		}
	}
	if len(list) != 1 {
		s.fail("%d sessions were made", len(list))
	}
	child := s.open(list[0])
	start := child.until("its start", isType(protocol.TypeSessionStart)).Payload.(*protocol.SessionStart)
	if m := start.Metadata; m.ParentSessionID != s.id || !m.Spawned || m.SubAgent {
		child.fail("%+v", start)
	}
	return child
}

// leads lets the agent start a session, wait for it and read it, and ends it: nothing of the two is left, nor its token valid.
func leads(w *world) {
	s := w.gives(w.agent.free, policy(protocol.PolicyAllowAll))
	s.send(w.agent.model.prompt(w, "Get help.",
		w.given("session_message", map[string]any{"agent": "scripted", "message": counting}), say("Somebody counts.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	child := s.born()
	if said := s.did("session_message")[0]; !strings.Contains(said, child.id) {
		s.fail("the agent heard %q", said)
	}
	s.send(w.agent.model.prompt(w, "Listen.",
		w.given("session_join", map[string]any{"session_ids": []string{child.id}}),
		w.given("session_events", map[string]any{"session_id": child.id}), say("Somebody has counted.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	for _, said := range s.did("session_join", "session_events") {
		if !strings.Contains(said, "One, two, three.") {
			s.fail("the agent heard %q", said)
		}
	}
	child.turn(protocol.TurnCompleted)
	if got := child.answer(); got != "One, two, three." {
		child.fail("the answer is %q", got)
	}

	family, token := w.owned(s, child)
	if got := w.accepts(token); got != http.StatusOK {
		w.Errorf("the token is answered with %d", got)
	}
	w.secret(token, s)
	s.end()
	child.until("its end", isType(protocol.TypeSessionEnd))
	wantNone(w, family)
	if got := w.accepts(token); got != http.StatusUnauthorized {
		w.Errorf("after the end, the token is answered with %d", got)
	}
	s.settled()
	child.settled()
	s.whole()
	child.whole()
}

// isTold lets the agent send a message with notify and end its turn: the answer comes to it as a prompt. What the other session says is here
// what the agent's model then plays.
func isTold(w *world) {
	s := w.gives(w.agent.free, policy(protocol.PolicyAllowAll))
	said, err := json.Marshal([]any{map[string]any{"say": map[string]any{"text": w.agent.model.prompt(w, "One, two, three.", say("I was told."))}}})
	if err != nil {
		w.Fatal(err)
	}
	count := "Count.\n```script\n" + strings.ReplaceAll(string(said), "`", `\u0060`) + "\n```"
	s.send(w.agent.model.prompt(w, "Get help.",
		w.given("session_message", map[string]any{"agent": "scripted", "message": count, "notify": "prompt"}), say("Somebody counts.")))
	s.turn(protocol.TurnCompleted)
	child := s.born()
	s.turn(protocol.TurnCompleted)
	s.idle()
	if got := s.answer(); got != "I was told." {
		s.fail("the answer to the notice is %q", got)
	}
	told := 0
	for i := range s.events {
		if p, ok := s.events[i].Payload.(*protocol.TurnStart); ok && p.Prompt != nil && p.Prompt.ClientID == "session:"+child.id {
			told++
		}
	}
	if told != 1 {
		s.fail("it was prompted %d times", told)
	}
	child.turn(protocol.TurnCompleted)
	child.settled()
	s.settled()
	s.works()
}

// owned are the processes of these sessions, and the token that the first one's have.
func (w *world) owned(of ...*session) (list []process, token string) {
	w.Helper()
	for _, p := range w.daemon.family(w) {
		for i, s := range of {
			if strings.Contains(p.marker, "/"+s.id+"/") {
				if list = append(list, p); i == 0 && p.token != "" {
					token = p.token
				}
			}
		}
	}
	if len(list) < len(of) || token == "" {
		w.Fatalf("%d processes with the token %q: %v", len(list), token, list)
	}
	return list, token
}

// secret checks that a token is on no command line, in no log and in no archive of native lines.
func (w *world) secret(token string, s *session) {
	w.Helper()
	for _, p := range census(w) {
		if slices.ContainsFunc(p.argv, func(a string) bool { return strings.Contains(a, token) }) {
			w.Errorf("the token is on a command line: %v", p)
		}
	}
	raw, err := w.daemon.Session(s.id).Raw(w.Context(), client.RawQuery{})
	if err != nil {
		w.Fatal(err)
	}
	defer raw.Close()
	lines, err := io.ReadAll(raw)
	if err != nil || len(lines) == 0 {
		w.Fatalf("%d bytes of native lines: %v", len(lines), err)
	}
	if bytes.Contains(lines, []byte(token)) || bytes.Contains(bytes.Join(s.seen, nil), []byte(token)) {
		w.Error("the token was written down")
	}
}

// looksAlone lets the agent look at a session that it leads by every tool that only reads. Whatever of that the agent asks for, a policy
// that lets read answers.
func looksAlone(w *world) {
	s := w.gives(w.agent.leading, policy(protocol.PolicyAllowReads))
	s.send(w.agent.model.prompt(w, "Get help.",
		w.given("session_message", map[string]any{"agent": "scripted", "message": counting}), say("That is dealt with.")))
	s.resolve(s.until("a request", isType(protocol.TypeRequestOpened)).Payload.(*protocol.RequestOpened),
		resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	s.turn(protocol.TurnCompleted)
	s.idle()
	child := s.born()
	child.turn(protocol.TurnCompleted)
	ends := child.ends(protocol.EntryAssistantMessage)
	said := ends[len(ends)-1]
	var looks []reply
	var tools []string
	for _, name := range slices.Sorted(maps.Keys(adapters.OwnTools())) {
		if adapters.OwnTools()[name] != protocol.ToolRead {
			continue
		}
		args := map[string]any{"session_id": child.id}
		switch name {
		case "agent_list", "session_list":
			args = map[string]any{}
		case "session_join":
			args = map[string]any{"session_ids": []string{child.id}}
		case "session_text":
			args["entry_id"] = said.EntryID
		}
		looks, tools = append(looks, w.given(name, args)), append(tools, name)
	}
	s.send(w.agent.model.prompt(w, "Look.", append(looks, say("All is well."))...))
	s.turn(protocol.TurnCompleted)
	s.idle()
	s.did(tools...)
	asked, kinds := 0, map[protocol.ToolKind]int{}
	for _, e := range s.events[s.asked:] {
		switch p := e.Payload.(type) {
		case *protocol.RequestOpened:
			asked, kinds[p.ToolKind] = asked+1, kinds[p.ToolKind]+1
			if p.Subject != "agent://" && p.Subject != "session://" && p.Subject != "session://"+child.id {
				s.fail("asked about %q", p.Subject)
			}
		case *protocol.RequestResolved:
			if p.By != "policy" || p.Outcome != protocol.OutcomeAllowed {
				s.fail("a person was asked: %+v", p)
			}
		}
	}
	w.Logf("%d tools called, %d requests, all answered by the policy: %v", len(tools), asked, kinds)
	if kinds[protocol.ToolRead] != asked {
		s.fail("asked %v", kinds)
	}
	s.settled()
	s.works()
}

// asksForTool answers the approval of a call that changes something, which a policy that only lets read does not.
func asksForTool(w *world) {
	s := w.gives(w.agent.leading, policy(protocol.PolicyAllowReads))
	s.send(w.agent.model.prompt(w, "Get help.",
		w.given("session_message", map[string]any{"agent": "scripted", "message": counting}), say("That is dealt with.")))
	r := s.until("a request", isType(protocol.TypeRequestOpened)).Payload.(*protocol.RequestOpened)
	if r.Kind != protocol.RequestApproval || r.EntryID == "" || r.ToolKind != protocol.ToolOther || r.Title == "" ||
		!strings.HasSuffix(r.ToolName, "session_message") {
		s.fail("%+v", r)
	}
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	s.turn(protocol.TurnCompleted)
	s.idle()
	s.did("session_message")
	child := s.born()
	child.turn(protocol.TurnCompleted)
	s.settled()
	s.works()
}

// offer sends a message with which a client offers a tool to the session's agent.
func (s *session) offer(client, message string) {
	s.Helper()
	s.asked = len(s.events)
	s.callTool("session_message", offerOf(client, map[string]any{"session_id": s.id, "message": message}))
}

// offering makes a session whose agent finds a client's tool when it starts: not every agent looks again.
func (w *world) offering(client, message string, settings ...setting) *session {
	w.Helper()
	if w.old() {
		w.skip("Pi knows no MCP servers before 1.0")
	}
	body := map[string]any{"agent": w.agent.name, "cwd": w.daemon.cwd, "new_session": true, "message": message}
	if w.agent.startModel != "" {
		body["model"] = w.agent.startModel
	}
	for _, set := range settings {
		if set != nil {
			set(w, body)
		}
	}
	var made struct {
		IsError           bool
		StructuredContent struct {
			ID string `json:"session_id"`
		}
	}
	if err := w.request("tools/call", map[string]any{"name": "session_message", "arguments": offerOf(client, body)}, &made); err != nil || made.IsError {
		w.Fatalf("%+v %v", made, err)
	}
	s := w.open(made.StructuredContent.ID)
	s.cwd, _ = body["cwd"].(string)
	return s
}

func offerOf(client string, message map[string]any) map[string]any {
	message["caller_id"] = client
	message["caller_tools"] = []any{map[string]any{
		"name": "find", "description": "Looks a word up.",
		"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"word": map[string]any{"type": "string"}}},
	}}
	return message
}

// looks makes a prompt for a call of a client's tool.
func (w *world) looks(client string) string {
	w.Helper()
	return w.agent.model.prompt(w, "Look it up.", w.given(client+"_find", map[string]any{"word": "heron"}), say("I have looked."))
}

// clientCall takes a call of a client's tool; approvals are the policy's.
func clientCall(e *protocol.Event) bool {
	r, ok := e.Payload.(*protocol.RequestOpened)
	return ok && r.Kind == protocol.RequestCallerTool
}

// answered carries out the call of a client's tool and checks that the agent gets the answer.
func (s *session) answered(client string) {
	s.Helper()
	s.carriedOut(client, s.until("a call of a client's tool", clientCall))
}

func (s *session) carriedOut(client string, call *protocol.Event) {
	s.Helper()
	r := call.Payload.(*protocol.RequestOpened)
	if r.CallerID != client || !strings.Contains(r.Arguments, "heron") {
		s.fail("%+v", r)
	}
	s.callTool("caller_tool_response", map[string]any{"session_id": s.id, "request_id": r.RequestID, "result": "A bird of " + client + "."})
	s.turn(protocol.TurnCompleted)
	s.idle()
	if all := s.did(client + "_find"); !strings.Contains(all[len(all)-1], "A bird of "+client+".") {
		s.fail("the agent heard %q", all)
	}
}

// callsClient offers a tool before the agent asks which there are.
func callsClient(w *world) {
	s := w.offering("desk", w.looks("desk"), w.agent.free, policy(protocol.PolicyAllowAll))
	s.answered("desk")
	s.settled()
	s.works()
}

// callsLater offers one to an agent that knows its tools already. It is told that there are others now, and asks for them when it likes: a call
// before that fails, and the next turn has the tool.
func callsLater(w *world) {
	s := w.gives(w.agent.free, policy(protocol.PolicyAllowAll))
	s.works()
	s.offer("shelf", w.agent.model.prompt(w, "I have a shelf.", say("I see.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	for turns := 1; ; turns++ {
		s.send(w.looks("shelf"))
		e := s.until("a call of a client's tool, or the turn's end", func(e *protocol.Event) bool {
			return clientCall(e) || e.Payload.Type() == protocol.TypeTurnEnd
		})
		if clientCall(e) {
			s.carriedOut("shelf", e)
			break
		}
		if s.idle(); turns == 10 {
			s.fail("the agent has not asked for its tools")
		}
	}
	s.settled()
	s.whole()
}

// givenAnew kills the daemon. The next one is at another address and has another token for the agent, which goes on with its session.
func givenAnew(w *world) {
	s := w.gives(w.agent.free, policy(protocol.PolicyAllowAll))
	s.learns()
	family, old := w.owned(s)
	w.daemon.kill(w.T)
	w.daemon.start(w.T)
	s.knows()
	wantNone(w, family)
	s.send(w.agent.model.prompt(w, "Get help.",
		w.given("session_message", map[string]any{"agent": "scripted", "message": counting}), say("Somebody counts.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	s.did("session_message")
	s.born().turn(protocol.TurnCompleted)
	if _, token := w.owned(s); token == old || w.accepts(token) != http.StatusOK || w.accepts(old) != http.StatusUnauthorized {
		s.fail("the agent had the token %q and has %q", old, token)
	}
	s.settled()
	s.whole()
}
