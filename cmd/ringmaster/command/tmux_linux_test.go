package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// tmux is a terminal of a kind that people have: not one of ours.
type tmux struct {
	t      *testing.T
	socket string
	keys   int
}

// newTmux has a shell on a terminal of 80 columns and 24 rows.
func newTmux(t *testing.T, env ...string) *tmux {
	t.Helper()
	for _, program := range []string{"tmux", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not here: the same is shown by TestTopInTenKeys on a terminal of our own", program)
		}
	}
	m := &tmux{t: t, socket: filepath.Join(t.TempDir(), "s")}
	args := []string{"-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24"}
	for _, e := range env {
		args = append(args, "-e", e)
	}
	m.do(append(args, "bash --norc --noprofile -i")...)
	t.Cleanup(func() { m.do("kill-server") })
	m.do("set-option", "-g", "escape-time", "10")
	return m
}

func (m *tmux) do(args ...string) string {
	m.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "LANG=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil && args[0] != "kill-server" {
		m.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// press types keys, by the names of tmux.
func (m *tmux) press(keys ...string) {
	m.t.Helper()
	for _, k := range keys {
		m.keys++
		m.do("send-keys", k)
	}
}

// sees waits until all texts are on the screen.
func (m *tmux) sees(texts ...string) {
	m.t.Helper()
	m.until(func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	}, "shows "+strings.Join(texts, ", "))
}

func (m *tmux) until(is func(screen string) bool, what string) {
	m.t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		screen := m.do("capture-pane", "-p")
		if is(screen) {
			return
		}
		select {
		case <-look.C:
		case <-late.C:
			m.t.Fatalf("the screen never %s:\n%s", what, screen)
		}
	}
}

// A log that is followed goes on in the background, where it has no keys, and has them again in the foreground.
func TestTailInTheBackground(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--prompt", script(edits)}).want(t, exit.OK)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	m := newTmux(t, "RINGMASTER_DATA="+b.folder.Path)
	line := func(text string) {
		m.do("send-keys", "-l", text)
		m.do("send-keys", "Enter")
	}
	line("PS1=shell; PS1=$PS1'>'")
	m.sees("\nshell>")
	line("clear; " + self + " tail @last")
	m.sees("y allow once")
	m.press("C-z")
	m.sees("Stopped", "shell>")
	line("clear; bg") // what the shell says of it may be drawn over by what runs
	b.run([]string{"send", "@last", "--steer", "and more"}).want(t, exit.OK)
	m.sees("and more")
	jobs := filepath.Join(t.TempDir(), "jobs")
	line("jobs >" + jobs)
	m.until(func(string) bool {
		said, _ := os.ReadFile(jobs)
		return strings.Contains(string(said), "Running")
	}, "goes on in the background")
	line("clear; fg")
	m.sees("y allow once")
	m.until(func(string) bool { // it takes keys again once the shell has given it the terminal
		m.press("n")
		return strings.Contains(m.do("capture-pane", "-p"), "Left it.")
	}, "takes keys again")
	m.press("C-c")
	m.sees("shell>")
}

// In tmux: a person finds which of ten sessions needs them, reads the diff, allows, goes to the shell and back, steers and interrupts another turn.
//
// Proves: I14.3/tmux
func TestTopInTmux(t *testing.T) {
	b := newBench(t).daemon()
	b.ten()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	m := newTmux(t, "RINGMASTER_DATA="+b.folder.Path)
	m.do("send-keys", "-l", "PS1=shell; PS1=$PS1'>'")
	m.do("send-keys", "Enter")
	m.sees("\nshell>")
	m.do("send-keys", "-l", self+" top")
	m.do("send-keys", "Enter")
	m.sees("1 need you", "▸ mend the parser", "Space peek")
	m.press("Space")
	m.sees("scripted wants to use edit", "-return nil", "+return []Item{}", "y allow once")
	m.until(func(s string) bool { return !strings.Contains(s, "reading the call") }, "has read the call")
	m.press("y")
	m.until(func(s string) bool { return !strings.Contains(s, "NEEDS YOU") && strings.Contains(s, "IDLE") }, "lets it go")
	if m.keys > 10 {
		t.Errorf("%d keys", m.keys)
	}
	m.press("C-z")
	m.sees("Stopped", "shell>")
	m.do("send-keys", "-l", "echo $((6*7))") // the shell has its terminal
	m.do("send-keys", "Enter")
	m.sees("42")
	m.do("send-keys", "-l", "fg")
	m.do("send-keys", "Enter")
	m.sees("Space peek", "mend the parser")
	m.press("/")
	m.do("send-keys", "-l", "mend")
	m.press("Enter", "p")
	m.do("send-keys", "-l", "```script")
	m.press("C-j")
	m.do("send-keys", "-l", `[{"say": {"text": "I begin"}}, {"stall": {}}]`)
	m.press("C-j")
	m.do("send-keys", "-l", "```")
	m.press("Enter", "Enter")
	m.sees("I begin", "responding")
	m.do("resize-window", "-x", "100", "-y", "30")
	m.sees(`"edits": [{"oldText": "return nil", "newText": "return []Item{}"}]}, "allowed": [{"say":`) // wrapped for a hundred columns
	m.press("x", "x")
	m.sees("■ interrupted")
	m.press("q")
	m.sees("shell>", "42") // what was there before is there again
}
