package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestVocabulary(t *testing.T) {
	all := vocabulary()
	if len(all) > 35 {
		t.Errorf("%d verbs: a vocabulary of more than 35 is no longer one that a reader knows", len(all))
	}
	doc, err := readDoc()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		first, _, _ := strings.Cut(v.form, " [")
		if !strings.Contains(doc, first) {
			t.Errorf("doc.go does not explain %q", v.form)
		}
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, steps, form string
		args              args
		wrong             string
	}{
		{name: "optional part", steps: "given session s1", form: "session NAME [agent AGENT] [with FILE]", args: args{"NAME": "s1"}},
		{name: "optional part there", steps: "given session s1 agent pi", form: "session NAME [agent AGENT] [with FILE]", args: args{"NAME": "s1", "AGENT": "pi"}},
		{name: "second optional part alone", steps: "when prompt s1 x key k", form: "prompt SESSION TEXT [steer] [follow-up] [key KEY] [by CLIENT]", args: args{"TEXT": "x", "KEY": "k"}},
		{name: "quoted", steps: `when prompt s1 "two \"words\""`, form: "prompt SESSION TEXT [steer] [follow-up] [key KEY] [by CLIENT]", args: args{"TEXT": `two "words"`}},
		{name: "a quoted word is no literal", steps: `when prompt s1 x "steer"`, wrong: "did you mean"},
		{name: "and repeats", steps: "then s1 is idle\nand s1 is failed", form: "SESSION is STATE", args: args{"STATE": "failed"}},
		{name: "answer as a check", steps: "then answer is 200 a.txt", form: "answer is CODE [FILE]", args: args{"CODE": "200", "FILE": "a.txt"}},
		{name: "answer as an action", steps: "when answer s1 r1 a.json", form: "answer SESSION REQUEST FILE", args: args{"REQUEST": "r1"}},
		{name: "check as a precondition", steps: "given s1 is idle", form: "SESSION is STATE", args: args{"SESSION": "s1"}},
		{name: "check as an action", steps: "when s1 is idle", wrong: "cannot stand under"},
		{name: "action as a check", steps: "then interrupt s1", wrong: "cannot stand under"},
		{name: "typing error", steps: "when deamon restarts", wrong: "daemon restarts"},
		{name: "too many words", steps: "when daemon restarts now", wrong: "did you mean"},
		{name: "too few words", steps: "then log s1 equals", wrong: "log SESSION [since CURSOR] equals FILE"},
		{name: "no keyword", steps: "session s1", wrong: "given, when, then"},
		{name: "and first", steps: "and session s1", wrong: "cannot begin with and"},
		{name: "open quote", steps: `given session "s1`, wrong: "no end"},
		{name: "nothing", steps: "# only a comment", wrong: "no steps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps, err := parseSteps(c.steps)
			var v *verb
			var a args
			if err == nil {
				v, a, err = find(vocabulary(), steps[len(steps)-1])
			}
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Fatalf("error %v, want one with %q", err, c.wrong)
				}
				return
			}
			if err != nil || v.form != c.form {
				t.Fatalf("%v, %v, want %s", v, err, c.form)
			}
			for k, want := range c.args {
				if a[k] != want {
					t.Errorf("%s = %q, want %q", k, a[k], want)
				}
			}
		})
	}
}

func TestHead(t *testing.T) {
	for text, wrong := range map[string]string{
		"Requirement: A\nScenario: B\nSpec: C\n":               "",
		"Requirement: A\nScenario: B\nSpec: C\nprocess: yes\n": "",
		"Requirement: A\nScenario: B\n":                        "are needed",
		"Requirement: A\nScenario: B\nSpec: C\nproces: yes\n":  "unknown key",
		"words\n": "want KEY: VALUE",
	} {
		_, err := parseHead(text)
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", text, err, wrong)
		}
	}
}

// TestCheckLog breaks a good log in every way that the check at the end of each scenario must notice.
// Proves: 002.4.1/start
func TestCheckLog(t *testing.T) {
	good := func() []protocol.Event {
		data := &protocol.MessageData{Role: "assistant", Text: "Hi"}
		payloads := []protocol.Payload{
			&protocol.SessionStart{SessionID: "s"},
			&protocol.PromptQueued{PromptID: "p1"},
			&protocol.PromptRemoved{PromptID: "p1", Reason: protocol.RemovedDispatched},
			&protocol.TurnStart{TurnID: "t1"},
			&protocol.EntryStart{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: data},
			&protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: "Hi"}},
			&protocol.RequestOpened{RequestID: "r1"},
			&protocol.RequestResolved{RequestID: "r1"},
			&protocol.EntryEnd{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: data},
			&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnCompleted},
			&protocol.Status{State: protocol.StateIdle, AgentStatus: protocol.AgentIdle},
			&protocol.SessionEnd{Reason: protocol.EndTerminated},
		}
		events := make([]protocol.Event, len(payloads))
		for i, p := range payloads {
			events[i] = protocol.Event{Seq: uint64(i) + 1, Time: int64(i), Payload: p}
		}
		return events
	}
	if problems := checkLog(good()); len(problems) > 0 {
		t.Fatalf("the good log: %v", problems)
	}
	without := func(t protocol.Type) func([]protocol.Event) []protocol.Event {
		return func(e []protocol.Event) []protocol.Event {
			e = slices.DeleteFunc(e, func(e protocol.Event) bool { return e.Payload.Type() == t })
			return renumber(e)
		}
	}
	twice := func(t protocol.Type) func([]protocol.Event) []protocol.Event {
		return func(e []protocol.Event) []protocol.Event {
			i := slices.IndexFunc(e, func(e protocol.Event) bool { return e.Payload.Type() == t })
			return renumber(slices.Insert(e, i+1, e[i]))
		}
	}
	for name, breakIt := range map[string]func([]protocol.Event) []protocol.Event{
		"gap":                 func(e []protocol.Event) []protocol.Event { return slices.Delete(e, 3, 4) },
		"time goes back":      func(e []protocol.Event) []protocol.Event { e[5].Time = 0; return e },
		"no session_start":    without(protocol.TypeSessionStart),
		"two session_starts":  twice(protocol.TypeSessionStart),
		"entry without start": without(protocol.TypeEntryStart),
		"entry without end":   without(protocol.TypeEntryEnd),
		"entry ends twice":    twice(protocol.TypeEntryEnd),
		"entry starts twice":  twice(protocol.TypeEntryStart),
		"turn without start":  without(protocol.TypeTurnStart),
		"turn without end":    without(protocol.TypeTurnEnd),
		"turn ends twice":     twice(protocol.TypeTurnEnd),
		"request open":        without(protocol.TypeRequestResolved),
		"request resolved 2x": twice(protocol.TypeRequestResolved),
		"prompt removed 2x":   twice(protocol.TypePromptRemoved),
		"after the end":       twice(protocol.TypeSessionEnd),
		"projection": func(e []protocol.Event) []protocol.Event {
			e[10].Payload = &protocol.Status{State: protocol.StateIdle, AgentStatus: protocol.AgentResponding}
			return e
		},
		"end without data": func(e []protocol.Event) []protocol.Event {
			e[8].Payload = &protocol.EntryEnd{EntryID: "e1"}
			return e
		},
		"delta after end": func(e []protocol.Event) []protocol.Event { e[5], e[8] = e[8], e[5]; return renumber(e) },
		"foreign turn": func(e []protocol.Event) []protocol.Event {
			e[4].Payload = &protocol.EntryStart{TurnID: "t7", EntryID: "e1"}
			return e
		},
	} {
		if problems := checkLog(breakIt(good())); len(problems) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func renumber(events []protocol.Event) []protocol.Event {
	for i := range events {
		events[i].Seq, events[i].Time = uint64(i)+1, int64(i)
	}
	return events
}

// TestStreamChecks shows a reader what a server must never send.
// Proves: C10, T04
func TestStreamChecks(t *testing.T) {
	event := func(seq string) protocol.SSEFrame {
		return protocol.SSEFrame{ID: seq, Data: []byte(`{"seq":` + seq + `,"ts":1,"type":"turn_start","turnId":"t1"}`)}
	}
	changed := protocol.SSEFrame{ID: "1", Data: []byte(`{"seq":1,"ts":1,"type":"turn_start","turnId":"t2"}`)}
	for name, c := range map[string]struct {
		frames []protocol.SSEFrame
		wrong  int
	}{
		"good":               {[]protocol.SSEFrame{event("1"), event("2"), {ID: "2", Data: []byte(`{"type":"heartbeat","seq":2,"ts":1}`)}}, 0},
		"gap":                {[]protocol.SSEFrame{event("1"), event("3")}, 1},
		"doubled":            {[]protocol.SSEFrame{event("1"), event("1")}, 1},
		"changed":            {[]protocol.SSEFrame{event("1"), changed}, 2},
		"foreign id":         {[]protocol.SSEFrame{{ID: "7", Data: event("1").Data}}, 1},
		"heartbeat too far":  {[]protocol.SSEFrame{event("1"), {ID: "9", Data: []byte(`{"type":"heartbeat","seq":9,"ts":1}`)}}, 1},
		"no message":         {[]protocol.SSEFrame{{ID: "1", Data: []byte(`{}`)}}, 1},
		"reset starts anew":  {[]protocol.SSEFrame{event("1"), {Data: []byte(`{"type":"reset","epoch":2,"oldest":1,"newest":1}`)}, changed}, 0},
		"reset and then gap": {[]protocol.SSEFrame{{Data: []byte(`{"type":"reset","epoch":2,"oldest":1,"newest":1}`)}, event("2")}, 1},
	} {
		s := (&world{}).newStream("s1")
		for _, f := range c.frames {
			s.take(f)
		}
		if len(s.wrong) != c.wrong {
			t.Errorf("%s: %d complaints, want %d: %v", name, len(s.wrong), c.wrong, s.wrong)
		}
	}
}

func TestTimeless(t *testing.T) {
	a := []byte("{\"seq\":7,\"ts\":5,\"type\":\"status\"}\n{\"seq\":8,\"ts\":5,\"type\":\"entry_meta\",\"entryId\":\"e1\"}\n# 204\n")
	b := []byte("{\"seq\":6,\"ts\":9,\"type\":\"status\"}\n# 204\n")
	if string(timeless(a)) != string(timeless(b)) || countLines(a) != 2 {
		t.Errorf("%s and %s differ", timeless(a), timeless(b))
	}
	item := func(kind, text, entry string) string {
		return fmt.Sprintf(`{"index":2,"type":%q,"text":%q,"role":"assistant","seq":3,"entry_id":%q,"entry_seq":2}`+"\n", kind, text, entry)
	}
	quick := item("delta", "a", "e1") + item("delta", "b", "e1") + item("message", "ab", "e1") + item("message", "c", "e2")
	slow := item("delta", "a", "e1") + item("message", "ab", "e1") + item("delta", "c", "e2") + item("message", "ab", "e1") + item("message", "c", "e2")
	if want := item("message", "ab", "e1") + item("message", "c", "e2"); string(timeless([]byte(quick))) != string(timeless([]byte(want))) || string(timeless([]byte(slow))) != string(timeless([]byte(want))) {
		t.Errorf("%s and %s are not what the messages have become", timeless([]byte(quick)), timeless([]byte(slow)))
	}
	if string(timeless([]byte(`{"seq":1,"type":"a"}`))) == string(timeless([]byte(`{"seq":1,"type":"b"}`))) {
		t.Error("what differs became equal")
	}
}

func TestShortened(t *testing.T) {
	if got := string(shortened([]byte("a" + strings.Repeat("x", 600) + "bb"))); got != "ax{600}bb" {
		t.Error(got)
	}
}
