package recordings

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command"
)

// run runs `ringmaster import` with a standard input.
func run(t *testing.T, in io.Reader, args ...string) (code int, out []byte, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	p := &command.Program{In: in, Out: &o, Err: &e, Signals: make(chan os.Signal)}
	code = p.Run(t.Context(), append([]string{"import", "--data", t.TempDir()}, args...))
	return code, o.Bytes(), e.String()
}

func file(name string) string { return filepath.Join(folder, name+".jsonl") }

// TestCommand: files and standard input, one log after the other, the same bytes each time, whatever the file's name.
func TestCommand(t *testing.T) {
	names := []string{"text_short", "session_ops", "resume_restart", "sigkill_mid_text", "tool_parallel"}
	args := []string{"--agent", "pi"}
	var single []byte
	for _, name := range names {
		args = append(args, file(name))
		code, out, errs := run(t, nil, "--agent", "pi", file(name))
		if code != 0 || errs != "" {
			t.Fatalf("%s: exit code %d, %s", name, code, errs)
		}
		single = append(single, out...)
		_, piped, _ := run(t, bytes.NewReader(recordings(t)[name]), "--agent", "pi", "-")
		if !bytes.Equal(out, piped) {
			t.Errorf("%s: standard input gives another log", name)
		}
	}
	code, out, errs := run(t, nil, args...)
	if code != 0 || errs != "" || !bytes.Equal(out, single) {
		t.Errorf("all at once: exit code %d, %d bytes, want %d; %s", code, len(out), len(single), errs)
	}
	if logs := read(t, out); len(logs) != len(names)+3 {
		t.Errorf("%d logs", len(logs))
	}
	_, later, _ := run(t, nil, "--agent", "pi", "--start", "2026-01-31T12:00:00Z", file("text_short"))
	if l := read(t, later)[0]; l.events[0].Time < 1769860800000 || l.events[0].Time > 1769860800000+60_000 {
		t.Errorf("began at %d", l.events[0].Time)
	}
}

// endless gives the same byte for ever.
type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// TestCommandRefuses: what cannot be imported is told, with a hint; what was there all the same comes out as a whole log.
func TestCommandRefuses(t *testing.T) {
	long := func() io.Reader { return io.LimitReader(endless('x'), 100<<20) }
	var noise [64 << 10]byte
	rnd := random("noise", 1)
	for i := range noise {
		noise[i] = byte(rnd.IntN(256))
	}
	raw := recordings(t)["text_short"]
	tooLong := fmt.Sprintf("line 2: %d bytes: the limit is %d", 100<<20, recording.MaxLine)
	for _, c := range []struct {
		name, agent string
		files       []string
		in          io.Reader
		code        int
		logs        int
		says        []string
	}{
		{"a file that is not there", "pi", []string{"nowhere.jsonl"}, nil, 1, 0, []string{"nowhere.jsonl: no such file", "hint: "}},
		{"a folder", "pi", []string{folder}, nil, 1, 0, []string{"is a directory", "hint: "}},
		{"nothing", "pi", []string{"-"}, strings.NewReader(""), 1, 0, []string{"import -: there is nothing in it", "hint: "}},
		{"empty lines", "pi", []string{"-"}, strings.NewReader("\n\r\n \n"), 1, 0, []string{"there is nothing in it", "hint: "}},
		{"noise", "pi", []string{"-"}, bytes.NewReader(noise[:]), 1, 1, []string{"no line of it was understood", "hint: --agent"}},
		{
			"another agent's lines", "pi",
			[]string{"-"},
			strings.NewReader(`{"jsonrpc":"2.0","method":"turn/started"}`), 1, 1,
			[]string{"no line of it was understood", "hint: --agent"},
		},
		{"an unknown agent", "nobody", []string{file("text_short")}, nil, 4, 0, []string{`there is no agent "nobody"`, "hint: there are: claude, codex, "}},
		{"no agent", "", []string{"-"}, nil, 2, 0, []string{"agent", "hint: "}},
		{"no file", "pi", nil, nil, 2, 0, []string{"number of arguments", "hint: "}},
		{"100 MB without a newline", "pi", []string{"-"}, long(), 1, 0, []string{"lines skipped: 1", "the limit is", "no line of it was understood"}},
		{
			"a giant line in the middle", "pi",
			[]string{"-"},
			io.MultiReader(bytes.NewReader(raw[:bytes.IndexByte(raw, '\n')+1]), long(), strings.NewReader("\n"), bytes.NewReader(raw)), 0, 1,
			[]string{"lines skipped: 1", tooLong},
		},
		{"a file after a good one", "pi", []string{file("text_short"), "nowhere.jsonl"}, nil, 1, 1, []string{"nowhere.jsonl"}},
		{"a torn last line", "pi", []string{"-"}, bytes.NewReader(raw[:len(raw)-20]), 0, 1, []string{"lines skipped: 1", "no record"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := c.files
			if c.agent != "" {
				args = append([]string{"--agent", c.agent}, args...)
			}
			code, out, errs := run(t, c.in, args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if logs := read(t, out); len(logs) != c.logs {
				t.Errorf("%d logs, want %d", len(logs), c.logs)
			}
			for _, s := range c.says {
				if !strings.Contains(errs, s) {
					t.Errorf("says %q, want %q in it", errs, s)
				}
			}
		})
	}
}
