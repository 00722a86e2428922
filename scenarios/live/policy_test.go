package live

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// spot is one act under one policy: its session, and the names of its own.
type spot struct {
	*session
	number int
	out    string
}

func (s *spot) text(t string) string {
	return strings.NewReplacer("{n}", fmt.Sprint(s.number), "{cwd}", s.cwd, "{out}", s.out, "{data}", s.daemon.data).Replace(t)
}

func (s *spot) path(t string) string {
	if t = s.text(t); !filepath.IsAbs(t) {
		t = filepath.Join(s.cwd, t)
	}
	return t
}

// since are the events of a type since the newest prompt.
func (s *spot) since(kind protocol.Type) (list []protocol.Payload) {
	for i := range s.events[s.asked:] {
		if p := s.events[s.asked+i].Payload; p.Type() == kind {
			list = append(list, p)
		}
	}
	return list
}

// heard says that a tool's output since the newest prompt has a word; where a sub-agent was to do it, one of its own as well.
func (s *spot) heard(a *deed, word string) bool {
	all := s.ends(protocol.EntryToolCall)
	seen := map[string]bool{}
	for _, p := range s.since(protocol.TypeChildSession) {
		if id := p.(*protocol.ChildSession).ChildSessionID; a.helper && !seen[id] {
			seen[id] = true
			child := s.open(id)
			child.until("its turn's end", isType(protocol.TypeTurnEnd))
			all = append(all, child.ends(protocol.EntryToolCall)...)
		}
	}
	return slices.ContainsFunc(all, func(e *protocol.EntryEnd) bool {
		return strings.Contains(e.Data.(*protocol.ToolCallData).Output, strings.TrimSpace(word))
	})
}

// play lets the agent do it. A person denies what is asked; asked says that somebody was.
func (s *spot) play(h *hands, a *deed) (asked []string) {
	var script []reply
	for _, c := range a.call(h, s.text) {
		if script = append(script, use(c)); a.atOnce && len(script) > 1 {
			script = []reply{append(script[0], script[1]...)}
		}
	}
	if a.helper {
		script = []reply{use(h.agent.helper(h.agent.model.job(s, "Do it for me.", append(script, say("It is dealt with."))...)))}
		if h.agent.await != nil {
			script = append(script, use(h.agent.await()))
		}
	}
	s.send(h.agent.model.prompt(s, "Do it.", append(script, say("That is dealt with."))...))
	for {
		e := s.until("the turn's end", func(e *protocol.Event) bool {
			switch p := e.Payload.(type) {
			case *protocol.TurnEnd, *protocol.RequestResolved: // behind which another may be open that changed no status
				return true
			case *protocol.Status:
				return p.State == protocol.StateAwaitingApproval
			}
			return false
		})
		if _, over := e.Payload.(*protocol.TurnEnd); over {
			return asked
		}
		for _, r := range s.waiting() {
			option := protocol.DenyContinue
			if !protocol.HasOption(r.Options, option) {
				option = protocol.DenyStop
			}
			asked = append(asked, fmt.Sprintf("%s %s %q", r.ToolName, r.ToolKind, r.Subject))
			_, err := s.daemon.Session(s.id).Answer(s.Context(), r.RequestID, resource.RequestAnswer{Outcome: protocol.OutcomeDenied, Option: option})
			var problem *protocol.Problem
			if resolved := errors.As(err, &problem) && problem.Code == protocol.CodeRequestAlreadyResolved; err != nil && !resolved { // by the denial of the one beside it
				s.fail("answer: %v", err)
			}
		}
	}
}

// waiting are the approvals that are open.
func (s *spot) waiting() (list []*protocol.RequestOpened) {
	for _, p := range s.since(protocol.TypeRequestOpened) {
		r := p.(*protocol.RequestOpened)
		open := r.Kind == protocol.RequestApproval
		for _, done := range s.since(protocol.TypeRequestResolved) {
			open = open && done.(*protocol.RequestResolved).RequestID != r.RequestID
		}
		if open {
			list = append(list, r)
		}
	}
	return list
}

// TestPolicies holds our verdicts against what is on the disk afterwards: each act with each agent under each policy.
func TestPolicies(t *testing.T) {
	if os.Getenv("RINGMASTER_LIVE_POLICIES") == "" {
		t.Skip("run task policy")
	}
	for _, h := range everyHand {
		t.Run(h.agent.name, func(t *testing.T) {
			if h.agent.program() == "" {
				t.Skipf("%s does not name a program: run task policy", h.agent.variable())
			}
			h.agent.model = h.agent.newModel(t, h.agent.address(t))
			d := newDaemonIn(t, h.agent, filepath.Dir(t.TempDir()))             // the data folder lies in it
			(&world{T: t, agent: h.agent, daemon: d, hold: newHold()}).create() // two that begin in a new home at once would each write its identity there
			for i := range regimes {
				t.Run(regimes[i].name, func(t *testing.T) {
					if regimes[i].more && testing.Short() {
						t.Skip("short run")
					}
					t.Parallel()
					h.under(t, d, &regimes[i], fmt.Sprintf("lane-%d", i))
				})
			}
		})
	}
}

// under plays all acts under one policy, in a folder of its own.
func (h *hands) under(t *testing.T, d *daemon, r *regime, name string) {
	dir, out := filepath.Join(d.root, name), filepath.Join(d.root, name+"-outside")
	for _, p := range []string{filepath.Join(dir, "src", "kept"), filepath.Join(dir, "docs"), out} {
		if err := os.MkdirAll(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".git", "hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"hooks": "../.git/hooks", "out": out, "same": ".", "keeper": d.data} {
		if err := os.Symlink(target, filepath.Join(dir, "src", link)); err != nil {
			t.Fatal(err)
		}
	}
	sessions := map[string]*session{} // by what their models are given
	for i := range deeds {
		a := &deeds[i]
		t.Run(a.name, func(t *testing.T) {
			if a.more && testing.Short() {
				t.Skip("short run")
			}
			w := &world{T: t, agent: h.agent, daemon: d, hold: newHold()}
			at := &spot{session: &session{cwd: dir, world: w}, number: i, out: out}
			if a.call(h, at.text) == nil {
				tally.note(h.agent, r, a, "no such tool")
				t.Skip("the agent has no such tool")
			}
			given, more := "", setting(nil)
			switch {
			case a.above:
				given, more = "a folder above", folder("", h.files)
			case a.patch && h.patching != nil:
				given, more = "patches", h.patching
			case a.helper && h.agent.helpful != nil:
				given, more = "sub-agents", h.agent.helpful
			}
			s := sessions[given]
			if s == nil {
				s = w.create(folder(name, h.files), with("policy", r.policy), with("mcp", true), h.settings, more)
				if h.agent.model == nil {
					t.Fatal("no model")
				}
			}
			s.world, sessions[given] = w, nil // a session that an act leaves at work is not used again
			at.session = s
			at.prepare(a)
			asked := at.play(h, a)
			s.idle()
			sessions[given] = s
			result := judge(r.expects(h, a), at.happened(a), len(asked) > 0, len(at.since(protocol.TypeRequestOpened)) > 0)
			if why := h.unasked[a.name]; result == unasked && why != "" {
				t.Skip(why)
			}
			tally.note(h.agent, r, a, result)
			if result != "" {
				s.fail("%s: %s; a person was asked %q", result, r.expects(h, a), asked)
			}
		})
	}
}

// What is wrong with a verdict.
const (
	through  = "a forbidden act was let through"
	unasked  = "a forbidden act happened before which the agent did not ask"
	needless = "an allowed act was asked"
	missing  = "an allowed act did not happen"
	bold     = "an act happened that the agent is said to refuse"
)

func judge(want expected, happened, asked, opened bool) string {
	switch {
	case want == mustNot && happened && opened:
		return through
	case want == mustNot && happened:
		return unasked
	case want == refused && happened:
		return bold
	case (want == must || want == refused) && asked:
		return needless
	case want == must && !happened:
		return missing
	}
	return ""
}

// tally counts the verdicts.
var tally verdicts

type verdicts struct {
	mu   sync.Mutex
	list []verdict
}

type verdict struct {
	agent, regime, act, result string
}

func (v *verdicts) note(a *agent, r *regime, c *deed, result string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list = append(v.list, verdict{a.name, r.name, c.name, result})
}

// publish prints what was counted, a line for each agent.
func (v *verdicts) publish(out io.Writer) {
	if len(v.list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n| agent | acts under policies | forbidden let through | not asked by the agent | allowed and asked | allowed and not done | no such tool |\n|---|---|---|---|---|---|---|\n")
	for _, h := range everyHand {
		count, all := map[string]int{}, 0
		for _, o := range v.list {
			if o.agent == h.agent.name {
				count[o.result]++
				all++
			}
		}
		if all > 0 {
			fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %d |\n", h.agent.name, all-count["no such tool"], count[through], count[unasked], count[needless], count[missing], count["no such tool"])
		}
	}
}
