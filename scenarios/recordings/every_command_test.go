package recordings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/recording"
)

// TestCommandOfEveryAgent: `ringmaster import` takes each agent by its name, and Codex's own session files; the same bytes come
// out as here, and nothing is told on standard error.
func TestCommandOfEveryAgent(t *testing.T) {
	tried := map[string]bool{}
	for _, f := range every(t) {
		switch f.name {
		case "claude/subagent", "codex/two-threads", "codex/rollout/subagent", "droid/multi-turn", "opencode/subagent_task", "pi/text_short":
		default:
			continue
		}
		tried[f.name] = true
		code, out, errs := run(t, bytes.NewReader(f.raw), "--agent", f.agent.Name(), "-")
		if code != 0 || errs != "" {
			t.Errorf("%s: exit code %d, %s", f.name, code, errs)
		}
		logs, want := read(t, out), f.convert(t, f.raw)
		if len(logs) != len(want) {
			t.Errorf("%s: %d logs, want %d", f.name, len(logs), len(want))
		}
		for i, l := range logs {
			if len(l.events) != len(want[i].events) {
				t.Errorf("%s: log %d has %d events, want %d", f.name, i+1, len(l.events), len(want[i].events))
			}
		}
	}
	if len(tried) != 6 {
		t.Errorf("tried %v", tried)
	}
}

// asLines writes the steps of a recording as records of lines: calls, answers and events of HTTP become lines of httpline.
func asLines(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	for r, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		dir, line := "", []byte(nil)
		switch s := r.Step.(type) {
		case recording.Start:
			dir, line = "meta", fmt.Appendf(nil, `{"event":"spawn","argv":["agent"],"cwd":%q}`, s.Cwd)
		case recording.Out:
			dir, line = "out", s.Line
		case recording.In:
			dir, line = "in", s.Line
		case recording.Exit:
			status := fmt.Sprintf("exit %d", s.Exit.Code)
			if s.Exit.Signal != "" {
				status = "signal: " + s.Exit.Signal
			}
			if s.Exit.Requested {
				fmt.Fprintf(&b, `{"t_ms":%d,"dir":"meta","data":{"event":"stdin_closed"}}`+"\n", r.At.Milliseconds())
			}
			dir, line = "meta", fmt.Appendf(nil, `{"event":"exit","status":%q}`, status)
		case recording.Stderr, recording.Note:
			continue
		}
		if !json.Valid(line) {
			line, _ = json.Marshal(string(line)) // a string always encodes
		}
		fmt.Fprintf(&b, `{"t_ms":%d,"dir":%q,"conn":%q,"data":%s}`+"\n", r.At.Milliseconds(), dir, r.Conn, line)
	}
	return b.Bytes()
}

// TestHTTPLines: records of lines, as the raw archive has them of an agent that speaks HTTP, tell the same as records of calls
// and events.
func TestHTTPLines(t *testing.T) {
	n := 0
	for _, f := range every(t) {
		if f.agent.Name() != "opencode" {
			continue
		}
		n++
		t.Run(f.name, func(t *testing.T) {
			got, want := f.convert(t, asLines(t, f.raw)), f.convert(t, f.raw)
			if len(got) != len(want) {
				t.Fatalf("%d logs, want %d", len(got), len(want))
			}
			for i := range got {
				if g, w := outline(got[i:i+1]), outline(want[i:i+1]); g != w {
					t.Errorf("log %d says\n%s, want\n%s", i+1, g, w)
				}
			}
		})
	}
	if n < least["opencode"] {
		t.Errorf("%d recordings", n)
	}
}

// TestSubAgentsOfEveryAgent: the recordings with sub-agents give logs below their parents', which name them.
func TestSubAgentsOfEveryAgent(t *testing.T) {
	found := map[string]int{}
	for _, f := range every(t) {
		logs := f.convert(t, f.raw)
		byID := map[string]*log{}
		for _, l := range logs {
			byID[l.state.SessionID] = l
		}
		for _, l := range logs {
			meta := l.state.Metadata
			if !meta.SubAgent {
				continue
			}
			found[f.agent.Name()]++
			parent := byID[meta.ParentSessionID]
			if parent == nil {
				t.Errorf("%s: %s has no parent", f.name, l.state.SessionID)
				continue
			}
			told := false
			for _, c := range parent.state.Children {
				told = told || c.ChildSessionID == l.state.SessionID
			}
			if !told {
				t.Errorf("%s: the log of %s does not name %s", f.name, meta.ParentSessionID, l.state.SessionID)
			}
		}
	}
	for _, name := range []string{"claude", "codex", "opencode"} {
		if found[name] == 0 {
			t.Errorf("no sub-agent of %s", name)
		}
	}
}
