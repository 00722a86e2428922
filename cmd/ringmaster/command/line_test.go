package command

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// A hint that a person copies names the session that was looked at: another one that was made meanwhile is not answered. What was answered is
// said, and where.
func TestHintsNameTheirSession(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(approval)
	answered := make(chan struct{})
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "-"}, &watch{text: "answer with: ", do: func(chan<- os.Signal) {
		defer close(answered)
		first := strings.TrimSpace(b.run([]string{"ls", "--json"}).out)
		var page resource.SessionPage
		if err := json.Unmarshal([]byte(first), &page); err != nil || len(page.Sessions) != 1 {
			t.Errorf("list: %v, %s", err, first)
			return
		}
		id := page.Sessions[0].ID
		tail := b.run([]string{"tail", "@last", "--human"}, &watch{text: "answer with: ", do: func(c chan<- os.Signal) { c <- os.Interrupt }})
		tail.want(t, exit.OK, "answer with: ringmaster answer "+id[:8]+" r1 ")
		b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exit.OK)
		b.run([]string{"answer", id[:8], "r1", "--allow"}).want(t, exit.OK, "r1 allowed", "bash", "rm -rf build", id, "scripted", b.root)
	}})
	receive(b, answered, "the end of the answers")
	r.want(t, exit.OK, "● I was allowed")
}

func TestTitleFallsBackToTheFirstPrompt(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "say\nhello"}).want(t, exit.OK)
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--title", "given", "another"}).want(t, exit.OK)
	r := b.run([]string{"ls"})
	r.want(t, exit.OK, "say hello", "given")
	if strings.Contains(r.out, "another") {
		t.Errorf("a session with a title is called by its prompt:\n%s", r.out)
	}
}

// Ctrl-C with prompts that wait says what becomes of them: they come next.
func TestCtrlCSaysWhatWaits(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "-"}, &watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) {
		b.run([]string{"send", "@last", script(`[{"stall": {}}]`)}).want(t, exit.OK, "p2 accepted")
		b.run([]string{"send", "@last", "and this"}).want(t, exit.OK, "p3 accepted")
		c <- os.Interrupt
	}}).want(t, exit.Interrupted, "2 prompts wait and come next", "ringmaster interrupt ", " --clear")
	b.run([]string{"tail", "@last"}, &watch{text: `"type":"turn_start","turnId":"t2"`, do: func(c chan<- os.Signal) { c <- os.Interrupt }}).want(t, exit.OK)
}

func TestInterruptClears(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--prompt", script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)}).want(t, exit.OK)
	b.run([]string{"tail", "@last"}, &watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) { c <- os.Interrupt }}).want(t, exit.OK)
	for _, text := range []string{"second", "third"} {
		b.run([]string{"send", "@last", text}).want(t, exit.OK, "accepted")
	}
	b.run([]string{"interrupt", "@last", "--clear"}).want(t, exit.OK, "interrupting t1; taken from the queue: p2, p3")
	r := b.run([]string{"log", "@last"})
	r.want(t, exit.OK, `"type":"prompt_removed","promptId":"p2","reason":"cancelled"`, `"type":"prompt_removed","promptId":"p3","reason":"cancelled"`)
	if strings.Contains(r.out, `"turnId":"t2"`) {
		t.Errorf("a prompt began before it was taken out:\n%s", r.out)
	}
}

// A reader that has seen enough ends tail, also while nothing comes.
func TestTailEndsWithItsReader(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exit.OK)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 1)
	p := &Program{In: strings.NewReader(""), Out: w, Err: os.Stderr, Signals: make(chan os.Signal)}
	go func() { ended <- p.Run(t.Context(), []string{"tail", "@last", "--data", b.folder.Path}) }()
	seen := make([]byte, 1<<10)
	if n, err := r.Read(seen); n == 0 || err != nil {
		t.Fatal(n, err)
	}
	_ = r.Close()
	select {
	case code := <-ended:
		if code != exit.OK {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("tail goes on without its reader")
	}
	_ = w.Close()
}

func TestHintsSpeakOfCommands(t *testing.T) {
	b := newBench(t).daemon()
	r := b.run([]string{"new", "--agent", "nobody", "--cwd", b.root})
	r.want(t, exit.NoAgent, "ringmaster agents lists the agents")
	gone := b.run([]string{"show", "00000000-0000-4000-8000-000000000000"})
	gone.want(t, exit.Failed, "ringmaster ls lists the sessions")
	for _, text := range []string{r.err, gone.err} {
		if strings.Contains(text, "GET ") || strings.Contains(text, "POST ") {
			t.Errorf("a hint speaks of routes: %s", text)
		}
	}
}

// A person's command never brings the administrator's token to another machine.
func TestTokenStaysOnThisMachine(t *testing.T) {
	b := newBench(t).daemon()
	for _, args := range [][]string{
		{"ls", "--address", "http://192.0.2.1:1"},
		{"ls", "--address", "http://example.invalid:1"},
		{"ls", "--address", "192.0.2.1:1", "--token-file", b.folder.TokenFile()},
	} {
		b.run(args).want(t, exit.Failed, "the administrator's token", "--token-file")
	}
	b.run([]string{"ls", "--address", "localhost:1"}).want(t, exit.NoDaemon)
	own := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(own, []byte(strings.Repeat("a", 40)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (lifecycle.Place{Folder: b.folder, Address: "192.0.2.1:1", TokenFile: own}).Find(); err != nil {
		t.Errorf("another token may go there: %v", err)
	}
}

func TestVersionEverywhere(t *testing.T) {
	b := newBench(t)
	for _, args := range [][]string{{"--version"}, {"ls", "--version"}, {"answer", "--version"}, {"prompts", "move", "--version"}, {"completion", "bash", "--version"}, {"help", "--version"}, {"version"}} {
		b.run(args).want(t, exit.OK, "ringmaster "+buildVersion()+" ")
	}
}

// TestNothingIsSaid: a command that finds nothing says so, beside its output.
func TestNothingIsSaid(t *testing.T) {
	b := newBench(t).daemon()
	if r := b.run([]string{"ls"}); !strings.Contains(r.err, "no session is there") {
		t.Errorf("ls: %q", r.err)
	}
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exit.OK)
	if r := b.run([]string{"prompts", "@last"}); !strings.Contains(r.err, "no prompt waits") || r.out != "" {
		t.Errorf("prompts: %q, %q", r.out, r.err)
	}
}

// TestStatesAreCompleted: --state takes every state that a session can have.
func TestStatesAreCompleted(t *testing.T) {
	var out strings.Builder
	p := &Program{Out: &out, Err: io.Discard, Signals: make(chan os.Signal)}
	if code := p.Run(t.Context(), []string{"__complete", "ls", "--state="}); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
	for _, row := range core.Table {
		for _, s := range row.To {
			if !slices.Contains(strings.Fields(out.String()), string(s)) {
				t.Errorf("no %s in %s", s, &out)
			}
		}
	}
}

// A command line that is wrong says which command's help to read, and what may have been meant.
func TestUsageHints(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"tail"}, "ringmaster: tail: wrong number of arguments (0); usage: ringmaster tail SESSION [flags]\n  hint: ringmaster tail --help shows how it is used\n"},
		{[]string{"ls", "--bogus"}, "ringmaster: unknown flag: --bogus\n  hint: ringmaster ls --help shows how it is used\n"},
		{[]string{"serve"}, "  hint: ringmaster serve --help shows how it is used\n"},
		{[]string{"strat"}, "ringmaster: unknown command \"strat\" for \"ringmaster\"\n  hint: did you mean: ringmaster state\n"},
		{[]string{"xyzzy"}, "ringmaster: unknown command \"xyzzy\" for \"ringmaster\"\n  hint: ringmaster --help shows how it is used\n"},
	} {
		b.run(c.args).want(t, exit.Usage, c.want)
	}
	b.daemon()
	b.run([]string{"show", "@first"}).want(t, exit.Usage, "@first\" names no session", "hint: ringmaster ls shows the sessions\n")
}

// Ctrl-C ends a command that waits for what somebody is to write.
func TestCtrlCWhileInputIsRead(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--agent", "scripted", "-"},
		{"send", "@last", "-"},
		{"import", "--agent", "scripted", "-"},
	} {
		in, typist := io.Pipe()
		signals := make(chan os.Signal, 1)
		read := make(chan struct{})
		var errs bytes.Buffer
		p := &Program{In: &announced{in, read}, Out: io.Discard, Err: &errs, Signals: signals}
		go func() {
			<-read
			signals <- os.Interrupt
		}()
		if code := p.Run(t.Context(), append(args, "--data", t.TempDir())); code != exit.Signal {
			t.Errorf("%s: exit code %d, %s", args[0], code, errs.String())
		}
		if errs.Len() > 0 {
			t.Errorf("%s: said %s", args[0], errs.String())
		}
		_ = typist.Close() // ends the read that was left behind
	}
}

// announced tells of its first read.
type announced struct {
	io.Reader
	read chan struct{}
}

func (a *announced) Read(b []byte) (int, error) {
	close(a.read)
	return a.Reader.Read(b)
}

// Ctrl-C ends a command also while its daemon does not answer, before there is a turn to interrupt or a log to follow.
func TestCtrlCWithoutAnAnswer(t *testing.T) {
	for _, args := range [][]string{
		{"tail", "@last"},
		{"run", "--agent", "scripted", "hello"},
		{"send", "@last", "hello", "--wait"},
	} {
		signals := make(chan os.Signal, 1)
		srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case signals <- os.Interrupt:
			default: // it is told already
			}
			<-r.Context().Done()
		}))
		p := &Program{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Signals: signals}
		if code := p.Run(t.Context(), append(args, "--address", srv.URL, "--data", t.TempDir())); code != exit.Signal {
			t.Errorf("%s: exit code %d", args[0], code)
		}
		srv.Close()
	}
}
