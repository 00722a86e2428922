package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// running gives the address of the daemon that runs, which the test's end ends.
func (b *bench) running() datafolder.Address {
	b.t.Helper()
	a, err := b.folder.ReadAddress()
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// killed ends the daemon and returns when it is gone; another may have been started then.
func (b *bench) killed(signal syscall.Signal) {
	b.t.Helper()
	pid := b.running().PID
	if err := syscall.Kill(pid, signal); err != nil {
		b.t.Fatal(err)
	}
	b.gone(pid)
}

func (b *bench) gone(pid int) {
	b.t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(30 * time.Second); !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH); <-look.C {
		if time.Now().After(end) {
			b.t.Fatal("the daemon does not end")
		}
	}
}

// endDaemon ends the daemon, and those that wait to take its place because a host had started them.
func (b *bench) endDaemon() {
	lock, err := os.OpenFile(filepath.Join(b.folder.Path, "lock"), os.O_RDWR, 0)
	if err != nil {
		return // none was started
	}
	defer lock.Close()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(30 * time.Second); ; <-look.C {
		mine := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
		if a, err := b.folder.ReadAddress(); !mine && err == nil {
			_ = syscall.Kill(a.PID, syscall.SIGTERM) // it may have gone
		}
		others, _ := filepath.Glob("/proc/[0-9]*/fd/*")
		others = slices.DeleteFunc(others, func(fd string) bool {
			file, _ := os.Readlink(fd)
			return file != lock.Name() || strings.HasPrefix(fd, fmt.Sprintf("/proc/%d/", os.Getpid()))
		})
		switch {
		case mine && len(others) == 0:
			return
		case time.Now().After(end):
			b.t.Errorf("the daemon does not end: %v", others)
			return
		}
	}
}

// receive gives what comes from a channel that others feed. Where nothing comes, the test fails with what is missing.
func receive[T any](b *bench, c <-chan T, what string) (v T) {
	b.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case v = <-c:
	case <-limit.C:
		b.t.Fatalf("never came: %s", what)
	}
	return v
}

type sent struct {
	SessionID      string `json:"session_id"`
	LastEventIndex int    `json:"last_event_index"`
	PromptID       string `json:"prompt_id"`
	Push           string `json:"push"`
}

// TestMCPStartsAKilledDaemon again: the host's next call works, its session is there, and its pushes and subscriptions go on, from where
// they were and none twice.
// Proves: I10.2/hosts
func TestMCPStartsAKilledDaemon(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	pushed, updates := make(chan map[string]any, 1000), make(chan string, 1000)
	opts := &sdk.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { //nolint:staticcheck // the old era
			if it, ok := r.Params.Data.(map[string]any); ok {
				pushed <- it
			}
		},
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updates <- r.Params.URI },
	}
	cs := b.mcpHostWith(opts, "2025-11-25", "--root", b.root)
	if err := cs.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "info"}); err != nil { //nolint:staticcheck // the old era
		t.Fatal(err)
	}
	var first sent
	callTool(t, cs, "session_message", map[string]any{
		"agent": "scripted", "cwd": b.root, "message": script(`[{"say": {"text": "One."}}]`), "idempotency_key": "k",
	}, &first)
	uri := "session://" + first.SessionID + "/log"
	if err := cs.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	until := func(text string) {
		t.Helper()
		for {
			it := receive(b, pushed, "a push of "+text)
			if seen[it["seq"]] {
				t.Errorf("pushed twice: %v", it)
			}
			seen[it["seq"]] = true
			if it["type"] == "completion" && it["text"] == text {
				return
			}
		}
	}
	until("One.")
	for n, text := range []string{"Two.", "Three."} {
		before := b.running().PID
		b.killed(syscall.SIGKILL)
		var again, next sent
		callTool(t, cs, "session_message", map[string]any{
			"agent": "scripted", "cwd": b.root, "message": script(`[{"say": {"text": "One."}}]`), "idempotency_key": "k",
		}, &again)
		if again.SessionID != first.SessionID || again.PromptID != first.PromptID {
			t.Errorf("after kill %d: %+v, before %+v", n, again, first)
		}
		if b.running().PID == before {
			t.Error("no other daemon")
		}
		for len(updates) > 0 {
			<-updates
		}
		callTool(t, cs, "session_message", map[string]any{
			"session_id": first.SessionID, "message": script(`[{"say": {"text": "` + text + `"}}]`),
		}, &next)
		until(text)
		if got := receive(b, updates, "an update behind kill "+strconv.Itoa(n)); got != uri {
			t.Errorf("updated: %s", got)
		}
	}
	if err := cs.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestMCPSubscriptionsOfTheNewEra go on when the daemon is killed, without a call of the host.
//
// Proves: I10.2/hosts
func TestMCPSubscriptionsOfTheNewEra(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	updates := make(chan string, 1000)
	cs := b.mcpHostWith(&sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updates <- r.Params.URI },
	}, "2026-07-28", "--root", b.root)
	var s sent
	callTool(t, cs, "session_message", map[string]any{"agent": "scripted", "cwd": b.root, "message": script(`[{"say": {"text": "One."}}]`)}, &s)
	uri := "session://" + s.SessionID + "/log"
	if err := cs.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	callTool(t, cs, "session_message", map[string]any{"session_id": s.SessionID, "message": script(`[{"say": {"text": "Two."}}]`)}, &s)
	receive(b, updates, "an update")
	callTool(t, cs, "session_join", map[string]any{"session_ids": []string{s.SessionID}, "wait_ms": 30000}, &struct{}{}) // what comes later is the bridge's
	for len(updates) > 0 {
		<-updates
	}
	b.killed(syscall.SIGKILL)
	if got := receive(b, updates, "the update of the bridge, for what was missed"); got != uri {
		t.Errorf("updated: %s", got)
	}
	callTool(t, cs, "session_message", map[string]any{"session_id": s.SessionID, "message": script(`[{"say": {"text": "Three."}}]`)}, &s)
	receive(b, updates, "an update of the new daemon")
	if err := cs.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// keeper is that of a host whose folder is the bench's.
func (b *bench) keeper() (*keeper, error) {
	con := &console.Console{Err: io.Discard}
	return newKeeper(con, &lifecycle.Target{Console: con, Data: b.folder.Path}, []string{b.root})
}

// TestMCPLeavesAnEndedDaemon that somebody ended in order, until the host asks for something.
func TestMCPLeavesAnEndedDaemon(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	cs := b.mcpHost("2025-11-25", "--root", b.root)
	k, err := b.keeper()
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	b.mcpTurn(cs) // behind all that opens its session, which would be calls
	b.killed(syscall.SIGTERM)
	for _, need := range []urgency{listening, leaving} {
		if _, err := k.reach(t.Context(), need); exit.CodeOf(err) != exit.NoDaemon {
			t.Errorf("%v", err)
		}
	}
	b.mcpTurn(cs)
	if err := cs.Close(); err != nil { // else its host starts another one in the place of the killed one
		t.Errorf("close: %v", err)
	}
	b.killed(syscall.SIGKILL)
	if _, err := k.reach(t.Context(), leaving); exit.CodeOf(err) != exit.NoDaemon {
		t.Errorf("%v", err)
	}
}

// TestMCPLeavesAnEndingDaemon: one that takes no requests any more and has not gone is ending in order, and no other takes its place for a host
// that only listens.
// Proves: I10.2/hosts
func TestMCPLeavesAnEndingDaemon(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	if err := b.folder.Create(); err != nil {
		t.Fatal(err)
	}
	if err := b.folder.WriteAddress(datafolder.Address{Socket: filepath.Join(b.folder.Path, "ringmaster.sock"), PID: os.Getpid(), Roots: []string{b.root}}); err != nil {
		t.Fatal(err)
	}
	k, err := b.keeper()
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	for method, header := range map[string]http.Header{http.MethodGet: {}, http.MethodPost: {"Mcp-Method": {"subscriptions/listen"}}} {
		if resp, err := k.mcp(t.Context(), method, header, nil); exit.CodeOf(err) != exit.NoDaemon {
			t.Errorf("%s: %v %v", method, resp, err)
		}
	}
	if _, err := os.Stat(b.folder.LogFile()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a daemon was started: %v", err)
	}
	if err := b.folder.RemoveAddress(); err != nil { // which names the test
		t.Fatal(err)
	}
}

// TestMCPLeavesTheSocketsOfAKilledDaemon, which stay open for a moment where it was killed while it started an agent: a call that came there
// would be lost, and goes to the next daemon.
// Proves: I10.2/hosts
func TestMCPLeavesTheSocketsOfAKilledDaemon(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	if err := b.folder.Create(); err != nil {
		t.Fatal(err)
	}
	left := datafolder.Address{Socket: filepath.Join(b.folder.Path, "left.sock"), PID: endedProcess(t), Roots: []string{b.root}}
	if err := b.folder.WriteAddress(left); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", left.Socket)
	if err != nil {
		t.Fatal(err)
	}
	lost := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			t.Error("a call was sent to nobody")
		}
		panic(http.ErrAbortHandler)
	}))
	lost.Listener = l
	lost.Start()
	t.Cleanup(lost.Close)
	k, err := b.keeper()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { k.close() }()
	if k.client, err = k.target.Find(); err != nil {
		t.Fatal(err)
	}
	k.found = left
	resp, err := k.mcp(t.Context(), http.MethodPost, http.Header{"Content-Type": {"application/json"}}, []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
	if got := b.running().PID; got == left.PID {
		t.Error("no other daemon")
	}
}

// endedProcess gives the id of a process that has ended.
func endedProcess(t *testing.T) int {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "mcp", "--help")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// TestMCPHostsAtOnce get one daemon, with the folders of all, on a port of this machine; one that is started in its place has them all.
// Proves: I10.2/hosts
func TestMCPHostsAtOnce(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	hosts, roots := make([]*sdk.ClientSession, 4), make([]string, 4)
	var wg sync.WaitGroup
	for i := range hosts {
		roots[i] = t.TempDir()
		wg.Go(func() { hosts[i] = b.mcpHost([]string{"2025-11-25", "2026-07-28"}[i%2], "--root", roots[i]) })
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	work := func(i int) {
		t.Helper()
		var s sent
		callTool(t, hosts[i], "session_message", map[string]any{"agent": "scripted", "cwd": roots[i], "message": "go", "new_session": true}, &s)
	}
	for i := range hosts {
		work(i)
	}
	a := b.running()
	if !strings.HasPrefix(a.HTTP, "http://127.0.0.1:") || a.Socket == "" || len(a.Roots) != len(roots) {
		t.Errorf("%+v", a)
	}
	if log, err := os.ReadFile(b.folder.LogFile()); err != nil || strings.Count(string(log), `"msg":"daemon runs"`) != 1 {
		t.Errorf("not one daemon: %s, %v", log, err)
	}
	b.killed(syscall.SIGKILL)
	for i := range hosts {
		work(i)
	}
	if got := b.running().Roots; len(got) != len(roots) {
		t.Errorf("roots after a kill: %v", got)
	}
	for i := range hosts {
		if err := hosts[i].Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
}

// TestMCPRootOfAnother: a running daemon gets the host's folders, also when the host has a token of its own; one that takes none is named,
// with its folders, its process and what to do.
// Proves: I10.2/hosts
func TestMCPRootOfAnother(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	if err := b.mcpHost("2025-11-25", "--root", b.root).Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	secret := b.run([]string{"token", "create", "--name", "h", "--scope", "owner", "--owner", "ann"})
	file := t.TempDir() + "/token"
	if err := os.WriteFile(file, []byte(secret.out), 0o600); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	cs := b.mcpHost("2026-07-28", "--root", other, "--token-file", file)
	(&bench{t: t, folder: b.folder, root: other}).mcpTurn(cs)
	both := func(when string) {
		t.Helper()
		if got := b.running().Roots; !slices.Contains(got, b.root) || !slices.Contains(got, other) {
			t.Errorf("%s: roots %v", when, got)
		}
	}
	both("added")
	b.killed(syscall.SIGKILL)
	(&bench{t: t, folder: b.folder, root: other}).mcpTurn(cs)
	both("started again")
	if err := cs.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	b.run([]string{"mcp", "--root", b.folder.Path + "/nothing"}).want(t, exit.Usage, "--root")

	alone := newBench(t).daemon() // without a unix socket
	alone.run([]string{"mcp", "--root", alone.root}).want(t, exit.OK)
	alone.run([]string{"mcp"}).want(t, exit.OK)
	alone.run([]string{"mcp", "--root", other}).want(t, exit.Failed, "forbidden", alone.root, other, fmt.Sprintf("process %d", os.Getpid()), fmt.Sprintf("kill %d", os.Getpid()), "--data", "unix socket")
}

// TestMCPGivesAgentsTheDaemon: the agent of a session with mcp reaches the daemon that is started, and calls the tools that the host offers,
// also after the daemon was killed: the host offers them once.
// Proves: I10.2/hosts
func TestMCPGivesAgentsTheDaemon(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	cs := b.mcpHost("2025-11-25", "--root", b.root)
	call := func(in map[string]any) (s sent) {
		t.Helper()
		in["message"] = script(`[{"mcp": {"tool": "ed_look", "as": "seen"}}, {"say": {"text": "Saw {{seen}}."}}]`)
		callTool(t, cs, "session_message", in, &s)
		for since := s.LastEventIndex; ; {
			var e struct {
				LastIndex int `json:"last_index"`
				Events    []struct {
					Type      string `json:"type"`
					Text      string `json:"text"`
					RequestID string `json:"request_id"`
				} `json:"events"`
			}
			callTool(t, cs, "session_events", map[string]any{"session_id": s.SessionID, "since_index": since, "wait_ms": 30000}, &e)
			for _, ev := range e.Events {
				switch ev.Type {
				case "caller_tool_request":
					callTool(t, cs, "caller_tool_response", map[string]any{"session_id": s.SessionID, "request_id": ev.RequestID, "result": "a fox"}, &struct{}{})
				case "completion":
					if ev.Text != "Saw a fox." {
						t.Errorf("the agent has said %q", ev.Text)
					}
					return s
				case "error":
					t.Fatalf("%+v", ev)
				}
			}
			since = e.LastIndex
		}
	}
	s := call(map[string]any{"agent": "scripted", "cwd": b.root, "caller_id": "ed", "caller_tools": []map[string]any{{"name": "look"}}})
	b.killed(syscall.SIGKILL)
	call(map[string]any{"session_id": s.SessionID})
	if err := cs.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestMCPKeepsRoots of a daemon that was killed, also of one that this host never spoke with, where it ran while the host did.
// Proves: I10.2/hosts
func TestMCPKeepsRoots(t *testing.T) {
	own, added := t.TempDir(), t.TempDir()
	k, err := newKeeper(&console.Console{}, &lifecycle.Target{Data: t.TempDir() + "/data"}, []string{own})
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	if err := k.folder.Create(); err != nil {
		t.Fatal(err)
	}
	k.found.PID = 1
	for name, c := range map[string]struct {
		last datafolder.Address
		kept bool
	}{
		"it answered this host":          {datafolder.Address{PID: 1, Since: k.began - 1}, true},
		"another host started it since":  {datafolder.Address{PID: 2, Since: k.began}, true},
		"it was killed before this host": {datafolder.Address{PID: 2, Since: k.began - 1}, false},
		"of an earlier release":          {datafolder.Address{PID: 2}, false},
	} {
		c.last.Roots = []string{own, added, added + "/gone"}
		if err := k.folder.WriteAddress(c.last); err != nil {
			t.Fatal(err)
		}
		want := []string{k.roots[0]}
		if c.kept {
			want = append(want, added)
		}
		if got := k.wanted(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestMCPMaxText reaches the daemon that is started; one that runs already keeps its own.
func TestMCPMaxText(t *testing.T) {
	b := newBench(t)
	t.Cleanup(b.endDaemon)
	cs := b.mcpHost("2025-11-25", "--root", b.root, "--max-text", "1")
	var m sent
	callTool(t, cs, "session_message", map[string]any{
		"agent": "scripted", "cwd": b.root, "message": script(`[{"say": {"text": "` + strings.Repeat("long ", 500) + `"}}]`), "wait_ms": 30000,
	}, &m)
	if err := cs.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	b.run([]string{"log", m.SessionID}).want(t, exit.OK, `"role":"assistant","text":"`+strings.Repeat("long ", 204), `"truncated":true,"bytes":2500`)
	b.run([]string{"mcp", "--root", b.root, "--max-text", "2"}).want(t, exit.OK, "a daemon runs already: --max-text is its own affair")
	b.run([]string{"mcp", "--root", b.root, "--max-text", "600"}).want(t, exit.Usage, "--max-text")
}
