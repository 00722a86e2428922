package pi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestLiveLost kills Pi in a tool before it has told the ids of that message, and goes on: the entries of the lost turn get the ids that Pi's own
// session file has.
func TestLiveLost(t *testing.T) {
	program := os.Getenv(LiveEnv)
	if program == "" {
		t.Skip(LiveEnv + " is not set")
	}
	t.Setenv(pi.ProgramEnv, program)
	found := pi.Agent{}.Find(t.Context())
	if found.Version < "1" {
		t.Skip("this Pi does not tell ids")
	}
	spec := adapters.Spec{
		SessionID: "99999999-9999-4999-8999-999999999999", Program: found.Program, Version: found.Version, Cwd: t.TempDir(),
		Env: os.Environ(), Model: "fake/fake-1",
	}
	ready := func(d adapters.Draft) bool {
		r, ok := d.(adapters.Ready)
		if ok {
			spec.NativeSessionID = r.NativeSessionID
		}
		return ok
	}
	c := start(t, spec)
	c.until("Ready", ready)
	c.prompt("1", "Work.", `[{"steps":[{"text":"I begin."},{"tool":{"id":"call_1","name":"bash","args":{"command":"echo begun; sleep 60"}}}]},{"text":"No."}]`)
	c.until("a running tool", isRunning)
	if err := c.cmd.Process.Kill(); err != nil { // what it had told behind that is lost
		t.Fatal(err)
	}
	for range c.lines { // unheard
	}
	_ = c.cmd.Wait() // killed

	spec.Resume = true
	entries, bound := map[adapters.EntryKey]adapters.Unbound{}, map[adapters.EntryKey]string{}
	var order []adapters.EntryKey
	for _, d := range c.said {
		switch d := d.(type) {
		case adapters.EntryOpened:
			entries[d.Key], _ = adapters.NewUnbound(protocol.EntryID(1, uint32(d.Key)), d.Type, d.Data)
			order = append(order, d.Key)
		case adapters.EntryClosed:
			entries[d.Key], _ = adapters.NewUnbound(entries[d.Key].ID, entries[d.Key].Type, d.Data)
		case adapters.EntryBound:
			bound[d.Key] = d.PersistentID
			spec.Known = append(spec.Known, d.PersistentID)
		}
	}
	for _, key := range order {
		if bound[key] == "" {
			spec.Unbound = append(spec.Unbound, entries[key])
		}
	}
	if len(order) != 3 || len(spec.Unbound) < 2 {
		t.Fatalf("%d entries, and without ids %+v", len(order), spec.Unbound)
	}

	again := start(t, spec)
	again.until("Ready", ready)
	got := map[string]string{}
	for len(got) < len(spec.Unbound) {
		again.until("the ids of what was lost", func(d adapters.Draft) bool {
			b, ok := d.(adapters.EntryBound)
			if ok {
				got[b.ID] = b.PersistentID
			}
			return ok
		})
	}
	again.end()
	users, answers := fileIDs(t, spec.SessionID)
	if len(users) != 1 || len(answers) != 1 {
		t.Fatalf("the file has users %q, answers %q", users, answers)
	}
	for _, u := range spec.Unbound {
		want := answers[0]
		if u.Type == protocol.EntryUserMessage {
			want = users[0]
		}
		if got[u.ID] != want {
			t.Errorf("%+v got %q, the file says %q", u, got[u.ID], want)
		}
	}
}

// fileIDs reads the ids of messages from Pi's own file of a session.
func fileIDs(t *testing.T, session string) (users, answers []string) {
	t.Helper()
	home := os.Getenv("PI_CODING_AGENT_DIR")
	if home == "" {
		home = filepath.Join(os.Getenv("HOME"), ".pi", "agent")
	}
	files, err := filepath.Glob(filepath.Join(home, "sessions", "*", "*"+session+".jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no file of the session below %s: %v", home, err)
	}
	raw, err := os.ReadFile(files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var e struct {
			ID      string `json:"id"`
			Message struct {
				Role string `json:"role"`
			} `json:"message"`
		}
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		switch e.Message.Role {
		case "user":
			users = append(users, e.ID)
		case "assistant":
			answers = append(answers, e.ID)
		}
	}
	return users, answers
}
