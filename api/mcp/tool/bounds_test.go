package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/join"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// fits checks a result: short as a whole, and its text by itself short enough for every host and not the JSON of it.
func fits(t *testing.T, what string, out any) {
	t.Helper()
	text := out.(call.Worded).Words()
	size := output.SizeOf(out)
	if size > output.MaxResult || len(text) > output.MaxResult+4<<10 || size+len(text) > 32<<10 {
		t.Errorf("%s: %d bytes of JSON, %d of text", what, size, len(text))
	}
	if json.Valid([]byte(text)) {
		t.Errorf("%s: the text is JSON", what)
	}
}

// large is a session of which everything is as long as it may be, or longer.
func large() *session.Description {
	long := strings.Repeat("é<&\n\"", 40_000)
	d := &session.Description{Summary: session.Summary{
		ID: "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a", Agent: "pi", Cwd: "/" + strings.Repeat("d", 4000), Title: long[:500], Model: long[:250], Labels: map[string]string{},
		EndError: long, EndHint: long, Status: protocol.Status{State: protocol.StateFailed}, Policy: &protocol.Policy{Mode: protocol.PolicyAllowReads},
	}}
	for i := range 256 {
		d.Labels[fmt.Sprint("key", i)] = long[:1000]
		d.Policy.Rules = append(d.Policy.Rules, protocol.PolicyRule{Tool: "execute", Pattern: long[:900], Action: protocol.PolicyDeny})
	}
	for i := range 100 {
		d.Queue = append(d.Queue, session.QueuedPrompt{ID: fmt.Sprint("p", i+1), Text: fmt.Sprint(i, long), Queued: time.UnixMilli(1)})
		r := protocol.RequestOpened{RequestID: fmt.Sprint("r", i+1), Kind: protocol.RequestApproval, Title: long, Text: long, Diff: long, Subject: long, Arguments: long, Deadline: 1}
		for k := range 20 {
			o := protocol.Option{ID: fmt.Sprint("option", k), Label: long, Description: long}
			r.Options = append(r.Options, o)
			r.Questions = append(r.Questions, protocol.Question{Text: long, Header: long, Options: []protocol.Option{o}})
		}
		d.Requests = append(d.Requests, r)
	}
	return d
}

// TestLooksAreShort, whatever there is to see; what is open can still be answered.
// Proves: I10.2/bounded
func TestLooksAreShort(t *testing.T) {
	d := large()
	o := look(d)
	fits(t, "session_get", o)
	if o.PromptsTotal != 100 || o.RequestsTotal != 100 || len(o.Requests) == 0 || len(o.Requests[0].Options) != 20 || !o.Requests[0].Cut || o.LabelsLeftOut == 0 {
		t.Errorf("%+v", o)
	}
	if text := o.Words(); !strings.Contains(text, d.ID) || !strings.Contains(text, "request r1") || !strings.Contains(text, "option option19") {
		t.Errorf("the text: %s", text)
	}
}

// TestQueuesByPage: each prompt is shown once, and one of them in whole.
// Proves: I10.2/bounded
func TestQueuesByPage(t *testing.T) {
	queue := large().Queue
	var seen []string
	for cursor := ""; ; {
		o := &promptsOutput{Total: len(queue), Prompts: []output.Prompt{}}
		if err := o.page(queue, cursor); err != nil {
			t.Fatal(err)
		}
		fits(t, "session_prompts", o)
		for _, p := range o.Prompts {
			seen = append(seen, p.PromptID)
		}
		if cursor = o.NextCursor; cursor == "" {
			break
		}
	}
	for i, id := range seen {
		if id != fmt.Sprint("p", i+1) {
			t.Fatalf("%v", seen)
		}
	}
	if len(seen) != len(queue) {
		t.Errorf("%d prompts of %d", len(seen), len(queue))
	}
	var text strings.Builder
	for more := true; more; {
		o := &promptsOutput{Prompts: []output.Prompt{}}
		if err := o.one(queue, &promptsInput{PromptID: "p7", From: text.Len()}); err != nil {
			t.Fatal(err)
		}
		fits(t, "one prompt", o)
		text.WriteString(o.Prompts[0].Text)
		more = o.HasMore
	}
	if text.String() != queue[6].Text {
		t.Errorf("%d bytes of a text of %d", text.Len(), len(queue[6].Text))
	}
}

// TestAgentsByPage: there may be any number of models.
// Proves: I10.2/bounded
func TestAgentsByPage(t *testing.T) {
	offers := session.Offers{KnownModels: true, KnownModes: true, Modes: []session.Choice{{ID: "plan"}}}
	for i := range 1500 {
		offers.Models = append(offers.Models, session.Choice{ID: fmt.Sprintf("provider/model-%d", i), Label: strings.Repeat("name ", 50)})
	}
	var list []supervisor.AgentInfo
	for _, name := range []string{"claude", "codex", "droid", "opencode", "pi"} {
		info := supervisor.AgentInfo{Name: name, Offers: offers}
		info.Installation.Program = "/x"
		list = append(list, info)
	}
	roots := []string{"/home/me", "/srv"}
	o := output.FirstThatFits(agentsView(list, roots, 30), agentsView(list, roots, 10), agentsView(list, roots, 3), agentsView(list, roots, 0))
	fits(t, "agent_list", o)
	if !o.HasMore || len(o.Agents) != 5 || len(o.Agents[0].Models) == 0 || o.Agents[0].ModelsTotal != 1500 || len(o.Agents[0].Modes) != 1 {
		t.Errorf("%+v", o)
	}
	seen := 0
	for cursor := ""; ; {
		o, err := oneAgent(&list[3], roots, cursor)
		if err != nil {
			t.Fatal(err)
		}
		fits(t, "agent_list of one", o)
		for _, m := range o.Agents[0].Models {
			if m.ID != offers.Models[seen].ID {
				t.Fatalf("model %d is %s", seen, m.ID)
			}
			seen++
		}
		if cursor = o.NextCursor; !o.HasMore {
			break
		}
	}
	if seen != 1500 {
		t.Errorf("%d models", seen)
	}
}

// TestJoinsAreShort, however many sessions there are and whatever each says and asks; each is still named, with what has become of it, and what
// is open in one alone can be answered.
// Proves: I10.2/bounded
func TestJoinsAreShort(t *testing.T) {
	long, d := strings.Repeat("é<&\n\"", 40_000), large()
	for _, n := range []int{1, 8, output.MaxFamily} {
		for name, requests := range map[string]int{"failed": 0, "asks": 1, "asks much": 40} {
			o := &join.Output{}
			for i := range n {
				o.Sessions = append(o.Sessions, join.SessionOutput{
					SessionID: fmt.Sprintf("0198c5a2-7d1e-7c3f-9a51-%012d", i), Title: output.Brief(d.Title, output.MaxLine), PromptID: "p1000", Resting: true, Status: "failed",
					State: "terminated", LastIndex: 100_000, Result: output.Result{Outcome: output.Failed, Text: long, Entry: "e1000", Error: long},
					Requests: output.RequestsOf(d.Requests[:requests]),
				})
			}
			o.Shorten()
			if text := o.Words(); output.SizeOf(o) > 18<<10 || len(text) > 18<<10 || output.SizeOf(o)+len(text) > 32<<10 {
				t.Errorf("session_join of %d, each of which %s: %d bytes of JSON, %d of text", n, name, output.SizeOf(o), len(text))
			}
			if len(o.Sessions) != n {
				t.Fatalf("%d sessions of %d", len(o.Sessions), n)
			}
			for i := range o.Sessions {
				x := &o.Sessions[i]
				if x.SessionID == "" || x.Outcome == "" || n < output.MaxFamily && x.Text == "" || x.Bytes != len(long) || x.Entry == "" || x.Error == "" ||
					len(x.Requests)+x.RequestsLeftOut != requests || n == 1 && requests == 1 && len(x.Requests[0].Options) != 20 {
					t.Fatalf("%d, %s: %+v", n, name, x)
				}
			}
		}
	}
}

// TestSummariesAreShort, whatever happened and whatever is asked.
// Proves: I10.2/bounded
func TestSummariesAreShort(t *testing.T) {
	long := strings.Repeat("é<&\n\"", 10_000)
	var v summary
	for i := range 20 {
		id := fmt.Sprint("t", i)
		v.apply(&protocol.Event{Payload: &protocol.TurnStart{TurnID: id, Prompt: &protocol.Prompt{PromptID: fmt.Sprint("p", i), Text: long}}})
		for k := range 60 {
			v.apply(&protocol.Event{Payload: &protocol.EntryEnd{TurnID: id, EntryType: protocol.EntryToolCall, Data: &protocol.ToolCallData{
				ToolName: fmt.Sprint(k, strings.Repeat("<tool>", 40)), Diff: fmt.Sprintf("+++ b/%d%s\n", k, strings.Repeat("<d>", 200)),
			}}})
		}
		v.apply(&protocol.Event{Payload: &protocol.EntryEnd{TurnID: id, EntryID: "e", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: long}}})
		v.apply(&protocol.Event{Payload: &protocol.EntryEnd{EntryType: protocol.EntrySystem, Data: &protocol.SystemData{Level: "error", Text: long}}})
		v.apply(&protocol.Event{Payload: &protocol.ChildSession{ChildSessionID: fmt.Sprintf("0198c5a2-7d1e-7c3f-9a51-%012d", i)}})
		v.apply(&protocol.Event{Payload: &protocol.TurnEnd{TurnID: id, Status: protocol.TurnError, Error: long}})
	}
	o := &summaryOutput{SessionID: "s", Requests: output.RequestsOf(large().Requests)}
	o.take(&v)
	fits(t, "session_summary", o)
	last := o.Turns[len(o.Turns)-1]
	if len(o.Turns) != maxTurns || last.TurnID != "t19" || last.Text == "" || last.Error == "" || len(last.Tools) == 0 || len(o.Files) == 0 || len(o.Requests) == 0 ||
		len(o.Requests)+o.RequestsLeftOut != 100 {
		t.Errorf("%+v", o)
	}
}

// stuck is a backend whose sessions have ended and cannot be removed.
type stuck struct{ Backend }

func (stuck) List(context.Context, supervisor.Query) (page supervisor.Page, err error) {
	for i := range maxCleanup {
		page.Sessions = append(page.Sessions, session.Summary{ID: fmt.Sprintf("0198c5a2-7d1e-7c3f-9a51-%012d", i)})
	}
	return page, nil
}

func (stuck) DeleteListed(context.Context, *session.Summary) error {
	return protocol.NewProblem(protocol.CodeConflict, strings.Repeat("é<&\n\"", 100), "Ask again.")
}

// TestCleanupsAreShort, also where nothing can be removed.
// Proves: I10.2/bounded
func TestCleanupsAreShort(t *testing.T) {
	s := &sessions{backend: stuck{}, tell: problem.NewTeller(zap.NewNop()), now: time.Now}
	o, err := s.cleanup(access.With(t.Context(), access.Root), nil, &cleanupInput{MaxAgeHours: new(0.0)})
	if err != nil || len(o.Failed) != maxCleanup {
		t.Fatalf("%v %+v", err, o)
	}
	fits(t, "session_cleanup", o)
}
