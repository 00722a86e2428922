package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// installed is an agent that is found as it says.
type installed struct {
	adapters.Agent
	name  string
	found adapters.Installation
}

func (i installed) Name() string                               { return i.name }
func (i installed) Find(context.Context) adapters.Installation { return i.found }

func TestDoctorOfAnAgent(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, s := range setups {
		for _, k := range append([]string{s.env}, s.keys...) {
			if k != "" {
				t.Setenv(k, "")
			}
		}
	}
	there := adapters.Installation{Program: "/bin/codex", Version: "0.169.1", Tested: true}
	for _, c := range []struct {
		name    string
		agent   string
		found   adapters.Installation
		prepare func(t *testing.T)
		want    []finding
	}{
		{"missing", "codex", adapters.Installation{Problem: "codex was not found", Hint: "install it with: X"}, nil, []finding{
			{"agent codex", verdictWarning, "codex was not found", "install it with: X"},
		}},
		{"untested", "scripted", adapters.Installation{Program: "/bin/x", Version: "9.0.0", Hint: "Y"}, nil, []finding{
			{"agent scripted", verdictWarning, "9.0.0 at /bin/x: not a version that the adapter was tested with", "Y"},
		}},
		{"not set up", "codex", there, nil, []finding{
			{"agent codex", verdictOK, "0.169.1 at /bin/codex", ""},
			{"agent codex", verdictWarning, "no login and no key was found in " + home + "/.codex", "codex login"},
		}},
		{"a key", "codex", there, func(t *testing.T) { t.Setenv("OPENAI_API_KEY", "k") }, []finding{
			{"agent codex", verdictOK, "0.169.1 at /bin/codex", ""},
			{"agent codex", verdictOK, "set up by OPENAI_API_KEY", ""},
		}},
		{"a login elsewhere", "codex", there, func(t *testing.T) {
			other := t.TempDir()
			t.Setenv("CODEX_HOME", other)
			write(t, filepath.Join(other, "auth.json"))
		}, []finding{
			{"agent codex", verdictOK, "0.169.1 at /bin/codex", ""},
			{"agent codex", verdictOK, "set up in ", ""},
		}},
		{"a login at home", "codex", there, func(t *testing.T) { write(t, filepath.Join(home, ".codex", "auth.json")) }, []finding{
			{"agent codex", verdictOK, "0.169.1 at /bin/codex", ""},
			{"agent codex", verdictOK, "set up in " + home + "/.codex/auth.json", ""},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.prepare != nil {
				c.prepare(t)
			}
			got := checkAgent(t.Context(), installed{name: c.agent, found: c.found})
			if len(got) != len(c.want) {
				t.Fatalf("got %+v", got)
			}
			for i, w := range c.want {
				if !strings.HasPrefix(got[i].Text, w.Text) || got[i].Check != w.Check || got[i].Verdict != w.Verdict || got[i].Mend != w.Mend {
					t.Errorf("got  %+v\nwant %+v", got[i], w)
				}
			}
		})
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorOfTheMachine(t *testing.T) {
	for _, c := range []struct {
		soft, hard uint64
		verdict    string
	}{
		{1024, 1 << 20, verdictOK}, {1 << 63, 1 << 63, verdictOK}, {1024, 1024, verdictWarning}, {64, 128, verdictFailure},
	} {
		f := verdictOfFiles(c.soft, c.hard)
		if f.Verdict != c.verdict || (f.Mend == "") != (c.verdict == verdictOK) {
			t.Errorf("%d and %d: %+v", c.soft, c.hard, f)
		}
	}
	if f := checkProc(t.TempDir()); len(f) != 1 || f[0].Verdict != verdictWarning || !strings.Contains(f[0].Mend, "mount") {
		t.Errorf("without /proc: %+v", f)
	}
	for _, c := range []struct {
		by            resource.Processes
		verdict, says string
	}{
		{resource.Processes{}, verdictWarning, "no subreaper"},
		{resource.Processes{Adopted: true}, verdictWarning, "neither marks nor control groups"},
		{resource.Processes{Adopted: true, Marked: true}, verdictOK, "no control groups"},
		{resource.Processes{Adopted: true, Cgroups: true}, verdictOK, "each agent has a control group"},
		{resource.Processes{Adopted: true, Marked: true, Cgroups: true}, verdictOK, "each agent has a control group"},
	} {
		if f := verdictOfProcesses(c.by); f.Verdict != c.verdict || !strings.Contains(f.Text, c.says) {
			t.Errorf("%+v: %+v", c.by, f)
		}
	}
}

func TestCoreFinding(t *testing.T) {
	for _, c := range []struct {
		state   resource.CoreState
		verdict string
		text    string
	}{
		{resource.CoreState{Up: true}, verdictOK, "answers"},
		{resource.CoreState{Up: true, Behind: 3}, verdictOK, "answers, 3 events behind"},
		{resource.CoreState{Behind: 3}, verdictWarning, "does not answer, 3 events behind"},
		{resource.CoreState{Problem: "it is another's", Hint: "mend it"}, verdictFailure, "cannot be used: it is another's (mend it)"},
		{resource.CoreState{Up: true, Stuck: 2}, verdictFailure, "answers; of 2 sessions nothing can be sent"},
	} {
		f := coreFinding(&c.state)
		if f.Verdict != c.verdict || f.Text != c.text || (f.Mend == "") != (c.verdict == verdictOK) {
			t.Errorf("%+v: %+v", c.state, f)
		}
	}
}
