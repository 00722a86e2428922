package conformance

import (
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
)

// Suite is what the suite needs to know of an agent.
type Suite struct {
	Agent adapters.Agent
	// Recordings holds *.jsonl files, in any folder.
	Recordings fs.FS
	// Facts says what is to be found in a recording, by its name without folder and ending; ok is false where nothing is
	// known. It may be nil.
	Facts func(t testing.TB, name string) (f Facts, ok bool)
	// Stranger is a line of a type that the agent does not have. Where it is empty, strangers are not tested.
	Stranger []byte
	// Feed hands a step to a translator; nil means Deliver.
	Feed func(tr adapters.Translator, s recording.Step, out *adapters.Output)
}

// Deliver hands lines of the agent to Line and lines to the agent to Sent. Steps of other kinds are not the translator's.
func Deliver(tr adapters.Translator, s recording.Step, out *adapters.Output) {
	switch s := s.(type) {
	case recording.Out:
		tr.Line(s.Line, out)
	case recording.In:
		tr.Sent(s.Line, out)
	case recording.Start, recording.HTTP, recording.Stderr, recording.Exit, recording.Note:
	}
}

// Run tests everything, in one subtest per recording.
func Run(t *testing.T, s Suite) {
	names := s.names(t)
	if len(names) == 0 {
		t.Fatal("no recordings")
	}
	for _, file := range names {
		t.Run(strings.TrimSuffix(path.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			records := s.read(t, file)
			t.Run("facts", func(t *testing.T) { s.facts(t, file, records) })
			t.Run("again", func(t *testing.T) { s.again(t, records) })
			t.Run("cuts", func(t *testing.T) { s.cuts(t, records) })
			t.Run("damage", func(t *testing.T) { s.damage(t, records) })
			t.Run("strangers", func(t *testing.T) { s.strangers(t, records) })
		})
	}
}

func (s *Suite) names(t testing.TB) []string {
	var names []string
	err := fs.WalkDir(s.Recordings, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".jsonl") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func (s *Suite) read(t testing.TB, file string) []recording.Record {
	t.Helper()
	f, err := s.Recordings.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []recording.Record
	for r, err := range recording.Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// Said is what one incarnation said.
type Said struct {
	Resumed bool
	Drafts  []adapters.Draft
	Lines   [][]byte
	Ended   bool // Exit was called
}

// play feeds records to translators, one per incarnation. Every line is overwritten after its call: a translator that
// keeps a part of it will say nonsense.
func (s *Suite) play(records []recording.Record) []Said {
	var said []Said
	open := map[string]int{} // by connection
	translators := map[string]adapters.Translator{}
	native := ""
	for _, r := range records {
		var out adapters.Output
		switch step := r.Step.(type) {
		case recording.Start:
			spec := adapters.Spec{
				SessionID: "11111111-1111-4111-8111-111111111111", NativeSessionID: native,
				Resume: step.Resume, Program: "/bin/agent", Cwd: step.Cwd,
			}
			translators[r.Conn] = s.Agent.Translator(spec)
			open[r.Conn] = len(said)
			said = append(said, Said{Resumed: step.Resume})
			translators[r.Conn].Start(&out)
		case recording.Exit:
			translators[r.Conn].Exit(step.Exit, &out)
			said[open[r.Conn]].Ended = true
		case recording.Out:
			line := slices.Clone(step.Line)
			s.feed(translators[r.Conn], recording.Out{Line: line, Src: step.Src}, &out)
			scribble(line)
		case recording.In:
			line := slices.Clone(step.Line)
			s.feed(translators[r.Conn], recording.In{Line: line}, &out)
			scribble(line)
		case recording.HTTP, recording.Stderr:
			s.feed(translators[r.Conn], step, &out)
		case recording.Note:
			continue
		}
		for _, d := range out.Drafts {
			if ready, ok := d.(adapters.Ready); ok && ready.NativeSessionID != "" {
				native = ready.NativeSessionID
			}
		}
		now := &said[open[r.Conn]]
		now.Drafts = append(now.Drafts, out.Drafts...)
		now.Lines = append(now.Lines, out.Lines...)
	}
	return said
}

func (s *Suite) feed(tr adapters.Translator, step recording.Step, out *adapters.Output) {
	if s.Feed != nil {
		s.Feed(tr, step, out)
		return
	}
	Deliver(tr, step, out)
}

func scribble(line []byte) {
	for i := range line {
		line[i] = '~'
	}
}

// rules checks the grammar of what was said.
func rules(t testing.TB, said []Said) {
	t.Helper()
	for i := range said {
		var l Ledger
		for _, d := range said[i].Drafts {
			if problem := l.Take(d); problem != "" {
				t.Fatalf("incarnation %d: %s: %s", i+1, Describe(d), problem)
			}
		}
		for _, line := range said[i].Lines {
			if problem := lineProblem(line); problem != "" {
				t.Fatalf("incarnation %d: line %q: %s", i+1, line, problem)
			}
		}
	}
}

func (s *Suite) again(t *testing.T, records []recording.Record) {
	a, b := s.play(records), s.play(records)
	for i := range a {
		for j := range a[i].Drafts {
			if j >= len(b[i].Drafts) || Describe(a[i].Drafts[j]) != Describe(b[i].Drafts[j]) {
				t.Fatalf("incarnation %d, draft %d: the second time it is not %s", i+1, j+1, Describe(a[i].Drafts[j]))
			}
		}
		if len(a[i].Drafts) != len(b[i].Drafts) {
			t.Fatalf("incarnation %d: %d drafts, then %d", i+1, len(a[i].Drafts), len(b[i].Drafts))
		}
	}
}

// cuts lets the agent die after each line.
func (s *Suite) cuts(t *testing.T, records []recording.Record) {
	for i, r := range records {
		if _, ok := r.Step.(recording.Exit); ok {
			continue
		}
		part := append(slices.Clone(records[:i+1]), ends(records[:i+1])...)
		rules(t, s.play(part))
	}
}

// ends kills the connections that are open after some records.
func ends(records []recording.Record) []recording.Record {
	open := map[string]bool{}
	for _, r := range records {
		switch r.Step.(type) {
		case recording.Start:
			open[r.Conn] = true
		case recording.Exit:
			open[r.Conn] = false
		default:
		}
	}
	var list []recording.Record
	for conn, is := range open {
		if is {
			list = append(list, recording.Record{Conn: conn, Step: recording.Exit{Exit: adapters.Exit{Code: -1, Signal: "killed"}}})
		}
	}
	return list
}

// damageRuns is how many times each recording is damaged.
const damageRuns = 30

// damage loses and doubles lines.
func (s *Suite) damage(t *testing.T, records []recording.Record) {
	for seed := range uint64(damageRuns) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var list []recording.Record
		for _, r := range records {
			times := 1
			switch r.Step.(type) {
			case recording.Out, recording.In, recording.HTTP:
				switch rnd.IntN(10) {
				case 0:
					times = 0
				case 1:
					times = 2
				}
			default:
			}
			for range times {
				list = append(list, r)
			}
		}
		rules(t, s.play(list))
	}
}

// strangers puts a line of an unknown type behind each line of the agent.
func (s *Suite) strangers(t *testing.T, records []recording.Record) {
	if len(s.Stranger) == 0 {
		t.Skip("the suite names no stranger")
	}
	var list []recording.Record
	sent := 0
	for _, r := range records {
		list = append(list, r)
		if _, ok := r.Step.(recording.Out); ok {
			sent++
			list = append(list, recording.Record{Conn: r.Conn, Step: recording.Out{Line: s.Stranger}})
		}
	}
	said := s.play(list)
	rules(t, said)
	if got := natives(said) - natives(s.play(records)); got != sent {
		t.Errorf("%d strangers became %d natives", sent, got)
	}
}

func natives(said []Said) int {
	n := 0
	for i := range said {
		for _, d := range said[i].Drafts {
			if _, ok := d.(adapters.Native); ok {
				n++
			}
		}
	}
	return n
}
