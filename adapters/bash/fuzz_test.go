package bash_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/bash"
	"pgregory.net/rapid"
)

// canary is what an attack would run. It stands in no plain line as a command, only as a word.
const canary = "canary"

// pieces are what the attacks on a judge of commands are made of.
var pieces = []string{
	"say", " ", " ", "\t", "a", "'", `"`, `\`, "$", "`", "(", ")", "{", "}", "[", "]", ";", "&", "|", "<", ">", "\n", "\\\n", "*", "?", "~", "#", "!", "=", "%", "^", ",", "..",
	"canary", "$(canary)", "`canary`", "${x:=$'\\x24\\x28canary\\x29'}", "${x@P}", "$[x]", "$((x))", "$'\\x27'", `$"canary"`, "{canary,a}", "<(canary)", "<<E\n$(canary)\nE", "&canary&",
	"eval ", "x=a", "\r", "é", "\u00a0", "x[$(canary)]", "'$(canary)'", `"a\"`, `\'`, `\"`,
}

// TestPlainIsWhatShellsRun: a line that is plain runs say, with these words, in every shell that is here, and nothing else.
func TestPlainIsWhatShellsRun(t *testing.T) {
	var shells []string
	for _, name := range []string{"bash", "dash", "zsh", "ksh"} {
		if path, err := exec.LookPath(name); err == nil {
			shells = append(shells, path)
		}
	}
	if len(shells) == 0 {
		t.Skip("there is no shell")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"say": "#!/bin/sh\nfor a; do printf '%s\\0' \"$a\"; done\n", canary: "#!/bin/sh\necho sings >>\"$NEST\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	nest := filepath.Join(dir, "nest")
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		line := "say " + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 9).Draw(t, "line"), "")
		words := bash.Read(line).Plain
		if words == nil {
			return
		}
		held++
		if words[0] != "say" {
			return // sayx is another program
		}
		for _, shell := range shells {
			c := exec.CommandContext(t.Context(), shell, "-c", line)
			c.Dir, c.Env, c.WaitDelay = dir, []string{"PATH=" + dir + ":/usr/bin:/bin", "NEST=" + nest, "LC_ALL=C.UTF-8"}, 10*time.Second
			said, err := c.Output()
			if _, sung := os.Stat(nest); err != nil || sung == nil {
				t.Fatalf("%s %q: %v, the canary: %v", shell, line, err, sung)
			}
			if got := strings.Split(strings.TrimSuffix(string(said), "\x00"), "\x00"); len(said) > 0 && !slices.Equal(got, words[1:]) || len(said) == 0 && len(words) > 1 {
				t.Fatalf("%s %q: %q, want %q", shell, line, got, words[1:])
			}
		}
	})
	t.Logf("%d plain lines in %d shells", held, len(shells))
	if held == 0 {
		t.Error("nothing was plain")
	}
}

// TestSedRunsNothingElse: a program of which nothing is said to run makes sed run nothing.
func TestSedRunsNothingElse(t *testing.T) {
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Skip("there is no sed")
	}
	dir := t.TempDir()
	nest := filepath.Join(dir, "nest")
	if err := os.WriteFile(filepath.Join(dir, canary), []byte("#!/bin/sh\necho sings >>\"$NEST\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	parts := []string{
		"e", "e canary", "e", "s", "s/a/b/", "s/c.*y/canary/", "s/", "/", "/e", ",", "a", "y", "[", "]", "[]", "[^]", "[/]", "[:alpha:]", "[[:alpha:]]", "\\", "\\/", "\n", ";", "{", "}", "1", "$", "!",
		"p", "d", "#", "w f", ":", ":a", "b", "ba", "I", "M", "~", "+2", " ", "g", "|", "s|", "|e", "a\\\n", "i\\", "c x",
	}
	harmless, run := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		program := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 8).Draw(t, "program"), "")
		l := bash.Read("sed -n -e '" + program + "'")
		if l.Plain == nil || l.Inner > 0 {
			return
		}
		harmless++
		ctx, stop := context.WithTimeout(t.Context(), time.Second) // a program may go round and round
		defer stop()
		c := exec.CommandContext(ctx, sed, "-n", "-e", program)
		c.Dir, c.Env, c.WaitDelay, c.Stdin = dir, []string{"PATH=" + dir + ":/usr/bin:/bin", "NEST=" + nest}, 10*time.Second, strings.NewReader("canary\ncanary\ncanary\n")
		if c.Run() == nil {
			run++
		}
		if _, sung := os.Stat(nest); sung == nil {
			t.Fatalf("%q runs the canary", program)
		}
	})
	t.Logf("%d harmless programs, %d of them ran", harmless, run)
	if run == 0 {
		t.Error("none ran")
	}
}

// FuzzRead: no line makes the reader fail, and one that is plain has its command among those that run.
func FuzzRead(f *testing.F) {
	for _, p := range pieces {
		f.Add("say " + p)
	}
	f.Add(`bash -c "bash -c 'canary'" | sudo -u a xargs -I{} sh -c '{}'`)
	f.Fuzz(func(t *testing.T, line string) {
		l := bash.Read(line)
		if l.Plain != nil && !slices.Contains(l.Runs, bash.Run(strings.Join(l.Plain, string(bash.Between)))) && !l.Blind {
			t.Errorf("%q: %q is not among %q", line, l.Plain, l.Runs)
		}
		bash.Handed(line)
		bash.Foreign(line)
	})
}
