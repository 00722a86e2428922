package command

import (
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
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
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
		tail.want(t, exitOK, "answer with: ringmaster answer "+id[:8]+" r1 ")
		b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exitOK)
		b.run([]string{"answer", id[:8], "r1", "--allow"}).want(t, exitOK, "r1 allowed", "bash", "rm -rf build", id, "scripted", b.root)
	}})
	receive(b, answered, "the end of the answers")
	r.want(t, exitOK, "● I was allowed")
}

// serveSessions is a daemon that has these sessions, newest first.
func serveSessions(t *testing.T, list []resource.SessionSummary) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := resource.SessionPage{Total: len(list)}
		states := r.URL.Query()["state"]
		for _, s := range list {
			if len(states) == 0 || strings.Contains(strings.Join(states, " "), string(s.Status.State)) {
				page.Sessions = append(page.Sessions, s)
			}
		}
		_ = json.NewEncoder(w).Encode(page)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func family() []resource.SessionSummary {
	ids := [...]string{
		"00000000-0000-4000-8000-000000000000", "10000000-0000-4000-8000-000000000000", "20000000-0000-4000-8000-000000000000",
		"30000000-0000-4000-8000-000000000000", "40000000-0000-4000-8000-000000000000",
	}
	s := func(n int, parent string, state protocol.State) resource.SessionSummary {
		return resource.SessionSummary{
			ID: ids[n], Agent: "pi", Cwd: "/work", ParentSessionID: parent, CreatedAt: time.Unix(int64(1000-n), 0),
			Status: protocol.Status{State: state}, FirstPrompt: "tidy up the " + ids[n][:1],
		}
	}
	list := []resource.SessionSummary{
		s(0, ids[3], protocol.StateIdle), s(1, "", protocol.StateIdle), s(2, ids[0], protocol.StateAwaitingApproval), s(3, "", protocol.StateResponding),
		s(4, "", protocol.StateIdle),
	}
	list[0].Spawned, list[2].SubAgent = true, true
	list[4].Title = "a title"
	list[1].Owner = "robot"
	return list
}

func TestLastIsAPersonsRoot(t *testing.T) {
	list := family()
	host := list[1] // with its user's own token
	host.ID, host.Owner, host.Via = "50000000-0000-4000-8000-000000000000", "", protocol.ViaMCP
	list = append([]resource.SessionSummary{host}, list...)
	c, err := client.Find(client.Place{Address: serveSessions(t, list)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if id, err := resolve(t.Context(), c, lastSession); err != nil || id != list[4].ID {
		t.Errorf("@last is %s, %v; want the newest that a person made, %s", id, err, list[4].ID)
	}
}

// What waits for somebody stands first, with its whole family, and a child below its parent.
func TestListShowsFamilies(t *testing.T) {
	r := newBench(t).run([]string{"ls", "--address", serveSessions(t, family())})
	r.want(t, exitOK)
	var got []string
	for _, l := range strings.Split(strings.TrimRight(r.out, "\n"), "\n")[1:] {
		got = append(got, l[:15]+"|"+l[strings.LastIndex(l, "  ")+2:])
	}
	want := []string{
		"  30000000     |tidy up the 3",
		"    00000000   |tidy up the 0",
		"?     20000000 |tidy up the 2",
		"  10000000     |tidy up the 1",
		"  40000000     |a title",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s\nof\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), r.out)
	}
}

func TestTitleFallsBackToTheFirstPrompt(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "say\nhello"}).want(t, exitOK)
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--title", "given", "another"}).want(t, exitOK)
	r := b.run([]string{"ls"})
	r.want(t, exitOK, "say hello", "given")
	if strings.Contains(r.out, "another") {
		t.Errorf("a session with a title is called by its prompt:\n%s", r.out)
	}
}

func TestPickOption(t *testing.T) {
	known := []protocol.Option{{ID: "q1-o1", Label: "Yes, all of them"}, {ID: "q1-o2", Label: "No"}, {ID: "1", Label: "One"}}
	for name, want := range map[string]string{
		"yes, ALL of them": "q1-o1",
		"Yes, all of them": "q1-o1",
		"2":                "q1-o2",
		"1":                "1", // an id goes before a number
		"No,q1-o1":         "q1-o2 q1-o1",
		"3":                "1",
		"No,2":             "",
		"4":                "",
		"0":                "",
	} {
		got, err := pickSome(known, name)
		if strings.Join(got, " ") != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v; want %q", name, got, err, want)
		}
	}
}

// Ctrl-C with prompts that wait says what becomes of them: they come next.
func TestCtrlCSaysWhatWaits(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "-"}, &watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) {
		b.run([]string{"send", "@last", script(`[{"stall": {}}]`)}).want(t, exitOK, "p2 accepted")
		b.run([]string{"send", "@last", "and this"}).want(t, exitOK, "p3 accepted")
		c <- os.Interrupt
	}}).want(t, exitInterrupted, "2 prompts wait and come next", "ringmaster interrupt ", " --clear")
	b.run([]string{"tail", "@last"}, &watch{text: `"type":"turn_start","turnId":"t2"`, do: func(c chan<- os.Signal) { c <- os.Interrupt }}).want(t, exitOK)
}

func TestInterruptClears(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--prompt", script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)}).want(t, exitOK)
	b.run([]string{"tail", "@last"}, &watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) { c <- os.Interrupt }}).want(t, exitOK)
	for _, text := range []string{"second", "third"} {
		b.run([]string{"send", "@last", text}).want(t, exitOK, "accepted")
	}
	b.run([]string{"interrupt", "@last", "--clear"}).want(t, exitOK, "interrupting t1; taken from the queue: p2, p3")
	r := b.run([]string{"log", "@last"})
	r.want(t, exitOK, `"type":"prompt_removed","promptId":"p2","reason":"cancelled"`, `"type":"prompt_removed","promptId":"p3","reason":"cancelled"`)
	if strings.Contains(r.out, `"turnId":"t2"`) {
		t.Errorf("a prompt began before it was taken out:\n%s", r.out)
	}
}

// A reader that has seen enough ends tail, also while nothing comes.
func TestTailEndsWithItsReader(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exitOK)
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
		if code != exitOK {
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
	r.want(t, exitNoAgent, "ringmaster agents lists the agents")
	gone := b.run([]string{"show", "00000000-0000-4000-8000-000000000000"})
	gone.want(t, exitFailed, "ringmaster ls lists the sessions")
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
		b.run(args).want(t, exitFailed, "the administrator's token", "--token-file")
	}
	b.run([]string{"ls", "--address", "localhost:1"}).want(t, exitNoDaemon)
	own := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(own, []byte(strings.Repeat("a", 40)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Find(client.Place{Folder: b.folder, Address: "192.0.2.1:1", TokenFile: own}); err != nil {
		t.Errorf("another token may go there: %v", err)
	}
}

func TestVersionEverywhere(t *testing.T) {
	b := newBench(t)
	for _, args := range [][]string{{"--version"}, {"ls", "--version"}, {"answer", "--version"}, {"prompts", "move", "--version"}, {"completion", "bash", "--version"}, {"help", "--version"}, {"version"}} {
		b.run(args).want(t, exitOK, "ringmaster "+buildVersion()+" ")
	}
}

// TestNothingIsSaid: a command that finds nothing says so, beside its output.
func TestNothingIsSaid(t *testing.T) {
	b := newBench(t).daemon()
	if r := b.run([]string{"ls"}); !strings.Contains(r.err, "no session is there") {
		t.Errorf("ls: %q", r.err)
	}
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exitOK)
	if r := b.run([]string{"prompts", "@last"}); !strings.Contains(r.err, "no prompt waits") || r.out != "" {
		t.Errorf("prompts: %q, %q", r.out, r.err)
	}
}

// TestStatesAreCompleted: --state takes every state that a session can have.
func TestStatesAreCompleted(t *testing.T) {
	var out strings.Builder
	p := &Program{Out: &out, Err: io.Discard, Signals: make(chan os.Signal)}
	if code := p.Run(t.Context(), []string{"__complete", "ls", "--state="}); code != exitOK {
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
