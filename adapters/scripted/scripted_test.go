package scripted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) {
	if args := os.Args[1:]; len(args) > 0 && args[0] == Subcommand {
		os.Exit(Main(args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	leaks.Main(m)
}

// client is the other side of an agent.
type client struct {
	t      testing.TB
	conn   adapters.Conn
	framer *process.Framer
}

func connect(t testing.TB, transport adapters.Transport, launch adapters.Launch) *client {
	t.Helper()
	conn, err := transport.Start(context.Background(), launch)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t, conn, process.NewFramer(conn.Output(), 0)}
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn.Input(), line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// until reads to the first line that contains what, and returns it.
func (c *client) until(what string) string {
	c.t.Helper()
	for {
		frame, err := c.framer.Next()
		if err != nil {
			c.t.Fatalf("no line with %q before the end: %v", what, err)
		}
		if strings.Contains(string(frame.Line), what) {
			return string(frame.Line)
		}
	}
}

// end reads the rest and returns it with the exit.
func (c *client) end() (rest []string, exit adapters.Exit) {
	for {
		frame, err := c.framer.Next()
		if err != nil {
			return rest, c.conn.Wait()
		}
		rest = append(rest, string(frame.Line))
	}
}

const settled = `"type":"agent_settled"`

// The in-memory transport ends agents as the process transport does.
func TestTransportStop(t *testing.T) {
	tests := []struct {
		name, script string
		grace        time.Duration
		took         time.Duration
		want         adapters.Exit
	}{
		{"ends with its stdin", `{}`, time.Minute, 0, adapters.Exit{Requested: true}},
		{"ends with SIGTERM", `{"ignore":["stdin"]}`, 8 * time.Second, 2 * time.Second, adapters.Exit{Code: 143, Requested: true}},
		{"ends with SIGKILL", `{"ignore":["stdin","term"]}`, 8 * time.Second, 8 * time.Second, adapters.Exit{Code: -1, Signal: "killed", Requested: true}},
		{"killed at once", `{"ignore":["stdin","term"]}`, 0, 0, adapters.Exit{Code: -1, Signal: "killed", Requested: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connect(t, Transport{Script: []byte(tt.script)}, adapters.Launch{Args: []string{Subcommand}})
				c.send(`{"id":"1","type":"get_state"}`)
				c.until("get_state")
				began := time.Now()
				c.conn.Stop(tt.grace)
				c.conn.Stop(time.Hour) // must not give time back
				_, exit := c.end()
				if took := time.Since(began); took != tt.took || fmt.Sprint(exit) != fmt.Sprint(tt.want) {
					t.Errorf("after %v %+v, want after %v %+v", took, exit, tt.took, tt.want)
				}
				c.conn.Stop(0)
			})
		})
	}
}

// An agent that writes more than a pipe holds blocks until it is read, and a kill frees it.
func TestTransportBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Transport{Script: []byte(`{"default":{"steps":[{"flood":{}}]}}`)}, adapters.Launch{})
		c.send(`{"id":"1","type":"prompt","message":"go"}`)
		synctest.Wait() // all goroutines of the bubble block: the flood does
		for range 1000 {
			if _, err := c.framer.Next(); err != nil {
				t.Fatal(err)
			}
		}
		c.conn.Stop(0)
		if rest, exit := c.end(); len(rest) > 1000 || exit.Signal != "killed" {
			t.Errorf("%d lines, %+v", len(rest), exit)
		}
	})
}

// A flood for ever obeys an abort.
func TestFloodObeysAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Transport{Script: []byte(`{"default":{"steps":[{"flood":{}}]}}`)}, adapters.Launch{})
		c.send(`{"id":"1","type":"prompt","message":"go"}`)
		c.until("text_delta")
		c.send(`{"id":"2","type":"abort"}`)
		if line := c.until(settled); !strings.Contains(line, `"aborted":true`) {
			t.Error(line)
		}
		_ = c.conn.Input().Close()
		if _, exit := c.end(); !exit.Clean() {
			t.Errorf("exit %+v", exit)
		}
	})
}

// A flood with a seed has other words in each delta, the same ones with the same seed, and the end of the message has them all.
func TestFloodOfWords(t *testing.T) {
	delta := regexp.MustCompile(`"delta":"([^"]{60})"`)
	var said []string
	for _, seed := range []int{7, 7, 8} {
		synctest.Test(t, func(t *testing.T) {
			script := fmt.Sprintf(`{"default":{"steps":[{"flood":{"lines":500,"size":60,"seed":%d}}]}}`, seed)
			c := connect(t, Transport{Script: []byte(script)}, adapters.Launch{})
			c.send(`{"id":"1","type":"prompt","message":"go"}`)
			var text strings.Builder
			words := map[string]bool{}
			whole := false
			for line := ""; !strings.Contains(line, settled); line = c.until(`"`) {
				if d := delta.FindStringSubmatch(line); d != nil {
					text.WriteString(d[1])
					words[d[1]] = true
				}
				whole = whole || strings.Contains(line, `"text_end"`) && strings.Contains(line, text.String())
			}
			if len(words) != 500 || !whole {
				t.Errorf("%d different deltas of 500; the end of the message has them all: %v", len(words), whole)
			}
			said = append(said, text.String())
			c.conn.Stop(0)
			c.end()
		})
	}
	if said[0] != said[1] || said[0] == said[2] {
		t.Error("the words are not the seed's")
	}
}

func TestTransportStart(t *testing.T) {
	broken := errors.New("no such program")
	if _, err := (Transport{Failure: broken}).Start(t.Context(), adapters.Launch{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	for name, args := range map[string][]string{
		"unknown flag":    {"--frobnicate"},
		"unknown model":   {"--model", "ghost"},
		"unknown script":  {"--script", "/no/such/script"},
		"unknown mode":    {"--mode", "tui"},
		"stray argument":  {"hello"},
		"bad session id":  {"--session-id", "../up", "--session-dir", t.TempDir()},
		"unusable folder": {"--session-id", "x", "--session-dir", os.DevNull + "/x"},
	} {
		c := connect(t, Transport{}, adapters.Launch{Args: args})
		if _, exit := c.end(); exit.Code != 1 || len(exit.Stderr) == 0 || !strings.HasPrefix(exit.Stderr[0], "Error: ") {
			t.Errorf("%s: %+v", name, exit)
		}
	}
	c := connect(t, Transport{Script: []byte(`{"turns":[{"steps":[{"sing":{}}]}]}`)}, adapters.Launch{})
	if _, exit := c.end(); exit.Code != 1 || !strings.Contains(exit.Stderr[0], "turns[0].steps[0].sing: unknown step") {
		t.Errorf("broken script: %+v", exit)
	}
}

// entries reads the entries of a session: "type role stopReason text".
func (c *client) entries(since string) (ids, what []string) {
	c.t.Helper()
	c.send(`{"id":"e","type":"get_entries"` + since + `}`)
	var r struct {
		Data struct {
			Entries []struct {
				ID, Type string
				Message  struct {
					Role, StopReason string
					Content          json.RawMessage
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(c.until(`"command":"get_entries"`)), &r); err != nil {
		c.t.Fatal(err)
	}
	for _, e := range r.Data.Entries {
		ids = append(ids, e.ID)
		what = append(what, strings.Join(strings.Fields(e.Type+" "+e.Message.Role+" "+e.Message.StopReason), " "))
	}
	return ids, what
}

// Sessions survive their agent: ended, terminated and killed in the middle of a text or a tool. What a killed run had
// half done is not there.
func TestResume(t *testing.T) {
	const script = `{"turns":[
		{"match":"text","steps":[{"say":{"text":"A long answer in small pieces.","every":"100ms"}}]},
		{"match":"tool","steps":[{"tool":{"name":"bash","output":["one\n","two\n"],"every":"100ms"}}]}],
		"default":{"steps":[{"say":{"text":"Yes."}}]}}`
	tests := []struct {
		name, prompt string
		stop         func(adapters.Conn)
		code         int
		want         []string // behind the user message
	}{
		{"stdin ends in a text", "text", func(c adapters.Conn) { _ = c.Input().Close() }, 0, []string{"message assistant aborted"}},
		{
			"stdin ends in a tool", "tool", func(c adapters.Conn) { _ = c.Input().Close() }, 0,
			[]string{"message assistant toolUse", "message toolResult", "message assistant aborted"},
		},
		{"killed in a text", "text", func(c adapters.Conn) { c.Stop(0) }, -1, nil},
		{"killed in a tool", "tool", func(c adapters.Conn) { c.Stop(0) }, -1, []string{"message assistant toolUse"}},
	}
	for _, tt := range tests {
		for _, where := range []string{"memory", "files"} {
			t.Run(tt.name+" "+where, func(t *testing.T) {
				dir := t.TempDir()
				synctest.Test(t, func(t *testing.T) {
					transport := Transport{Script: []byte(script)}
					launch := adapters.Launch{Args: []string{"--session-id", "s-1", "--session-dir", dir}}
					if where == "memory" {
						transport.Sessions = &Memory{}
					}
					c := connect(t, transport, launch)
					c.send(`{"id":"1","type":"prompt","message":"` + tt.prompt + `"}`)
					time.Sleep(150 * time.Millisecond) // virtual
					tt.stop(c.conn)
					if _, exit := c.end(); exit.Code != tt.code {
						t.Errorf("exit %+v", exit)
					}

					c = connect(t, transport, launch)
					ids, what := c.entries("")
					want := append([]string{"model_change", "thinking_level_change", "message system", "message user"}, tt.want...)
					if fmt.Sprint(what) != fmt.Sprint(want) {
						t.Errorf("entries\n%q, want\n%q", what, want)
					}
					c.send(`{"id":"2","type":"prompt","message":"next"}`)
					c.until(settled)
					_, later := c.entries(`,"since":"` + ids[len(ids)-1] + `"`)
					if fmt.Sprint(later) != fmt.Sprint([]string{"message user", "message assistant stop"}) {
						t.Errorf("later entries %q", later)
					}
					_ = c.conn.Input().Close()
					if _, exit := c.end(); !exit.Clean() || len(exit.Stderr) > 0 {
						t.Errorf("exit %+v: a session that exists is no reason for a warning", exit)
					}
				})
			})
		}
	}
}

// A torn last line, as a kill in the middle of a write leaves it, is cut off.
func TestTornSessionFile(t *testing.T) {
	dir := t.TempDir()
	launch := adapters.Launch{Args: []string{"--session-id", "s", "--session-dir", dir, "--script", "echo"}}
	run := func() []string {
		c := connect(t, Transport{}, launch)
		c.send(`{"id":"1","type":"prompt","message":"hello"}`)
		c.until(settled)
		_, what := c.entries("")
		_ = c.conn.Input().Close()
		c.end()
		return what
	}
	first := run()
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*_s.jsonl"))
	if len(files) != 1 {
		t.Fatalf("session files %q", files)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString(`{"type":"message","id":"dead`)
	f.Close()
	if second := run(); len(second) != len(first)+2 {
		t.Errorf("%d entries, then %d", len(first), len(second))
	}
	text, err := os.ReadFile(files[0])
	if err != nil || bytes.Contains(text, []byte(`"dead`)) {
		t.Errorf("the torn line is still there: %v", err)
	}
}

// The built-in scripts are right, and the demonstration plays to its end within its time, whatever is answered.
func TestExamples(t *testing.T) {
	for _, name := range Examples() {
		text, _ := Example(name)
		if _, err := Parse(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, confirmed := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			c := connect(t, Transport{}, adapters.Launch{Args: []string{"--script", "demo"}})
			c.send(`{"id":"1","type":"prompt","message":"Please fix the failing test."}`)
			var d dialogRequest
			if err := json.Unmarshal([]byte(c.until("extension_ui_request")), &d); err != nil {
				t.Fatal(err)
			}
			c.send(fmt.Sprintf(`{"type":"extension_ui_response","id":%q,"confirmed":%v}`, d.ID, confirmed))
			last := c.until(`"type":"agent_end"`)
			if fixed := strings.Contains(last, "Fixed:"); fixed != confirmed {
				t.Errorf("confirmed %v, fixed %v", confirmed, fixed)
			}
			c.until(settled)
			if took := time.Since(began); took < 8*time.Second || took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			_ = c.conn.Input().Close()
			c.end()
		})
	}
}

// The agent as a process, over the process transport: what the daemon does with it.
func TestProcess(t *testing.T) {
	const noExitDelay = "GORACE=atexit_sleep_ms=0" // of the race detector
	marker := fmt.Sprintf("scripted-test-%d/%s/1", os.Getpid(), t.Name())
	agent := Agent{Version: "1.2.3", SessionDir: t.TempDir()}
	found := agent.Find(t.Context())
	if found.Program == "" || found.Version != "1.2.3" {
		t.Fatalf("found %+v", found)
	}
	launch := agent.Launch(adapters.Spec{
		SessionID: "11111111-1111-4111-8111-111111111111", Program: found.Program, Cwd: t.TempDir(), Args: []string{"--script", "faults"},
		Env: []string{adapters.MarkerEnv + "=" + marker, noExitDelay},
	})
	tests := []struct {
		name, prompt string
		wait         string // the line before the end
		close        bool   // ends by the end of stdin
		want         adapters.Exit
	}{
		{"orderly", "hello", settled, true, adapters.Exit{}},
		{"exit status", "exit", "message_start", false, adapters.Exit{Code: 3}},
		{"own SIGKILL, half a line", "kill", "message_start", false, adapters.Exit{Code: -1, Signal: "killed"}},
		{"stray that holds stdout and ignores SIGTERM", "stray", settled, true, adapters.Exit{}},
		{"stderr", "stderr", settled, true, adapters.Exit{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := connect(t, process.Transport{WaitDelay: 200 * time.Millisecond}, launch)
			c.send(`{"id":"1","type":"prompt","message":"` + tt.prompt + `"}`)
			c.until(tt.wait)
			if tt.close {
				_ = c.conn.Input().Close()
			}
			_, exit := c.end()
			if exit.Stderr = nil; fmt.Sprint(exit) != fmt.Sprint(tt.want) {
				t.Errorf("exit %+v, want %+v", exit, tt.want)
			}
			if left := process.Sweep(marker); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	t.Run("SIGTERM", func(t *testing.T) {
		deaf := launch
		deaf.Args = append(append([]string{}, launch.Args[:len(launch.Args)-1]...), writeScript(t, `{"ignore":["stdin"]}`))
		c := connect(t, process.Transport{}, deaf)
		c.send(`{"id":"1","type":"get_state"}`)
		c.until("get_state")
		c.conn.Stop(8 * time.Second) // SIGTERM comes after a part of it
		if _, exit := c.end(); exit.Code != 143 || !exit.Requested {
			t.Errorf("exit %+v", exit)
		}
	})
}

func writeScript(t testing.TB, text string) string {
	path := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func FuzzParse(f *testing.F) {
	for _, name := range Examples() {
		text, _ := Example(name)
		f.Add(text)
	}
	f.Add([]byte(`{"default":{"steps":[{"ask":{"method":"confirm","then":[{"die":{"signal":"KILL"}}]}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := Parse(text); (s == nil) == (err == nil) {
			t.Errorf("%v, %v", s, err)
		}
	})
}

// Whatever the agent hears, it answers with whole lines of JSON and ends with its stdin.
func FuzzCommands(f *testing.F) {
	f.Add([]byte(`{"id":"1","type":"prompt","message":"hi"}` + "\n" + `{"type":"abort"}`))
	f.Add([]byte(`{"id":{},"type":"prompt","message":null}` + "\n[]\n\n{\"type\":\"clear_queue\"}\nnull\n{\"id\":null,\"type\":\"get_entries\",\"since\":\"\"}"))
	f.Add([]byte(`{"type":"set_model","provider":"scripted","modelId":"scripted-2"}` + "\n" + `{"type":"get_available_models"}` + "\n\xff"))
	f.Add([]byte("{\"type\":\"prompt\",\"message\":\"\\n```script\\n[{\\\"wait\\\":{\\\"for\\\":\\\"1s\\\"}}]\\n```\"}\n{\"type\":\"prompt\",\"message\":\"x\",\"streamingBehavior\":\"steer\"}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte("script")) && !bytes.Contains(in, []byte("wait")) {
			t.Skip("the fuzzer has found the faults")
		}
		var out, stderr bytes.Buffer
		end := Run(t.Context(), Options{
			Stdin: bytes.NewReader(in), Stdout: &out, Stderr: &stderr, Script: []byte(`{"default":{"steps":[{"say":{"text":"hi"}}]}}`),
		})
		if end.Code != 0 {
			t.Fatalf("exit %+v", end)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) || !bytes.HasSuffix(line, []byte("\n")) {
				t.Fatalf("%q of %q", line, in)
			}
		}
	})
}

// BenchmarkFlood measures lines as the agent writes them, into a pipe of the kernel.
func BenchmarkFlood(b *testing.B) {
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	read := make(chan int64)
	go func() {
		n, _ := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}, make([]byte, blockSize))
		read <- n
	}()
	stdin := newPipe()
	fmt.Fprintln(writer{stdin}, `{"type":"prompt","message":"go"}`)
	script := fmt.Sprintf(`{"default":{"steps":[{"flood":{"lines":%d}},{"die":{}}]}}`, b.N)
	b.ResetTimer()
	Run(b.Context(), Options{Stdin: reader{stdin}, Stdout: w, Stderr: io.Discard, Script: []byte(script)})
	w.Close()
	b.SetBytes(<-read / int64(b.N))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
