package command

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty/ttytest"
)

const edits = `[{"say": {"text": "I look."}}, {"tool": {"name": "edit", "approve": true, "args": {"path": "parser/parser.go",
	"edits": [{"oldText": "return nil", "newText": "return []Item{}"}]}, "allowed": [{"say": {"text": "Mended it."}}], "denied": [{"say": {"text": "Left it."}}]}}]`

// at runs a command line on somebody's terminal; the channel gives its exit code.
func (b *bench) at(p *ttytest.Person, args ...string) <-chan int {
	b.t.Helper()
	for name, value := range map[string]string{"TERM": "xterm-256color", "NO_COLOR": ""} {
		b.t.Setenv(name, value)
	}
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	ended := make(chan int, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		program := &Program{In: p.TTY, Out: p.TTY, Err: p.TTY, Signals: make(chan os.Signal)}
		ended <- program.Run(ctx, append(args, "--data", b.folder.Path))
	}()
	b.t.Cleanup(func() { cancel(); <-done })
	return ended
}

// ten makes ten sessions, of which one asks.
func (b *bench) ten() {
	b.t.Helper()
	for i := range 9 {
		b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--title", "number " + strconv.Itoa(i+1)}).want(b.t, exit.OK)
	}
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--title", "mend the parser", "--prompt", script(edits)}).want(b.t, exit.OK)
}

// A person who has never seen it finds which of ten sessions needs them, reads the diff, answers, steers, stops and quits, in at most ten keys.
//
// Proves: I14.3/ten_keys
func TestTopInTenKeys(t *testing.T) {
	b := newBench(t).daemon()
	b.ten()
	p := ttytest.Sit(t, 80, 24)
	before := p.Modes()
	ended := b.at(p, "top")
	p.Sees("1 need you", "NEEDS YOU", "▸ mend the parser", "edit parser/parser.go", "? keys", "Space peek")
	p.Press(" ")
	p.Sees("scripted wants to use edit", "no policy", "-return nil", "+return []Item{}", "y allow once", "n deny")
	p.Until("has read the call", func(s *ttytest.Screen) bool { return !strings.Contains(s.Text(), "reading the call") })
	p.Press("y")
	p.Until("lets it go", func(s *ttytest.Screen) bool { return !strings.Contains(s.Text(), "NEEDS YOU") })
	b.run([]string{"log", "@last"}).want(t, exit.OK, `"type":"request_resolved","requestId":"r1","outcome":"allowed"`)
	p.Press("q")
	if code := receive(b, ended, "the end of top"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
	if p.Keys > 10 {
		t.Errorf("%d keys", p.Keys)
	}
	given(t, p, before)
}

// given says that the terminal is as it was.
func given(t *testing.T, p *ttytest.Person, before any) {
	t.Helper()
	p.Until("is given back", func(s *ttytest.Screen) bool {
		return !s.Modes["1049"] && s.Modes["7"] && s.Modes["25"] && !s.Modes["2004"]
	})
	if now := p.Modes(); any(now) != before {
		t.Errorf("the modes of the terminal are %+v, and were %+v", now, before)
	}
	p.Look(func(s *ttytest.Screen) {
		if len(s.Problems) > 0 {
			t.Errorf("the terminal was sent what it may not be: %q", s.Problems)
		}
	})
}

// process runs a command line as a process that a terminal controls, in a session of its own.
func (b *bench) process(p *ttytest.Person, env []string, args ...string) *exec.Cmd {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command(self, append(args, "--data", b.folder.Path)...)
	cmd.Env = append(append(os.Environ(), "TERM=xterm"), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.TTY, p.TTY, p.TTY
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test has failed
	return cmd
}

// The terminal is given back as it was on every way out, and the program ends.
//
// Proves: I14.3/given_back
func TestTopGivesTheTerminalBack(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--title", "one"}).want(t, exit.OK)
	for name, leave := range map[string]func(p *ttytest.Person, cmd *exec.Cmd){
		"q":       func(p *ttytest.Person, _ *exec.Cmd) { p.Press("q") },
		"ctrl+c":  func(p *ttytest.Person, _ *exec.Cmd) { p.Press("\x03") },
		"SIGTERM": func(_ *ttytest.Person, cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":  func(_ *ttytest.Person, cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGINT) },
		"SIGHUP":  func(_ *ttytest.Person, cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGHUP) },
	} {
		for _, line := range [][]string{{"top"}, {"attach", "@last"}, {"tail", "@last"}} {
			if line[0] == "tail" && (name == "q" || name == "ctrl+c") {
				continue // the terminal makes a signal of Ctrl-C there
			}
			t.Run(name+" "+line[0], func(t *testing.T) {
				p := ttytest.Sit(t, 60, 15)
				before := p.Modes()
				cmd := b.process(p, nil, line...)
				if line[0] == "tail" {
					p.Sees("session ")
				} else {
					p.Sees("one", "? keys")
				}
				p.Until("takes the keys", func(*ttytest.Screen) bool { return p.Modes() != before })
				leave(p, cmd)
				_ = cmd.Wait() // the exit code is another test's
				given(t, p, before)
			})
		}
	}
}

// A panic gives the terminal back as well.
//
// Proves: I14.3/given_back
func TestTopGivesTheTerminalBackInAPanic(t *testing.T) {
	b := newBench(t).daemon()
	p := ttytest.Sit(t, 60, 15)
	before := p.Modes()
	t.Setenv("TERM", "xterm")
	var fails atomic.Bool
	ended := make(chan any, 1)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	go func() {
		defer func() { ended <- recover() }()
		program := &Program{In: p.TTY, Out: p.TTY, Err: p.TTY, Signals: make(chan os.Signal), Now: func() time.Time {
			if fails.Load() {
				panic("a mistake")
			}
			return time.Now()
		}}
		program.Run(ctx, []string{"top", "--data", b.folder.Path})
	}()
	p.Sees("no session yet")
	fails.Store(true)
	if got := receive(b, ended, "the panic"); got != "a mistake" {
		t.Errorf("it ended with %v", got)
	}
	given(t, p, before)
}

// A terminal of another size is drawn anew, down to one that has no room for anything.
func TestTopIsResized(t *testing.T) {
	b := newBench(t).daemon()
	b.ten()
	p := ttytest.Sit(t, 80, 24)
	before := p.Modes()
	cmd := b.process(p, []string{"NO_COLOR=1"}, "top")
	p.Sees("NEEDS YOU", "Space peek")
	for _, size := range [][2]int{{40, 10}, {20, 4}, {2, 2}, {140, 50}} {
		p.Resize(size[0], size[1])
		want := "mend the parser"[:min(size[0]-2, 5)]
		p.Until("has "+strconv.Itoa(size[0])+" columns", func(s *ttytest.Screen) bool {
			return strings.Contains(s.Text(), want) && s.Scrolled() == 0 || size[0] == 2 && s.Pictures > 0
		})
	}
	p.Sees("Space peek", "number 9")
	p.Press("q")
	_ = cmd.Wait()
	given(t, p, before)
}

// A session that floods does not make keys slow, and the screen is drawn at most thirty times a second.
//
// Proves: I14.3/flood
func TestTopInAFlood(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--title", "a flood", "--prompt", script(`[{"flood": {"lines": 0, "size": 60}}]`)}).want(t, exit.OK)
	p := ttytest.Sit(t, 100, 30)
	ended := b.at(p, "attach", "@last")
	p.Sees("a flood", "responding")
	began, first := time.Now(), 0
	p.Look(func(s *ttytest.Screen) { first = s.Pictures })
	for range 20 {
		p.Press("?")
		p.Sees("it never quits") // the help
		p.Press(" ")
		p.Sees("a flood")
	}
	took := time.Since(began)
	p.Look(func(s *ttytest.Screen) {
		if most := int(took.Seconds()*30) + 3; s.Pictures-first > most {
			t.Errorf("%d pictures in %v", s.Pictures-first, took)
		}
	})
	t.Logf("40 keys were seen on the screen in %v", took)
	p.Press("x", "x") // the flood ends
	p.Press("q")
	if code := receive(b, ended, "the end of attach"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
}

// Keys answer what a log asks while it is shown, on the terminal of run.
//
// Proves: I14.3/run_keys
func TestRunTakesAnswers(t *testing.T) {
	b := newBench(t).daemon()
	p := ttytest.Sit(t, 80, 24)
	before := p.Modes()
	ended := b.at(p, "run", "--agent", "scripted", "--cwd", b.root, script(edits))
	p.Sees("? approval", "-return nil", "+return []Item{}", "y allow once")
	p.Until("rings", func(s *ttytest.Screen) bool { return s.Bells == 1 && len(s.Notices) == 1 }) // it counts from here on
	p.Press("y")
	p.Sees("allow_once", "Mended it.", "done")
	if code := receive(b, ended, "the end of run"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
	given(t, p, before)
}

// What is pasted answers nothing, also where the log scrolls as ever.
//
// Proves: I14.3/run_keys
func TestRunTakesNoPaste(t *testing.T) {
	b := newBench(t).daemon()
	p := ttytest.Sit(t, 80, 24)
	before := p.Modes()
	ended := b.at(p, "run", "--agent", "scripted", "--cwd", b.root, script(edits))
	p.Until("rings", func(s *ttytest.Screen) bool { return s.Bells == 1 })
	p.Paste("y")
	p.Press("n")
	p.Sees("→ denied", "Left it.")
	if code := receive(b, ended, "the end of run"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
	given(t, p, before)
}

// The program alone is top where a daemon answers, and its help where none does.
func TestAlone(t *testing.T) {
	b := newBench(t)
	p := ttytest.Sit(t, 100, 120)
	if code := receive(b, b.at(p), "the end of the help"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
	p.Sees("Usage:", "ringmaster demo")
	b.daemon()
	ended := b.at(p)
	p.Sees("no session yet")
	p.Press("q")
	if code := receive(b, ended, "the end of top"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
}

// Without a terminal top says what works without one; with --plain it needs none.
func TestTopWithoutATerminal(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"top"}).want(t, exit.Usage, "needs a terminal", "ringmaster ls")
	b.stdin = "q\n"
	b.run([]string{"top", "--plain"}).want(t, exit.OK)
}
