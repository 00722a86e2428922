package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// watching is a `ringmaster watch` in a process of its own.
type watching struct {
	t    *testing.T
	cmd  *exec.Cmd
	out  *bufio.Scanner // its output, and that of what it runs
	said *bufio.Scanner // its standard error
}

func watch(t *testing.T, s *serving, env []string, args ...string) *watching {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &watching{t: t, cmd: exec.Command(self, append([]string{"watch", "--data", s.folder.Path, "--all"}, args...)...)}
	w.cmd.Env = append(append(os.Environ(), asProgram+"=1"), env...)
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait() // both may have been done
	})
	w.out, w.said = bufio.NewScanner(out), bufio.NewScanner(said)
	w.awaitSaid("watching")
	return w
}

func (w *watching) awaitSaid(part string) {
	w.t.Helper()
	for w.said.Scan() {
		if strings.Contains(w.said.Text(), part) {
			return
		}
	}
	w.t.Fatalf("it does not say %q", part)
}

// next is a line of output, decoded where it is a notice.
func (w *watching) next() (text string, n told) {
	w.t.Helper()
	if !w.out.Scan() {
		w.t.Fatalf("it ended: %v", w.out.Err())
	}
	_ = json.Unmarshal(w.out.Bytes(), &n)
	return w.out.Text(), n
}

// end has Ctrl-C end it.
func (w *watching) end() {
	w.t.Helper()
	if err := w.cmd.Process.Signal(syscall.SIGINT); err != nil {
		w.t.Fatal(err)
	}
	for w.out.Scan() {
		continue
	}
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("it ends with %v", err)
	}
}

// told is the body of a notice.
type told struct {
	Type string `json:"type"`
	Data struct {
		SessionID, Cursor, Agent, Title, RequestID, RequestKind, TurnID, Status string
	} `json:"data"`
}

func made(t *testing.T, s *serving, prompt string) (*client.Client, string) {
	t.Helper()
	c, err := client.Find(s.folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	a, err := s.folder.ReadAddress()
	if err != nil {
		t.Fatal(err)
	}
	made, err := c.Create(t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: a.Roots[0], Title: "Cart", Prompt: &resource.FirstPrompt{NewPrompt: resource.NewPrompt{Text: prompt}}}})
	if err != nil {
		t.Fatal(err)
	}
	return c, made.ID
}

const ask = "```script\n[{\"ask\":{\"method\":\"confirm\",\"title\":\"Well?\"}}]\n```"

// A request that is opened runs the program once, without a shell: with the notice on its standard input, its ids in variables, no token, and its arguments as they were given.
//
// Proves: I13.10/watch
func TestWatchRunsAProgram(t *testing.T) {
	s := serve(t)
	script := filepath.Join(t.TempDir(), "told.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncat\necho \"$RINGMASTER_KIND $RINGMASTER_SESSION $RINGMASTER_REQUEST ${RINGMASTER_TOKEN:-none} $# $1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w := watch(t, s, []string{"RINGMASTER_TOKEN=secret"}, "--exec", script, "--", "a b;$(x)")
	c, id := made(t, s, ask)
	text, n := w.next()
	if n.Type != "request_opened" || n.Data.SessionID != id || n.Data.Agent != "scripted" || n.Data.Title != "Cart" || n.Data.RequestKind != "approval" || strings.Contains(text, "Well?") {
		t.Errorf("it was told %s", text)
	}
	if got, _ := w.next(); got != fmt.Sprintf("request_opened %s %s none 1 a b;$(x)", id, n.Data.RequestID) {
		t.Errorf("its variables are %s", got)
	}
	if _, err := c.Session(id).End(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"turn_ended", "session_ended"} { // and the request was told once
		if text, n := w.next(); n.Type != want {
			t.Errorf("told is %s, want %s", text, want)
		}
		w.next()
	}
	w.end()
}

// A program that hangs is ended with all that it has started, that is said, and the next notice comes.
//
// Proves: I13.10/watch
func TestWatchEndsWhatHangs(t *testing.T) {
	s := serve(t)
	w := watch(t, s, nil, "--timeout", "3s", "--kind", "turn_ended,session_ended", "--shell", `trap '' TERM; sleep 1000 & echo $!; test "$RINGMASTER_KIND" = session_ended || wait`)
	c, id := made(t, s, ask)
	if _, err := c.Session(id).End(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	text, _ := w.next()
	hung, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("it printed %s", text)
	}
	w.awaitSaid("it took too long (try 1 of 1); going on")
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	gone := false
	for n := 0; n < 2000 && !gone; n++ {
		<-look.C
		gone = errors.Is(syscall.Kill(hung, 0), syscall.ESRCH)
	}
	if !gone {
		t.Error("what it has started is still there")
		_ = syscall.Kill(hung, syscall.SIGKILL)
	}
	text, _ = w.next()
	if left, err := strconv.Atoi(text); err == nil { // of a program that ended by itself: what it leaves is its own
		_ = syscall.Kill(left, syscall.SIGKILL)
	}
	w.end()
}

// The daemon is killed and started again, and so is the watch: each turn is told at least once, and the turns of each session in order.
//
// Proves: I13.10/watch
func TestWatchOverKills(t *testing.T) {
	s := serve(t)
	state := filepath.Join(t.TempDir(), "state")
	flags := []string{"--kind", "turn_ended,turn_failed", "--state", state}
	w := watch(t, s, nil, flags...)
	c, first := made(t, s, "```script\n[{\"say\":{\"text\":\"Hello.\"}}]\n```")
	_, second := made(t, s, "```script\n[{\"say\":{\"text\":\"Hello.\"}}]\n```")
	root, err := s.folder.ReadAddress()
	if err != nil {
		t.Fatal(err)
	}
	ids, got := []string{first, second}, map[string][]string{}
	until := func(id, turn string) { // reads notices until the turn is among them
		for !slices.Contains(got[id], turn) {
			if text, n := w.next(); n.Data.TurnID == "" {
				t.Fatalf("told is %s", text)
			} else {
				got[n.Data.SessionID] = append(got[n.Data.SessionID], n.Data.TurnID)
			}
		}
	}
	for _, id := range ids {
		until(id, "t1")
	}
	last := map[string]string{}
	for round := range 4 {
		for _, id := range ids {
			if _, err := c.Prompt(t.Context(), id, client.Prompt{Text: "```script\n[{\"say\":{\"text\":\"Again.\"}}]\n```"}); err != nil {
				t.Fatal(err)
			}
		}
		if round%2 == 0 { // the watch goes on over it
			if err := s.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			s.end()
			next := &serving{folder: s.folder}
			next.start(t, "--root", root.Roots[0])
			next.awaitLine(t, `"msg":"daemon runs"`)
			s = next
			found, err := client.Find(s.folder.Path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(found.Close)
			c = found
		} else {
			if err := w.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			for w.out.Scan() { // what it had told
				var n told
				if json.Unmarshal(w.out.Bytes(), &n) == nil {
					got[n.Data.SessionID] = append(got[n.Data.SessionID], n.Data.TurnID)
				}
			}
			_ = w.cmd.Wait() // it was killed
		}
		for _, id := range ids {
			if _, err := c.Await(t.Context(), resource.WaitRequest{Sessions: []string{id}, Until: resource.WaitUntil{Rest: true}}); err != nil {
				t.Fatal(err)
			}
			state, err := c.Session(id).State(t.Context(), protocol.Cursor{})
			if err != nil {
				t.Fatal(err)
			}
			last[id] = state.Turns[len(state.Turns)-1].TurnID
		}
		if round%2 == 1 {
			w = watch(t, s, nil, flags...)
		}
		for _, id := range ids {
			until(id, last[id])
		}
	}
	for _, id := range ids {
		state, err := c.Session(id).State(t.Context(), protocol.Cursor{})
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for i, turn := range state.Turns {
			if !slices.Contains(got[id], turn.TurnID) {
				t.Errorf("session %s: %s was not told: %v", id, turn.TurnID, got[id])
			}
			if now := slices.Index(got[id], turn.TurnID); i > 0 && now < at {
				t.Errorf("session %s: %s was told before the one before: %v", id, turn.TurnID, got[id])
			} else {
				at = now
			}
		}
	}
	w.end()
	mode, err := os.Stat(state)
	if err != nil || mode.Mode().Perm() != 0o600 {
		t.Errorf("the file of positions: %v, %v", mode, err)
	}
}

// A watch that is ended in the middle ends its program, and the next one tells of what nobody was told, and of what came behind it.
//
// Proves: I13.10/watch
func TestWatchThatIsEnded(t *testing.T) {
	s := serve(t)
	flags := []string{"--kind", "turn_ended,session_ended", "--state", filepath.Join(t.TempDir(), "state")}
	w := watch(t, s, nil, append(flags, "--shell", "echo $$; exec sleep 1000")...)
	c, id := made(t, s, ask)
	if _, err := c.Session(id).End(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	text, _ := w.next()
	hung, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("it printed %s", text)
	}
	w.end()
	if err := syscall.Kill(hung, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("its program is still there: %v", err)
	}
	w = watch(t, s, nil, flags...)
	for _, want := range []string{"turn_ended", "session_ended"} {
		if text, n := w.next(); n.Type != want || n.Data.SessionID != id {
			t.Errorf("told is %s, want %s", text, want)
		}
	}
	w.end()
}
