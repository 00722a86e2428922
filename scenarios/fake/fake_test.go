package fake

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		want, line string
		have       names
		is         bool
		took       string
	}{
		{want: `{"a":1}`, line: `{"a":1,"b":2}`, is: true},
		{want: `{"a":1}`, line: `{"b":2}`},
		{want: `{"a":null}`, line: `{}`},
		{want: `{"a":{"b":"x"}}`, line: `{"a":{"b":"x","c":"y"}}`, is: true},
		{want: `{"a":[{"b":1}]}`, line: `{"a":[{"b":1,"c":2}]}`, is: true},
		{want: `{"a":[1]}`, line: `{"a":[1,2]}`},
		{want: `{"a":"$id"}`, line: `{"a":"x"}`, is: true, took: "map[id:x]"},
		{want: `{"a":"$id"}`, line: `{"a":{"deep":[1]}}`, is: true, took: "map[id:map[deep:[1]]]"},
		{want: `{"a":"$id","b":["$id"]}`, line: `{"a":7,"b":[8]}`},
		{want: `{"a":"$id"}`, line: `{"a":"y"}`, have: names{"id": "x"}},
		{want: `{"path":"/session/$id/abort*"}`, line: `{"path":"/session/x/abort?directory=y"}`, have: names{"id": "x"}, is: true},
		{want: `{"path":"/*/c*"}`, line: `{"path":"/a/b/c/d"}`, is: true},
		{want: `{"path":"/*/c"}`, line: `{"path":"/a/b/c/d"}`},
		{want: `{"a":"*"}`, line: `{"a":1}`},
		{want: `{"a":"$5"}`, line: `{"a":"$5"}`, is: true},
		{want: `{}`, line: `no JSON`},
	} {
		s, err := Parse("start\n< " + c.want)
		if err != nil {
			t.Fatal(err)
		}
		if c.have == nil {
			c.have = names{}
		}
		took, is := match(s.parts[0].acts[0].want, []byte(c.line), c.have)
		if is != c.is {
			t.Errorf("%s of %s: %t", c.want, c.line, is)
		}
		if got := fmt.Sprint(map[string]any(took)); c.took != "" && got != c.took {
			t.Errorf("%s of %s took %s", c.want, c.line, got)
		}
	}
}

func TestFill(t *testing.T) {
	have := names{"id": 7.0, "path": `a "b"`, "deep": map[string]any{"x": 1.0}}
	for line, want := range map[string]string{
		`{"id":"$id"}`:                `{"id":7}`,
		`{"p":"/x/$path/y$id"}`:       `{"p":"/x/a \"b\"/y7"}`,
		`{"d":"$deep"}`:               `{"d":{"x":1}}`,
		`{"command":"echo $HOME $i"}`: `{"command":"echo $HOME $i"}`,
	} {
		if got, err := have.fill(line); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", line, got, err, want)
		}
	}
	if _, err := have.fill(`{"id":"$nobody"}`); err == nil {
		t.Error("a name that has taken nothing was filled in")
	}
}

func TestParse(t *testing.T) {
	for text, wrong := range map[string]string{
		"start\n< {}\n> x\nexit KILL\nstart\nexit 3": "",
		"version 1":               "no start",
		"< {}\nstart":             "before the first start",
		"start\n< {":              "line 2",
		"start\nexit 3\n> x":      "behind an exit",
		"start\nexit HUP":         "not \"HUP\"",
		"start\nsay x":            "unknown keyword",
		"always\n> x\nstart":      "a rule is",
		"always\n< {}\nwait 1s\n": "a rule is",
	} {
		if _, err := Parse(text); (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", text, err, wrong)
		}
	}
	text, err := Inline("use a\nstart", func(name string) (string, error) { return "version " + name + "\n", nil })
	if s, parsed := Parse(text); err != nil || parsed != nil || s.Version != "a" {
		t.Errorf("%v, %v, %q", err, parsed, text)
	}
}

// played starts a program, says some lines to it, and gives what it said, how it ended, and the stage's complaints.
func played(t *testing.T, script string, args []string, told ...string) (said string, exit adapters.Exit, wrong []string) {
	t.Helper()
	s, err := Parse(script)
	if err != nil {
		t.Fatal(err)
	}
	stage := &Stage{}
	stage.Set("agent", s)
	c, err := stage.Start(t.Context(), adapters.Launch{Path: "/bin/agent", Args: args})
	if err != nil {
		return "", exit, stage.Close()
	}
	out := make(chan string)
	go func() {
		b, _ := io.ReadAll(c.Output())
		out <- string(b)
	}()
	for _, line := range told {
		_, _ = io.WriteString(c.Input(), line+"\n")
	}
	time.Sleep(time.Second)
	_ = c.Input().Close()
	said = <-out
	return said, c.Wait(), stage.Close()
}

// TestPlay plays scripts, also such that are told what they do not say: each is complained of.
func TestPlay(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		args   []string
		told   []string
		said   string
		exit   adapters.Exit
		wrong  string
	}{
		"answers":              {script: "start\n< {\"id\":\"$id\"}\n> {\"re\":\"$id\"}", told: []string{`{"id":3}`}, said: "{\"re\":3}\n"},
		"an argument":          {script: "start --id $id\n> \"$id\"", args: []string{"-p", "--id", "x"}, said: "\"x\"\n"},
		"other arguments":      {script: "start --id x\n> a", args: []string{"--id", "y"}, wrong: "it was started with --id y"},
		"killed":               {script: "start\n> a\nexit KILL", said: "a\n", exit: adapters.Exit{Code: -1, Signal: "killed"}},
		"a status":             {script: "start\nerr why\n>| half\nexit 3", said: "half", exit: adapters.Exit{Code: 3, Stderr: []string{"why"}}},
		"a rule":               {script: "always\n< {\"q\":\"$n\"}\n> r$n\nstart\n< {\"a\":1}\n> b", told: []string{`{"q":1}`, `{"a":1}`, `{"q":2}`}, said: "r1\nb\nr2\n"},
		"a rule's own name":    {script: "always\n< {\"q\":\"$n\"}\n> r$n$id\nstart $id\n< {\"a\":\"$n\"}\n> b$n", args: []string{"x"}, told: []string{`{"a":1}`, `{"q":2}`}, said: "b1\nr2x\n"},
		"a rule meanwhile":     {script: "always\n< {\"q\":1}\n> r\nstart\nwait 100ms\n< {\"a\":1}\n> b", told: []string{`{"a":1}`, `{"q":1}`}, said: "r\nb\n"},
		"another line":         {script: "start\n< {\"a\":1}\n> b", told: []string{`{"a":2}`}, wrong: `it waits for {"a":1}, and was told {"a":2}`},
		"a line too many":      {script: "start\n< {\"a\":1}\n> b", told: []string{`{"a":1}`, `{"a":1}`}, said: "b\n", wrong: "nothing more was to come"},
		"a line too few":       {script: "start\n< {\"a\":1}\n> b", wrong: "the input has ended"},
		"a start too few":      {script: "start\n> b\nstart", said: "b\n", wrong: "the start of line 3 was not played"},
		"nothing was taken":    {script: "start\n> \"$id\"", wrong: "nothing was taken for"},
		"the end of the input": {script: "start\n> b", said: "b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				said, exit, wrong := played(t, c.script, c.args, c.told...)
				if said != c.said || fmt.Sprint(exit) != fmt.Sprint(c.exit) {
					t.Errorf("said %q, exit %v, want %q, %v", said, exit, c.said, c.exit)
				}
				all := strings.Join(wrong, "\n")
				if (all == "") != (c.wrong == "") || !strings.Contains(all, c.wrong) {
					t.Errorf("complaints %q, want %q", all, c.wrong)
				}
			})
		})
	}
}

// TestStop ends programs as a transport does.
func TestStop(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		grace  time.Duration
		exit   adapters.Exit
	}{
		"by its input": {"start\n> a", time.Second, adapters.Exit{Requested: true}},
		"deaf":         {"start\nwait 1h", time.Second, adapters.Exit{Code: -1, Signal: "terminated", Requested: true}},
		"at once":      {"start\nwait 1h", 0, adapters.Exit{Code: -1, Signal: "killed", Requested: true}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := Parse(c.script)
				if err != nil {
					t.Fatal(err)
				}
				stage := &Stage{}
				stage.Set("agent", s)
				conn, err := stage.Start(t.Context(), adapters.Launch{Path: "agent"})
				if err != nil {
					t.Fatal(err)
				}
				go func() { _, _ = io.Copy(io.Discard, conn.Output()) }()
				conn.Stop(c.grace)
				if exit := conn.Wait(); fmt.Sprint(exit) != fmt.Sprint(c.exit) {
					t.Errorf("%v, want %v", exit, c.exit)
				}
			})
		})
	}
}

// TestListens asks a program over HTTP, hears its events, and loses it.
func TestListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := Parse(`listens serving at
start
< {"http":"call","n":"$n","method":"POST","path":"/do?x=y","body":{"a":1}}
> {"type":"doing"}
> {"http":"answer","n":"$n","status":202,"body":{"b":2}}
cut
< {"http":"stream","state":"open"}
> {"type":"back"}
exit KILL
`)
		if err != nil {
			t.Fatal(err)
		}
		stage := &Stage{}
		stage.Set("agent", s)
		conn, err := stage.Start(t.Context(), adapters.Launch{Path: "agent"})
		if err != nil {
			t.Fatal(err)
		}
		said, err := bufio.NewReader(conn.Output()).ReadString('\n')
		at, ok := strings.CutPrefix(strings.TrimSpace(said), "serving at ")
		if err != nil || !ok {
			t.Fatal(said, err)
		}
		client := &http.Client{Transport: &http.Transport{DialContext: stage.DialContext}}
		defer client.CloseIdleConnections()
		listen := func() (events []string) {
			r, err := client.Get(at + "/event")
			if err != nil {
				t.Error(err)
				return nil
			}
			defer r.Body.Close()
			b, _ := io.ReadAll(r.Body) // ends with the connection
			return strings.Fields(strings.ReplaceAll(string(b), "data: ", ""))
		}
		heard := make(chan []string)
		go func() { heard <- listen() }()
		synctest.Wait()
		r, err := client.Post(at+"/do?x=y", "application/json", strings.NewReader(`{"a":1}`))
		if err != nil || r.StatusCode != http.StatusAccepted {
			t.Fatal(r, err)
		}
		_ = r.Body.Close()
		if got := fmt.Sprint(<-heard); got != `[{"type":"doing"}]` {
			t.Error(got)
		}
		if got := fmt.Sprint(listen()); got != `[{"type":"back"}]` {
			t.Error(got)
		}
		if exit := conn.Wait(); exit.Signal != "killed" {
			t.Error(exit)
		}
		if _, err := stage.DialContext(context.Background(), "tcp", strings.TrimPrefix(at, "http://")); err == nil {
			t.Error("it still listens")
		}
		if wrong := stage.Close(); len(wrong) > 0 {
			t.Error(wrong)
		}
	})
}
