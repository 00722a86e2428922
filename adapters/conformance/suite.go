package conformance

import (
	"errors"
	"fmt"
	"io/fs"
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
	// AsksEdit gives the lines by which an agent asks whether it may make a change of a file, which has such hunks, with what it says before. nil: it
	// cannot ask for this change.
	AsksEdit func(path, before, after string, hunks []diff.Hunk) []string
}

func (s *Suite) names(t testing.TB) []string {
	var names []string
	err := fs.WalkDir(s.Recordings, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".jsonl") {
			names = append(names, name)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without the folder there are none
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatal("no recordings")
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

// damageRuns is how many times each recording is damaged.
const damageRuns = 30
