package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// mcpHost starts `ringmaster mcp` as a host does, and connects with a client of a revision.
func (b *bench) mcpHost(version string, extra ...string) *sdk.ClientSession {
	b.t.Helper()
	return b.mcpHostWith(nil, version, extra...)
}

func (b *bench) mcpHostWith(opts *sdk.ClientOptions, version string, extra ...string) *sdk.ClientSession {
	b.t.Helper()
	program, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"mcp", "--data", b.folder.Path}, extra...)...)
	cmd.Stderr = os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	ctx, cancel := context.WithCancel(b.t.Context())
	b.t.Cleanup(cancel)
	defer time.AfterFunc(patience, cancel).Stop()
	cs, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd, TerminateDuration: time.Minute}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		b.t.Fatalf("connect: %v", err)
	}
	return cs
}

// callTool calls a tool and reads its result.
func callTool(t *testing.T, cs *sdk.ClientSession, name string, args map[string]any, out any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := cs.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil && r.IsError {
		raw, err = json.Marshal(r.Content)
		t.Fatalf("%s: %s, %v", name, raw, err)
	}
	if err == nil {
		err = json.Unmarshal(raw, out)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (b *bench) mcpTurn(cs *sdk.ClientSession) {
	b.t.Helper()
	var m struct {
		SessionID      string `json:"session_id"`
		LastEventIndex int    `json:"last_event_index"`
	}
	callTool(b.t, cs, "session_message", map[string]any{"agent": "scripted", "cwd": b.root, "message": script(`[{"say": {"text": "Done."}}]`)}, &m)
	var e struct {
		Status string `json:"status"`
		Events []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"events"`
	}
	callTool(b.t, cs, "session_events", map[string]any{
		"session_id": m.SessionID, "since_index": m.LastEventIndex, "wait_ms": 30000, "follow": true,
	}, &e)
	if text := fmt.Sprint(e); e.Status != "idle" || !strings.Contains(text, "{completion Done.}") {
		b.t.Errorf("%s", text)
	}
}

// TestMCPOverStandardIO: clients of both eras work through a host's pipe, which ends in order.
func TestMCPOverStandardIO(t *testing.T) {
	b := newBench(t).daemon()
	for _, version := range []string{"2025-11-25", "2025-06-18", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			b := &bench{t: t, folder: b.folder, root: b.root}
			cs := b.mcpHost(version)
			if got := cs.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("negotiated %s", got)
			}
			b.mcpTurn(cs)
			if _, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "nothing"}); err == nil {
				t.Error("an unknown tool was called")
			}
			if err := cs.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
}

// TestMCPStartsADaemon that stays when the host has gone, and is found by the next.
func TestMCPStartsADaemon(t *testing.T) {
	b := newBench(t)
	cs := b.mcpHost("2025-11-25", "--root", b.root)
	b.mcpTurn(cs)
	if err := cs.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	a, err := b.folder.ReadAddress()
	if err != nil {
		t.Fatal(err)
	}
	again := b.mcpHost("2026-07-28")
	b.mcpTurn(again)
	if err := again.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := syscall.Kill(a.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	b.free()
	if _, err := b.folder.ReadAddress(); err == nil {
		t.Error("its address is left")
	}
}

// free waits until no daemon works on the folder any more.
func (b *bench) free() {
	b.t.Helper()
	lock, err := os.OpenFile(filepath.Join(b.folder.Path, "lock"), os.O_RDWR, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	defer lock.Close()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(30 * time.Second); syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil; <-look.C {
		if time.Now().After(end) {
			b.t.Fatal("the daemon does not end")
		}
	}
}

func TestMCPWithoutADaemon(t *testing.T) {
	b := newBench(t)
	b.run([]string{"mcp"}).want(t, exit.NoDaemon, "--root DIR")
}

// TestMCPPushesOverStandardIO reach a client of the old era; a cancelled call ends at the daemon, in both eras.
func TestMCPPushesOverStandardIO(t *testing.T) {
	b := newBench(t).daemon()
	pushed := make(chan string, 100)
	cs := b.mcpHostWith(&sdk.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { //nolint:staticcheck // the old era
			pushed <- fmt.Sprint(r.Params.Data)
		},
	}, "2025-11-25")
	if err := cs.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "info"}); err != nil { //nolint:staticcheck // the old era
		t.Fatal(err)
	}
	var m struct {
		SessionID string `json:"session_id"`
		Push      string `json:"push"`
	}
	callTool(t, cs, "session_message", map[string]any{"agent": "scripted", "cwd": b.root, "message": script(`[{"say": {"text": "Done."}}]`)}, &m)
	if m.Push != "active" {
		t.Errorf("push is %s", m.Push)
	}
	for text := ""; !strings.Contains(text, "completion"); text = receive(b, pushed, "the push of a completion") {
	}
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		other := b.mcpHost(version)
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { // ends with ctx
			_, err := other.CallTool(ctx, &sdk.CallToolParams{Name: "session_events", Arguments: map[string]any{
				"session_id": m.SessionID, "wait_ms": 55000, "types": []string{"error"},
			}})
			over <- err
		}()
		b.awaitReaders(m.SessionID, 1)
		cancel()
		if err := receive(b, over, "the end of a cancelled call"); err == nil {
			t.Errorf("%s: a cancelled call had an answer", version)
		}
		b.awaitReaders(m.SessionID, 0)
		if err := other.Close(); err != nil {
			t.Errorf("%s: close: %v", version, err)
		}
	}
	if err := cs.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// awaitReaders waits until n calls read a session.
func (b *bench) awaitReaders(id string, n int) {
	b.t.Helper()
	var r result
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		r = b.run([]string{"show", id, "--json"})
		if strings.Count(r.out, `"name": "mcp"`) == n {
			return
		}
	}
	b.t.Fatalf("never had %d readers: %s", n, r.out)
}

// TestMCPCompatFlag: a host that asks for it has the one tool of an earlier system, from a daemon that gives it to nobody else.
func TestMCPCompatFlag(t *testing.T) {
	b := newBench(t).daemon()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for flag, want := range map[string]bool{"--mcp-compat": true, "--mcp-compat=false": false} {
			cs := b.mcpHost(version, flag)
			list, err := cs.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			has := slices.ContainsFunc(list.Tools, func(tool *sdk.Tool) bool { return tool.Name == "session" })
			if has != want {
				t.Errorf("%s %s: session is there: %v", version, flag, has)
			}
			_ = cs.Close()
		}
	}
}
