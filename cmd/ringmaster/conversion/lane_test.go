package conversion_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A session's archive holds its own lane of a connection that others share, and no handshake. It gives the session's log all the
// same: as the recording of the whole connection gives it.
func TestArchiveOfALane(t *testing.T) {
	for _, agent := range []adapters.Splitting{claude.Agent{}, codex.Agent{}, opencode.Agent{}} {
		files, err := filepath.Glob("../../../adapters/" + agent.Name() + "/testdata/recordings/*.jsonl")
		if err != nil || len(files) == 0 {
			t.Fatal("no recordings", err)
		}
		for _, file := range files {
			t.Run(agent.Name()+"/"+strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				archive := firstLane(t, agent, text)
				if archive == nil {
					t.Skip("more than one connection, or no session without a parent")
				}
				want, got := entries(t, agent, text), entries(t, agent, archive)
				if got != want {
					t.Errorf("of the archive\n%s\nof the recording\n%s", got, want)
				}
			})
		}
	}
}

// firstLane archives what the first session of a recording with one connection hears and says.
func firstLane(t *testing.T, agent adapters.Splitting, text []byte) []byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "raw")
	a := raw.New(dir, raw.Options{})
	defer a.Close()
	var split adapters.Splitter
	var r *raw.Recorder
	var out adapters.Split
	first, starts, cwd := adapters.Lane(0), 0, ""
	for rec, err := range recording.Read(bytes.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		switch s := rec.Step.(type) {
		case recording.Start:
			if starts++; starts > 1 {
				return nil
			}
			spec := adapters.Spec{Program: "agent", Cwd: s.Cwd}
			cwd, split = s.Cwd, agent.Splitter(spec)
			split.Start(&out)
			if agent.Connection(spec) == "" {
				first = split.Join(spec, &out)
				r = a.Record(1, raw.Beginning{Cwd: cwd})
			}
		case recording.Out:
			split.Line(s.Line, &out)
		case recording.In:
			split.Sent(s.Line, &out)
		case recording.Exit:
			r.End(0, raw.End{Status: fmt.Sprintf("exit %d", max(0, s.Exit.Code)), Requested: s.Exit.Requested})
		default:
		}
		for _, p := range out.Parts {
			if p.Born != nil && p.Born.Parent == 0 && first == 0 {
				first = p.Lane
				r = a.Record(1, raw.Beginning{Cwd: cwd, NativeSessionID: p.Born.NativeID})
			}
			switch {
			case p.Lane != first || p.Line == nil:
			case p.Sent:
				r.In(p.Line)
			default:
				r.Out(p.Line)
			}
		}
		r.Batch(1)
		out = adapters.Split{}
	}
	a.Close()
	rd, err := raw.Read(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var archive []byte
	for l, err := range rd.Lines() {
		if err != nil {
			t.Fatal(err)
		}
		archive = append(append(archive, l.Record...), '\n')
	}
	if first == 0 {
		return nil
	}
	return archive
}

// entries are the turns and ended entries of the first log of a conversion.
func entries(t *testing.T, agent adapters.Agent, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	_, err := conversion.Convert(&out, bytes.NewReader(text), conversion.Options{Agent: agent, Start: time.UnixMilli(0)})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range bytes.Lines(out.Bytes()) {
		e, err := protocol.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		switch p := e.Payload.(type) {
		case *protocol.SessionStart:
			if e.Seq == 1 && b.Len() > 0 {
				return b.String() // the next session's
			}
			b.WriteString("log\n")
		case *protocol.EntryEnd:
			text, _ := protocol.EntryText(p.Data)
			if p.EntryType != protocol.EntrySystem {
				fmt.Fprintf(&b, "%s %s %.40q %t\n", p.EntryID, p.EntryType, text, p.Incomplete)
			}
		case *protocol.TurnEnd:
			fmt.Fprintf(&b, "%s %s\n", p.TurnID, p.Status)
		case *protocol.RequestResolved:
			if strings.Contains(p.RequestID, "@") {
				continue // a sub-agent's, whose lane is not in the archive
			}
			fmt.Fprintf(&b, "%s %s\n", p.RequestID, p.Outcome)
		default:
		}
	}
	return b.String()
}
