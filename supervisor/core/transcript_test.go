package core

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// TestTranscripts plays the files of testdata/transcripts: lines of inputs, each followed by what the core decides. Effects stand behind ">", answers
// behind "=" with the number of the question. A line that begins with "#" says what the file is about; "given" plays a line without showing what is
// decided. -update writes the files anew.
// Proves: I12/supervisor, I13.11/owners, I13.11/unpriced, I15.2/age
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if bytes.Equal(got, want) {
				return
			}
			if *update {
				err = os.WriteFile(file, got, 0o600)
			} else {
				err = fmt.Errorf("got\n%s", got)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// script plays one file.
type script struct {
	t      *testing.T
	out    bytes.Buffer
	core   *State
	cfg    Config
	left   []Found
	now    time.Time
	ticket Ticket
	next   string // id of the session that is made next
	silent bool
	over   map[string]bool // sessions of other nodes
}

// play gives the file as it should be: its inputs, and what the core decides now.
func play(t *testing.T, text string) []byte {
	s := newScript(t)
	s.play(text)
	return s.out.Bytes()
}

func newScript(t *testing.T) *script {
	s := &script{t: t, over: map[string]bool{}, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	s.cfg = Config{
		Agents: map[string]adapters.Capabilities{"pi": {Resume: true}, "codex": {Resume: true, MCP: true, Modes: true}},
		Roots:  []string{"/work"}, Durability: DurableInterval, Boot: "b1",
		MaxSessions: 10, MaxChildren: 4, SpawnDepth: 2, SpawnLimit: 3, PassiveAge: 15 * time.Minute, StopGrace: 5 * time.Second,
		NewID: func() string { return s.next }, Rand: func(n int64) int64 { return n / 2 },
	}
	return s
}

func (s *script) play(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == "":
			s.out.WriteByte('\n')
		case strings.HasPrefix(line, "#"):
			fmt.Fprintln(&s.out, line)
		case strings.HasPrefix(line, " "): // what was decided the last time
		default:
			fmt.Fprintln(&s.out, line)
			line, s.silent = strings.CutPrefix(line, "given ")
			s.line(line)
		}
	}
}

// step gives the core an input and shows what it decides.
func (s *script) step(in Input) {
	if s.core == nil {
		s.t.Fatal("there is no core: boot")
	}
	s.core.Step(s.now, in)
	for _, e := range s.core.Decided() {
		if !s.silent {
			fmt.Fprintf(&s.out, "    %s\n", shown(e))
		}
	}
}

// words are a command's arguments: those without a name in order, the others by their names.
type words struct {
	s     *script
	plain []string
	named map[string]string
}

func (s *script) words(rest string) words {
	w := words{s: s, named: map[string]string{}}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		word := rest
		if name, text, ok := strings.Cut(rest, `="`); ok && !strings.Contains(name, " ") {
			value, behind, _ := strings.Cut(text, `"`)
			w.named[name], rest = value, behind
			continue
		}
		word, rest, _ = strings.Cut(word, " ")
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

func (w words) duration(text string) time.Duration {
	d, err := time.ParseDuration(cmp.Or(text, "0s"))
	if err != nil {
		w.s.t.Fatal(err)
	}
	return d
}

func (w words) has(word string) bool { return slices.Contains(w.plain, word) }

func (w words) err() error {
	if text := w.named["error"]; text != "" {
		return errors.New(text)
	}
	return nil
}

// asks gives the ticket of the next question.
func (s *script) asks() Ticket {
	s.ticket++
	return s.ticket
}

// line carries out a line that has to do with the daemon as a whole, or with questions.
func (s *script) line(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	w := s.words(rest)
	switch verb {
	case "limits":
		s.limit(w)
	case "left":
		s.left = append(s.left, w.found())
	case "past":
		var l budget.Line
		if err := json.Unmarshal([]byte(rest), &l); err != nil {
			s.t.Fatal(err)
		}
		if s.cfg.Past == nil {
			s.cfg.Past = budget.NewPast()
		}
		s.cfg.Past.Take(&l)
	case "owner":
		in := &SetOwnerBudget{Ticket: s.asks(), Budget: budget.Tenant{Owner: w.at(0), Action: protocol.BudgetAction(w.named["action"])}, Anew: w.has("anew")}
		if !w.has("none") {
			in.Budget.Limits = &protocol.Limits{Tokens: int64(w.number(w.named["tokens"])), Children: int64(w.number(w.named["children"])), WorkMs: int64(w.number(w.named["work"]))}
		}
		s.step(in)
	case "boot":
		s.core = New(s.cfg, s.left)
		s.core.Decided()
		s.step(&Begin{Hold: w.has("hold")})
	case "program":
		s.step(&AgentFound{Agent: w.at(0), Installation: adapters.Installation{Program: w.named["path"], Problem: w.named["problem"]}, At: s.now})
	case "wait":
		s.now = s.now.Add(w.duration(w.at(0)))
	case "create":
		s.next = w.at(0)
		s.step(&Create{Ticket: s.asks(), Session: w.wanted(), Place: workdir.Place{Cwd: w.cwd()}, Bound: w.bound()})
	case "claim":
		s.step(&Claim{Ticket: s.asks(), Session: w.wanted(), ID: w.at(0), Bound: w.bound()})
	case "find":
		s.step(&Find{Ticket: s.asks(), ID: w.at(0)})
	case "delete":
		in := &Delete{Ticket: s.asks(), ID: w.at(0)}
		if seq := w.named["listed"]; seq != "" {
			in.Listed = &Cursor{Epoch: 1, Seq: uint64(w.number(seq))}
		}
		s.step(in)
	case "root":
		s.step(&AddRoot{Ticket: s.asks(), Folder: w.plain})
	case "agents":
		s.step(&ListAgents{Ticket: s.asks()})
	case "retain":
		s.step(&Retain{})
	case "collect":
		s.step(&Collect{Ticket: s.asks()})
	case "measured":
		s.step(w.measured())
	case "drain":
		s.step(&Drain{Ticket: s.asks()})
	case "proven":
		s.step(&Proven{w.plain})
	case "corrected":
		in := &Corrected{ID: w.at(0)}
		if !w.has("gone") {
			f := w.found()
			in.Found = &f
		}
		s.step(in)
	case "look":
		s.step(&OnceProven{Ticket: s.asks(), ID: w.at(0)})
	case "arrived":
		f := w.found()
		f.Lost = w.has("lost")
		f.Came = &budget.Came{Before: budget.UseOf(&f.Summary.Spent, 0)} // as record.Arrive has it
		if f.Past != nil {
			f.Came.Past = *f.Past
		}
		s.step(&Arrived{s.asks(), f})
	case "over":
		s.step(&Over{w.plain})
	case "sure", "unsure":
		s.step(&Confirm{verb == "sure"})
	case "take-up":
		s.step(&TakeUp{})
	case "look-at-budgets":
		s.step(&LookedAtBudgets{})
	case "sweep":
		s.step(&Sweep{})
	case "overdue":
		s.step(&Overdue{})
	default:
		s.session(verb, w)
	}
}

// session carries out a line about one session.
func (s *script) session(verb string, w words) {
	id := w.at(0)
	switch verb {
	case "announce":
		s.step(&Announced{w.announced()})
	case "start":
		s.step(&StartAgent{id, w.start()})
	case "due":
		s.step(&Due{id, w.start()})
	case "cancel":
		s.step(&CancelStart{id, uint32(w.number(w.at(1)))})
	case "launched":
		s.step(&Launched{ID: id, Incarnation: uint32(w.number(w.at(1))), Err: w.err(), Held: w.has("held"), Roots: len(s.core.roots) - w.number(w.named["roots-since"])})
	case "process-gone":
		s.step(&ProcessGone{id})
	case "adapter-ended":
		s.step(&AdapterEnded{id, uint32(w.number(w.at(1)))})
	case "actor-ended":
		s.step(&ActorEnded{ID: id, Life: s.core.members.byID[id].life, Settled: uint64(w.number(w.named["settled"]))})
	case "opened":
		s.step(&Opened{id, w.has("damaged")})
	case "unmade":
		s.step(&Unmade{ID: id, Foreign: w.has("foreign"), Err: w.err()})
	case "parked":
		s.step(&Parked{ID: id, Life: s.core.members.byID[id].life, Yes: w.at(1) == "yes"})
	case "ended":
		s.step(&Ended{id, w.err()})
	case "removed":
		s.step(&Removed{id, w.at(1) == "yes"})
	case "pin", "unpin":
		s.step(&Pin{Ticket: s.asks(), ID: id, Pinned: verb == "pin"})
	case "dropped":
		s.step(&Dropped{id, w.at(1) == "yes"})
	case "seal":
		s.step(&Seal{s.asks(), id})
	case "unseal":
		s.step(&Unseal{id})
	case "withdraw":
		s.step(&Withdraw{s.asks(), id, w.at(1)})
	case "revive":
		s.step(&Revive{id})
	case "reopen":
		s.step(&Reopen{id, uint64(w.number(w.named["newest"]))})
	case "adopt":
		s.step(&AdoptChild{id, session.AdoptChild{ChildID: w.at(1), NativeID: "n-" + w.at(1), Again: w.has("again")}, w.has("unclaimed")})
	case "asks":
		s.step(&ToRoot{id, &session.ChildAsks{ChildID: id}})
	case "news":
		s.step(&ToSession{w.at(1), Letter{Input: &session.ChildNews{ChildID: id}, Ticket: s.asks()}})
	case "question":
		s.step(&ToSession{id, Letter{Ticket: s.asks()}})
	default:
		s.t.Fatalf("%s: no such line", verb)
	}
}

func (s *script) limit(w words) {
	if w.has("others") {
		s.cfg.Over = func(id string) bool { return s.over[id] }
	}
	for name, value := range w.named {
		switch name {
		case "over":
			s.over[value] = true
		case "sessions":
			s.cfg.MaxSessions = w.number(value)
		case "children":
			s.cfg.MaxChildren = w.number(value)
		case "moves":
			s.cfg.Moves = func(sum *session.Summary) bool { return sum.Cwd == value }
		case "spawn-depth":
			s.cfg.SpawnDepth = w.number(value)
		case "spawned":
			s.cfg.SpawnLimit = w.number(value)
		case "keep-for":
			s.cfg.Keep.For = w.duration(value)
		case "keep-bytes":
			s.cfg.Keep.Bytes = int64(w.number(value))
		case "keep-free":
			s.cfg.Keep.Free = int64(w.number(value))
		case "durability":
			s.cfg.Durability = Durability(value)
		default:
			s.t.Fatalf("limits: %s", name)
		}
	}
}

// found is a session of an earlier daemon.
func (w words) found() Found {
	f := Found{
		Open: w.has("open"), Stale: w.has("stale"), Untold: w.has("untold"), Rebooted: w.has("rebooted"), Unread: w.has("unread"), Boot: "b0", Rests: w.has("rests"), Copied: w.has("copied"),
		Durability: Durability(cmp.Or(w.named["durability"], "interval")), Incarnation: uint32(w.number(w.named["incarnation"])), Synced: uint64(w.number(w.named["synced"])),
	}
	f.Summary = &session.Summary{ID: w.at(0), Agent: "pi", Cwd: "/work", Epoch: 1}
	w.change(f.Summary)
	f.Summary.Status.QueuedPrompts = w.number(w.named["prompts"])
	if past := w.named["past"]; past != "" {
		f.Past = &budget.Use{Tokens: int64(w.number(past))}
	}
	if w.named["before"]+w.named["brought"] != "" {
		f.Came = &budget.Came{Before: budget.Use{Tokens: int64(w.number(w.named["before"]))}, Past: budget.Use{Tokens: int64(w.number(w.named["brought"]))}}
	}
	return f
}

// measured has ID=BYTES or ID=BYTES/RAW for each session, and free=BYTES.
func (w words) measured() *Measured {
	in := new(Measured)
	for _, id := range slices.Sorted(maps.Keys(w.named)) {
		if id == "free" {
			in.Free = int64(w.number(w.named[id]))
			continue
		}
		bytes, raw, _ := strings.Cut(w.named[id], "/")
		in.Sizes = append(in.Sizes, Size{ID: id, Bytes: int64(w.number(bytes)), Raw: int64(w.number(raw))})
	}
	return in
}

func (w words) change(sum *session.Summary) {
	sum.Status.State = protocol.State(cmp.Or(w.named["state"], string(cmp.Or(sum.Status.State, protocol.StateIdle))))
	sum.ParentSessionID, sum.Owner = cmp.Or(w.named["parent"], sum.ParentSessionID), cmp.Or(w.named["owner"], sum.Owner)
	sum.NativeSessionID = cmp.Or(w.named["native"], sum.NativeSessionID)
	sum.Seq = uint64(w.number(cmp.Or(w.named["seq"], strconv.FormatUint(sum.Seq, 10))))
	sum.SubAgent, sum.Spawned = sum.SubAgent || w.has("sub-agent"), sum.Spawned || w.has("spawned")
	sum.ReadOnly = w.has("read-only")
	if old := w.named["old"]; old != "" {
		sum.Updated = w.s.now.Add(-w.duration(old))
	}
	if w.has("asks") {
		sum.Open = []protocol.OpenRequest{{}}
	}
	sum.Spent.TotalTokens = int64(w.number(cmp.Or(w.named["tokens"], strconv.FormatInt(sum.Spent.TotalTokens, 10))))
	sum.Spent.WorkingSince = int64(w.number(cmp.Or(w.named["working"], strconv.FormatInt(sum.Spent.WorkingSince, 10))))
	sum.Status.QueuedPrompts = w.number(cmp.Or(w.named["prompts"], strconv.Itoa(sum.Status.QueuedPrompts)))
	if b := w.budget(); b != nil {
		sum.Budget = b
	}
}

// budget is that of "tree-tokens=N tree-children=N tree-work=MS tree-cost=MICROS action=WORD"; nil: the line has none of it.
func (w words) budget() *protocol.Budget {
	l := protocol.Limits{
		Tokens: int64(w.number(w.named["tree-tokens"])), Children: int64(w.number(w.named["tree-children"])), WorkMs: int64(w.number(w.named["tree-work"])), CostMicros: int64(w.number(w.named["tree-cost"])),
	}
	if w.named["tree-tokens"]+w.named["tree-children"]+w.named["tree-work"]+w.named["tree-cost"] == "" {
		return nil
	}
	return &protocol.Budget{Tree: &l, Action: protocol.BudgetAction(w.named["action"])}
}

// announced is the summary that is known, with what has changed.
func (w words) announced() session.Summary {
	x := w.s.core.members.byID[w.at(0)]
	if x == nil {
		w.s.t.Fatalf("there is no %s", w.at(0))
	}
	sum := *x.summary
	w.change(&sum)
	return sum
}

func (w words) start() session.StartAgent {
	return session.StartAgent{
		Incarnation: uint32(w.number(w.at(1))), Delay: w.duration(w.named["delay"]), Spec: adapters.Spec{Child: w.has("child"), Resume: w.has("resume")},
	}
}

func (w words) cwd() string {
	if w.has("spawned") {
		return w.named["cwd"]
	}
	return cmp.Or(w.named["cwd"], "/work")
}

func (w words) wanted() NewSession {
	n := NewSession{
		Agent: cmp.Or(w.named["agent"], "pi"), Cwd: w.cwd(), ParentID: w.named["parent"], Spawned: w.has("spawned"), Owner: w.named["owner"], MCP: w.has("mcp"),
		Mode: w.named["mode"], NativeSessionID: w.named["native"], Budget: w.budget(), Key: Key{Name: w.named["key"], sum: w.named["sum"]},
	}
	if w.has("socket") {
		n.Endpoint = &adapters.Endpoint{URL: "unix:///run/agent.sock"}
	}
	return n
}

func (w words) bound() Bound {
	return Bound{Session: w.named["bound"], Sum: w.named["bound-sum"], Safe: !w.has("unsafe"), Found: w.has("found")}
}
