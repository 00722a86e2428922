package conformance

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
)

// Suite is what the suite needs to know of an agent.
type Suite struct {
	Agent adapters.Agent
	// Recordings holds *.jsonl files, in any folder.
	Recordings fs.FS
	// Facts says what is to be found in a recording, by its name without folder and ending; ok is false where nothing is
	// known. It may be nil.
	Facts func(t testing.TB, name string) (f Facts, ok bool)
	// FactsOf says whether the facts of a recording are about a session of it. They are read in the order in which the
	// sessions' incarnations began. nil: they are about the first session alone.
	FactsOf func(name string, s *replay.Session) bool
	// Stranger is a line of a type that the agent does not have. Where it is empty, strangers are not tested.
	Stranger []byte
	// StrangerOf gives the stranger for a place behind a line of the agent; nil there: none. It is for agents whose lines say which
	// session they belong to. nil: Stranger, behind every line.
	StrangerOf func(line []byte) []byte
	// Interleaves says why a text may still be written while another entry begins, which the agent does not show in its recordings
	// and which a lost line looks like: such texts wait for the agent's word. Empty: a text is over when the next block begins.
	Interleaves string
	// AsksMCP gives the lines by which an agent asks whether it may call a tool of an MCP server of its configuration, with what
	// it says before. nil: it never does.
	AsksMCP func(server, tool, arguments string) []string
	// Edits gives the lines by which an agent tells of one changed file, which has such hunks, from the tool's call to its result. nil: it
	// cannot tell of this change.
	Edits func(path, before, after string, hunks []diff.Hunk) []string
}

// Run tests everything, in one subtest per recording.
func Run(t *testing.T, s Suite) {
	names := s.names(t)
	if len(names) == 0 {
		t.Fatal("no recordings")
	}
	t.Run("essentials", func(t *testing.T) { s.essentials(t, names) })
	t.Run("claims", func(t *testing.T) { s.claims(t, names) })
	for _, file := range names {
		t.Run(strings.TrimSuffix(path.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			records := s.read(t, file)
			t.Run("facts", func(t *testing.T) { s.facts(t, file, records) })
			t.Run("silence", func(t *testing.T) { s.silence(t, records) })
			t.Run("again", func(t *testing.T) { s.again(t, records) })
			t.Run("cuts", func(t *testing.T) { s.cuts(t, records) })
			t.Run("damage", func(t *testing.T) { s.damage(t, records) })
			t.Run("limit", func(t *testing.T) { s.limit(t, records) })
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

// Said is what one incarnation of a session said.
type Said struct {
	Session     *replay.Session
	Incarnation int // from 1
	Resumed     bool
	Drafts      []adapters.Draft
	Lines       [][]byte // that the translator wrote for the agent
	Ended       bool     // Exit was called
}

// Play feeds one recording, by its file's path in Recordings, to the agent's splitter and translators, and gives what each
// incarnation of each session said, in the order in which they began.
func Play(t testing.TB, s Suite, file string) []Said { return s.play(t, s.read(t, file)) }

// play feeds records to translators, one per incarnation. Every line is overwritten after its call: a translator that
// keeps a part of it will say nonsense.
func (s *Suite) play(t testing.TB, records []recording.Record) []Said {
	t.Helper()
	return s.playTo(t, s.player(), records)
}

func (s *Suite) playTo(t testing.TB, player *replay.Player, records []recording.Record) []Said {
	t.Helper()
	var said []Said
	now := map[*replay.Session]int{} // the incarnation at work
	for _, r := range records {
		for _, x := range player.Play(copied(r)) {
			if x.Begins {
				now[x.Session] = len(said)
				said = append(said, Said{Session: x.Session, Incarnation: x.Session.Incarnations, Resumed: x.Resumes})
			}
			in := &said[now[x.Session]]
			in.Drafts = append(in.Drafts, x.Drafts...)
			in.Lines = append(in.Lines, x.Lines...)
			in.Ended = in.Ended || x.Exit != nil
		}
		for _, line := range player.Written() {
			if problem := lineProblem(line); problem != "" {
				t.Fatalf("line %d of the recording: the splitter writes %q, which %s", r.Line, line, problem)
			}
		}
	}
	for _, fault := range player.Faults() {
		t.Fatalf("splitter: %s", fault)
	}
	return said
}

func (s *Suite) player() *replay.Player {
	player := replay.New(s.Agent, func(x *replay.Session) string {
		return fmt.Sprintf("11111111-1111-4111-8111-%012d", x.Number)
	})
	player.Overwrite = true
	return player
}

// copied is a record whose line may be written over.
func copied(r recording.Record) recording.Record {
	switch step := r.Step.(type) {
	case recording.Out:
		step.Line = slices.Clone(step.Line)
		r.Step = step
	case recording.In:
		step.Line = slices.Clone(step.Line)
		r.Step = step
	case recording.Start, recording.Stderr, recording.Exit, recording.Note:
	}
	return r
}

// rules checks the grammar of what was said.
func rules(t testing.TB, said []Said) {
	t.Helper()
	check(t, said, Ledger{})
}

func check(t testing.TB, said []Said, empty Ledger) {
	t.Helper()
	for i := range said {
		l := empty
		for _, d := range said[i].Drafts {
			if problem := l.Take(d); problem != "" {
				t.Fatalf("%s: %s: %s", said[i].place(), Describe(d), problem)
			}
		}
		for _, line := range said[i].Lines {
			if problem := lineProblem(line); problem != "" {
				t.Fatalf("%s: line %q: %s", said[i].place(), line, problem)
			}
		}
	}
}

// place names the incarnation.
func (s *Said) place() string {
	if s.Session.Number == 1 && s.Session.Parent == nil {
		return fmt.Sprintf("incarnation %d", s.Incarnation)
	}
	of := ""
	if p := s.Session.Parent; p != nil {
		of = fmt.Sprintf(", of %d", p.Number)
	}
	return fmt.Sprintf("session %d (%s%s) incarnation %d", s.Session.Number, s.Session.NativeID, of, s.Incarnation)
}

func (s *Suite) again(t *testing.T, records []recording.Record) {
	a, b := s.play(t, records), s.play(t, records)
	if len(a) != len(b) {
		t.Fatalf("%d incarnations, then %d", len(a), len(b))
	}
	for i := range a {
		for j := range a[i].Drafts {
			if j >= len(b[i].Drafts) || Describe(a[i].Drafts[j]) != Describe(b[i].Drafts[j]) {
				t.Fatalf("%s, draft %d: the second time it is not %s", a[i].place(), j+1, Describe(a[i].Drafts[j]))
			}
		}
		if len(a[i].Drafts) != len(b[i].Drafts) {
			t.Fatalf("%s: %d drafts, then %d", a[i].place(), len(a[i].Drafts), len(b[i].Drafts))
		}
	}
}

// limit cuts every text short, where the recording has one that is longer: nothing that goes into the log is over the limit of the daemon.
func (s *Suite) limit(t *testing.T, records []recording.Record) {
	const short = 24
	player := s.player()
	player.MaxText = short
	check(t, s.playTo(t, player, records), Ledger{Interleaves: s.Interleaves != "", MaxText: short})
}

// cuts lets the agent die after each line.
func (s *Suite) cuts(t *testing.T, records []recording.Record) {
	for i, r := range records {
		if _, ok := r.Step.(recording.Exit); ok || testing.Short() && i%7 != 0 {
			continue
		}
		part := append(slices.Clone(records[:i+1]), ends(records[:i+1])...)
		rules(t, s.play(t, part))
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
			case recording.Out, recording.In:
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
		check(t, s.play(t, list), Ledger{Interleaves: s.Interleaves != ""})
	}
}

// strangers puts a line of an unknown type behind each line of the agent.
func (s *Suite) strangers(t *testing.T, records []recording.Record) {
	stranger := s.StrangerOf
	if stranger == nil {
		if len(s.Stranger) == 0 {
			t.Skip("the suite names no stranger")
		}
		stranger = func([]byte) []byte { return s.Stranger }
	}
	var list []recording.Record
	sent := 0
	for _, r := range records {
		list = append(list, r)
		if out, ok := r.Step.(recording.Out); ok {
			if line := stranger(out.Line); line != nil {
				sent++
				list = append(list, recording.Record{At: r.At, Line: r.Line, Conn: r.Conn, Step: recording.Out{Line: line, Src: out.Src}})
			}
		}
	}
	said := s.play(t, list)
	rules(t, said)
	if got := natives(said) - natives(s.play(t, records)); got != sent {
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
