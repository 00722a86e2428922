package core

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// words are a command's arguments: those without a name in order, the others by their names. A word with a blank in it stands in double quotes.
type words struct {
	s     *script
	plain []string
	named map[string]string
}

func (s *script) words(line string) words {
	w := words{s: s, named: map[string]string{}}
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		end := strings.IndexAny(line, " \"")
		if end < 0 {
			end = len(line)
		}
		word := line[:end]
		if line = line[end:]; strings.HasPrefix(line, `"`) {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				s.t.Fatalf("%s: %v", line, err)
			}
			line = line[len(quoted):]
			text, _ := strconv.Unquote(quoted)
			word += text
		}
		if name, value, ok := strings.Cut(word, "="); ok {
			w.named[name] = value
		} else {
			w.plain = append(w.plain, word)
		}
	}
	return w
}

func (w words) at(i int) string {
	if i >= len(w.plain) {
		w.s.t.Fatalf("a word is missing behind %q", w.plain)
	}
	return w.plain[i]
}

func (w words) number(text string) int {
	n, err := strconv.Atoi(cmp.Or(text, "0"))
	if err != nil {
		w.s.t.Fatal(err)
	}
	return n
}

func (w words) has(word string) bool { return slices.Contains(w.plain, word) }

// givens are what comes before many a transcript.
var givens = map[string]string{
	"ready":  "begin start\nstarted\nagent: ready",
	"a turn": "begin start\nstarted\nagent: ready\nprompt \"Hello\"\nagent: took p1 started; began",
}

// adapter is where commands go that nobody carries out.
var adapter nowhere

type nowhere struct{}

func (nowhere) Valid() bool { return true }

// command carries out a line.
func (s *script) command(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	if verb == "agent:" {
		s.agent(rest)
		return
	}
	w := s.words(rest)
	switch verb {
	case "given":
		s.silent = true
		for line := range strings.SplitSeq(givens[rest], "\n") {
			s.command(line)
		}
		s.silent = false
	case "limits":
		s.limit(w)
	case "begin":
		s.begin(w)
	case "started":
		s.step(&AgentStarted{Incarnation: s.incarnation, Adapter: adapter, WithoutMCP: w.has("without-mcp")})
	case "exit":
		exit := adapters.Exit{Code: w.number(w.named["code"]), Signal: w.named["signal"], Error: w.named["error"], Requested: w.has("requested"), Held: w.has("held")}
		if text := w.named["stderr"]; text != "" {
			exit.Stderr = []string{text}
		}
		s.batch++
		s.step(&Batch{Incarnation: s.incarnation, Number: s.batch, Exit: &exit})
	case "wait":
		d, err := time.ParseDuration(w.at(0))
		if err != nil {
			s.t.Fatal(err)
		}
		s.now += d.Milliseconds()
	case "restart": // of the daemon
		s.replay()
		s.step(&Recover{Resume: w.has("resume"), Reason: "daemon restarted", Epoch: s.core.epochs.Newest() + 1, Incarnation: s.incarnation})
	case "rejoin": // of another actor with the agent that runs
		s.replay()
		s.step(&Rejoin{Incarnation: s.incarnation, Adapter: adapter, Batch: s.batch})
	case "overdue":
		s.overdue(w)
	case "above": // limits of trees: the mark of one, where there is a word
		var marks []protocol.BudgetMark
		if len(w.plain) > 0 && w.at(0) != "cost" {
			marks = []protocol.BudgetMark{{
				Scope: protocol.ScopeTree, Of: "root", Limit: protocol.LimitTokens, State: protocol.BudgetState(w.at(0)), Spent: 120, Max: 100,
				Action: protocol.BudgetAction(w.named["action"]),
			}}
		}
		s.step(&BudgetMarks{Marks: marks, Cost: w.has("cost")})
	case "go-on":
		s.step(&GoOn{})
	default:
		s.ask(verb, w)
	}
}

func (s *script) limit(w words) {
	for name, value := range w.named {
		switch name {
		case "queue":
			s.limits.Queue = w.number(value)
		case "restarts":
			s.limits.Restarts = w.number(value)
		case "resumable":
			s.limits.Resumable = value == "true"
		case "lost":
			s.limits.LostTurn = protocol.TurnStatus(value)
		default:
			s.t.Fatalf("limits: %s", name)
		}
	}
}

func (s *script) begin(w words) {
	s.core = New("s1", &s.limits)
	meta := protocol.Metadata{Cwd: cmp.Or(w.named["cwd"], "/work"), Title: w.named["title"], SubAgent: w.has("sub-agent"), Spawned: w.has("spawned"), ParentSessionID: w.named["parent"]}
	if mode := w.named["policy"]; mode != "" {
		meta.Policy = &protocol.Policy{Mode: protocol.PolicyMode(mode), Deadline: int64(w.number(w.named["deadline"])), Default: protocol.PolicyAction(w.named["default"])}
	}
	s.step(&Begin{Agent: "pi", Metadata: meta, Start: w.has("start"), NativeID: w.named["native"], Mode: w.named["mode"]})
}

// replay makes a new core of the log.
func (s *script) replay() {
	s.core = New("s1", &s.limits)
	for i := range s.log {
		s.core.Replay(&s.log[i])
	}
}

func (s *script) overdue(w words) {
	switch what := w.at(0); what {
	case "start":
		s.step(&StartOverdue{Incarnation: s.incarnation})
	case "interrupt":
		s.step(&InterruptOverdue{TurnID: w.at(1)})
	case "request":
		s.step(&RequestOverdue{RequestID: w.at(1)})
	case "stall":
		s.step(&StallOverdue{})
	case "setting":
		s.step(&SettingOverdue{ID: w.at(1)})
	case "budget":
		s.step(&BudgetDue{})
	default:
		s.t.Fatalf("overdue %s", what)
	}
}

// ask puts a client's, the supervisor's or another session's question.
func (s *script) ask(verb string, w words) {
	switch verb {
	case "prompt":
		in := &SendPrompt{IdempotencyKey: w.named["key"]}
		in.Prompt = NewPrompt{Text: w.at(0), Notify: w.named["notify"], Behavior: protocol.Behavior(w.named["as"])}
		s.step(in)
	case "cancel":
		in := &CancelPrompt{PromptID: w.at(0)}
		s.step(in)
	case "move":
		in := &MovePrompt{PromptID: w.at(0), Before: w.named["before"], Position: w.number(w.named["to"])}
		s.step(in)
	case "interrupt":
		in := &Interrupt{By: cmp.Or(w.named["by"], "client:ann"), TurnID: w.named["turn"]}
		s.step(in)
	case "answer":
		in := &Resolve{RequestID: w.at(0), Outcome: protocol.Outcome(w.at(1)), Option: w.named["option"], By: cmp.Or(w.named["by"], "client:ann")}
		if text, ok := w.named["text"]; ok {
			in.Answers = [][]string{{text}}
		}
		s.step(in)
	case "budget":
		s.step(&SetBudget{Budget: w.budget()})
	case "change":
		in := &Change{}
		if title, ok := w.named["title"]; ok {
			in.Title = &title
		}
		if mode, ok := w.named["policy"]; ok {
			m := protocol.PolicyMode(mode)
			in.Policy = &PolicyPatch{Mode: &m}
		}
		if label, ok := w.named["label"]; ok {
			in.Labels = map[string]*string{"label": &label}
		}
		s.step(in)
	case "choose":
		in := &Choose{Setting: Setting(w.at(0)), Value: w.at(1), When: When(w.named["when"])}
		s.step(in)
	case "end":
		in := &End{Reason: w.named["reason"], By: w.named["by"]}
		s.step(in)
	case "park":
		in := &Park{Drain: w.has("drain")}
		s.step(in)
	default:
		s.family(verb, w)
	}
}

// budget is that of "tokens=N work=MS turns=N cost=MICROS action=WORD".
func (w words) budget() *protocol.Budget {
	l := protocol.Limits{Tokens: int64(w.number(w.named["tokens"])), WorkMs: int64(w.number(w.named["work"])), Turns: int64(w.number(w.named["turns"])), CostMicros: int64(w.number(w.named["cost"]))}
	b := &protocol.Budget{Session: &l, Action: protocol.BudgetAction(w.named["action"])}
	if len(w.named) == 0 {
		b.Session = nil
	}
	return b
}

// family takes what other sessions say.
func (s *script) family(verb string, w words) {
	switch verb {
	case "child-asks":
		s.step(&ChildAsks{ChildID: w.at(0), Request: protocol.RequestOpened{RequestID: w.at(1), Kind: protocol.RequestApproval, Title: w.named["title"]}, Apart: w.has("apart")})
	case "child-resolved":
		s.step(&ChildResolved{ChildID: w.at(0), Resolved: protocol.RequestResolved{RequestID: w.at(1), Outcome: protocol.Outcome(w.at(2)), By: "client:ann"}})
	case "child-spawned":
		s.step(&ChildSpawned{ChildID: w.at(0), Title: w.named["title"]})
	case "child-gone":
		s.step(&ChildGone{ChildID: w.at(0)})
	case "child-news":
		s.step(&ChildNews{ChildID: w.at(0), TurnID: w.named["turn"], TurnStatus: protocol.TurnStatus(w.named["status"]), Ended: protocol.EndReason(w.named["ended"])})
	case "prompt-settled":
		s.step(&PromptSettled{SessionID: w.at(0), PromptID: w.at(1), TurnID: w.named["turn"], Status: protocol.TurnStatus(w.named["status"]), Title: w.named["title"], Answer: w.named["answer"], Bytes: len(w.named["answer"])})
	case "adopt":
		s.step(&Adopt{})
	case "tell-root":
		s.step(&TellRoot{})
	default:
		s.t.Fatalf("no such command: %s", verb)
	}
}

// agent takes one batch: what the agent said, separated by semicolons.
func (s *script) agent(rest string) {
	var drafts []adapters.Draft
	for part := range strings.SplitSeq(rest, ";") {
		verb, args, _ := strings.Cut(strings.TrimSpace(part), " ")
		drafts = append(drafts, s.draft(verb, s.words(args)))
	}
	s.batch++
	s.step(&Batch{Incarnation: s.incarnation, Number: s.batch, Drafts: drafts})
}

func (s *script) draft(verb string, w words) adapters.Draft {
	switch verb {
	case "ready":
		return adapters.Ready{NativeSessionID: cmp.Or(w.named["native"], "n1"), Model: w.named["model"], Mode: w.named["mode"], Version: w.named["version"]}
	case "began":
		if len(w.plain) > 0 {
			return adapters.TurnBegan{Prompt: &protocol.Prompt{Text: w.at(0)}}
		}
		return adapters.TurnBegan{}
	case "ended":
		d := adapters.TurnEnded{Status: protocol.TurnStatus(w.at(0)), Error: w.named["error"], Lost: w.has("lost")}
		if key := w.named["running"]; key != "" {
			d.Running = []adapters.EntryKey{adapters.EntryKey(w.number(key))}
		}
		return d
	case "phase":
		return adapters.PhaseChanged{State: protocol.State(w.at(0)), RetryAt: int64(w.number(w.named["in"]))}
	case "took":
		return adapters.PromptAnswered{ID: w.at(0), Result: map[string]adapters.PromptResult{
			"started": adapters.PromptStarted, "queued": adapters.PromptQueued, "handled": adapters.PromptHandled, "refused": adapters.PromptRefused,
		}[w.at(1)], Error: w.named["error"]}
	case "set":
		return adapters.SettingAnswered{ID: w.at(0), Result: map[string]adapters.SettingResult{
			"now": adapters.SettingNow, "next": adapters.SettingNextTurn, "refused": adapters.SettingRefused,
		}[w.at(1)], Error: w.named["error"]}
	case "asks":
		d := adapters.RequestOpened{Key: adapters.RequestKey(w.number(w.at(0))), Entry: adapters.EntryKey(w.number(w.named["entry"])), Within: int64(w.number(w.named["within"]))}
		d.Request = protocol.RequestOpened{Kind: protocol.RequestKind(w.at(1)), Title: w.named["title"], ToolName: w.named["tool"], Subject: w.named["subject"]}
		if d.Request.Kind == protocol.RequestApproval {
			d.Request.Options = []protocol.Option{{ID: "allow_once"}, {ID: "deny"}, {ID: "deny_stop"}}
		}
		return d
	case "withdraws":
		return adapters.RequestClosed{Key: adapters.RequestKey(w.number(w.at(0))), Outcome: protocol.Outcome(w.at(1))}
	case "child":
		return adapters.ChildBegan{NativeID: w.at(0), Entry: adapters.EntryKey(w.number(w.named["entry"])), Title: w.named["title"]}
	case "used":
		return adapters.Used{Usage: protocol.TokenUsage{Model: w.named["model"], Usage: protocol.Usage{InputTokens: int64(w.number(w.at(0))), OutputTokens: int64(w.number(w.at(1))), TotalTokens: int64(w.number(w.at(0)) + w.number(w.at(1)))}}}
	case "titled":
		title := w.at(0)
		return adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &title}}
	case "notice":
		return adapters.Notice{Level: "warning", Kind: w.at(0), Text: w.at(1)}
	case "holds": // of prompts that steer
		d := adapters.NativeQueue{}
		if text := w.named["steer"]; text != "" {
			d.Steering = []string{text}
		}
		return d
	case "offers":
		return adapters.Offered{Models: []adapters.Choice{{ID: "small"}, {ID: "large"}}, Modes: []adapters.Choice{{ID: "low"}, {ID: "high"}}, AllModels: true}
	default:
		return s.entry(verb, w)
	}
}

// entry is a draft about an entry: a text of the agent's, or a tool call.
func (s *script) entry(verb string, w words) adapters.Draft {
	key := adapters.EntryKey(w.number(w.at(0)))
	switch verb {
	case "writes":
		return adapters.EntryOpened{Key: key, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}, PersistentID: w.named["id"]}
	case "text":
		return adapters.EntryChanged{Key: key, Delta: &protocol.TextAppend{Text: w.at(1)}}
	case "wrote":
		return adapters.EntryClosed{Key: key, Data: &protocol.MessageData{Role: "assistant", Text: w.at(1)}}
	case "calls":
		return adapters.EntryOpened{Key: key, Type: protocol.EntryToolCall, Data: &protocol.ToolCallData{ToolName: w.at(1), CallID: fmt.Sprint("c", key), Status: protocol.ToolRunning}}
	case "called":
		return adapters.EntryClosed{Key: key, Data: &protocol.ToolCallData{ToolName: w.at(1), CallID: fmt.Sprint("c", key), Status: protocol.ToolCompleted, Output: w.named["output"]}}
	default:
		s.t.Fatalf("an agent says no %s", verb)
		return nil
	}
}
