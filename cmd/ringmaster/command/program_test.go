package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// The test binary is the scripted agent of the daemons in these tests, the program that an MCP host starts, and the one that a person starts at a
// terminal.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{scripted.Subcommand, "mcp", "serve", "top", "attach", "tail"}, os.Args[1]) {
		os.Exit(invariant.Code(Main(), os.Stderr))
	}
	// The engine counts dead letters for a second, in a goroutine of its own.
	leaks.Main(m)
}

// patience is how long a test waits for what other goroutines and processes do, before it says what is missing.
const patience = time.Minute

// bench is a place for commands: a data folder, and a folder to work in.
type bench struct {
	t      *testing.T
	folder datafolder.Folder
	root   string
	stdin  string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, folder: datafolder.Folder{Path: filepath.Join(t.TempDir(), "data")}, root: t.TempDir()}
	t.Cleanup(func() {
		if log, err := os.ReadFile(b.folder.LogFile()); t.Failed() && err == nil { // a process of its own has one
			t.Logf("the daemon's log:\n%s", log)
		}
	})
	return b
}

// daemon runs a daemon in this process until the test's end.
func (b *bench) daemon() *bench {
	b.t.Helper()
	d, err := daemon.Start(b.t.Context(), daemon.Config{
		Folder: b.folder, Roots: []string{b.root}, Listen: daemon.Listen{Address: "127.0.0.1:0"},
		Agents: daemon.Agents(b.folder, "test"), Env: os.Environ(), Version: "test", Log: zap.NewNop(),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), daemon.DrainTime)
		defer cancel()
		if err := d.Close(ctx); err != nil {
			b.t.Errorf("close the daemon: %v", err)
		}
	})
	return b
}

// result is what a command left.
type result struct {
	code     int
	out, err string
}

// run runs a command line. Each watch is called once, when its text has come out.
func (b *bench) run(args []string, watches ...*watch) result {
	b.t.Helper()
	var out, errs bytes.Buffer
	signals := make(chan os.Signal, 4)
	p := &Program{
		In: strings.NewReader(b.stdin), Out: &watched{w: &out, watches: watches, signals: signals}, Err: &errs, Signals: signals,
	}
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	code := p.Run(ctx, append(args, "--data", b.folder.Path))
	if ctx.Err() != nil && b.t.Context().Err() == nil {
		b.t.Errorf("never ended: ringmaster %s\nout: %s\nerr: %s", strings.Join(args, " "), &out, &errs)
	}
	return result{code, out.String(), errs.String()}
}

func (r result) want(t *testing.T, code int, parts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d\nout: %s\nerr: %s", r.code, code, r.out, r.err)
	}
	for _, p := range parts {
		if !strings.Contains(r.out+r.err, p) {
			t.Errorf("no %q in\nout: %s\nerr: %s", p, r.out, r.err)
		}
	}
}

// watch waits for a text of a command's output.
type watch struct {
	text string
	do   func(signals chan<- os.Signal)
	done bool
}

// watched is an output whose watches are called from a goroutine of their own, as other people are.
type watched struct {
	mu      sync.Mutex
	w       *bytes.Buffer
	watches []*watch
	signals chan os.Signal
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.w.Write(p)
	for _, x := range w.watches {
		if !x.done && strings.Contains(w.w.String(), x.text) {
			x.done = true
			go x.do(w.signals)
		}
	}
	return n, err
}

func script(steps string) string { return "```script\n" + steps + "\n```" }

func TestCtrlCInterruptsTheTurn(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "-"}, &watch{
		text: `"state":"responding"`, do: func(c chan<- os.Signal) { c <- os.Interrupt },
	})
	r.want(t, exit.Interrupted, "interrupting the turn; once more to quit", `"type":"turn_end","turnId":"t1","status":"interrupted"`)
	b.run([]string{"show", "@last"}).want(t, exit.OK, "idle")
}

func TestSecondCtrlCQuits(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"ignore": {"what": ["abort"]}}, {"say": {"text": "I begin"}}, {"stall": {}}]`)
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "-"},
		&watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) { c <- os.Interrupt }},
		&watch{text: `"state":"interrupting"`, do: func(c chan<- os.Signal) { c <- syscall.SIGTERM }})
	r.want(t, exit.Signal)
	if strings.Contains(r.out, "turn_end") {
		t.Errorf("it waited for the turn's end:\n%s", r.out)
	}
}

func TestSignalEndsTail(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exit.OK)
	r := b.run([]string{"tail", "@last"}, &watch{text: `"state":"idle"`, do: func(c chan<- os.Signal) { c <- os.Interrupt }})
	r.want(t, exit.OK, `"type":"session_start"`)
}

const approval = `[{"tool": {"name": "bash", "args": {"command": "rm -rf build"}, "approve": true, "output": ["gone"],
	"allowed": [{"say": {"text": "I was allowed"}}], "denied": [{"say": {"text": "I was denied"}}]}}]`

func TestAnswerAnApproval(t *testing.T) {
	for _, c := range []struct {
		flags []string
		said  string
	}{
		{[]string{"--allow"}, "I was allowed"},
		{[]string{"--deny"}, "I was denied"},
		{[]string{"--option", "deny"}, "I was denied"},
	} {
		b := newBench(t).daemon()
		b.stdin = script(approval)
		answered := make(chan struct{})
		r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "-"}, &watch{text: "answer with: ", do: func(chan<- os.Signal) {
			defer close(answered)
			b.run([]string{"answer", "@last", "r1", "--option", "perhaps"}).want(t, exit.Usage, "there is no option")
			b.run(append([]string{"answer", "@last", "r1"}, c.flags...)).want(t, exit.OK, "r1 ")
			b.run([]string{"answer", "@last", "r1", "--allow"}).want(t, exit.Failed, "request_already_resolved", "resolved by client:ringmaster.\n")
		}})
		receive(b, answered, "the end of the answers")
		r.want(t, exit.OK, "? approval  bash", "● "+c.said, "--allow | --deny")
	}
}

func TestAnswerAQuestion(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"ask": {"method": "select", "title": "Which colour?", "options": ["red", "blue"], "then": [{"say": {"text": "Thank you"}}]}}]`)
	answered := make(chan struct{})
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "-"}, &watch{text: "answer with: ", do: func(chan<- os.Signal) {
		defer close(answered)
		b.run([]string{"show", "@last"}).want(t, exit.OK, "waits", "Which colour?", "--option NUMBER_OR_ID")
		b.run([]string{"answer", "@last", "r1", "--option", "green"}).want(t, exit.Usage, "there is no option")
		b.run([]string{"answer", "@last", "r1", "--option", "BLUE"}).want(t, exit.OK, "r1 answered (blue): ")
	}})
	receive(b, answered, "the end of the answers")
	r.want(t, exit.OK, "? question  ", "Which colour?", "→ answered blue", "● Thank you")
}

func TestSteerAndQueue(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)
	sent := make(chan struct{})
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "-"}, &watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) {
		defer close(sent)
		b.run([]string{"send", "@last", "--follow-up", "and", "then", "this"}).want(t, exit.OK, "p2 accepted")
		b.run([]string{"ls"}).want(t, exit.OK, "responding +1")
		b.run([]string{"send", "@last", "--steer", "--follow-up", "x"}).want(t, exit.Usage, "exclude each other")
		c <- os.Interrupt
	}})
	receive(b, sent, "the end of the prompts")
	if r.code != exit.Interrupted && r.code != exit.OK {
		t.Errorf("exit code %d\n%s%s", r.code, r.out, r.err)
	}
	if !strings.Contains(r.out, `"type":"prompt_queued","promptId":"p2","text":"and then this"`) {
		t.Errorf("the queue is not in the log:\n%s", r.out)
	}
}

func TestImagesAreSent(t *testing.T) {
	b := newBench(t).daemon()
	png := filepath.Join(b.root, "a.png")
	pixel := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
	if err := os.WriteFile(png, []byte(pixel), 0o600); err != nil {
		t.Fatal(err)
	}
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "--image", png, "what is it?"})
	r.want(t, exit.OK, `"images":["sha256:`, `;image/png"]`)
}

func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a quarter of a minute")
	}
	t.Setenv("TMPDIR", t.TempDir())
	r := newBench(t).run([]string{"demo"})
	r.want(t, exit.OK, "curl -N -H", "→ allowed", "✓ done", "numbered without a gap: 1 turn, 4 tool calls", "the stream and the stored log are the same")
	if strings.ContainsRune(r.out, '\x1b') {
		t.Error("colours where there is no terminal")
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

func TestDemoCleansUpAfterCtrlC(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := newBench(t).run([]string{"demo"}, &watch{text: "› The parser", do: func(c chan<- os.Signal) { c <- os.Interrupt }})
	r.want(t, exit.Signal)
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}
