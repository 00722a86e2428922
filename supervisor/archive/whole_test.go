package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Of every recording of every agent, with a limit on texts that cuts nearly all of them: each text that was cut comes out
// whole, as it does where there is no limit.
func TestEveryCutTextIsMadeAgain(t *testing.T) {
	cut, whole := 0, 0
	for _, agent := range []adapters.Agent{claude.Agent{}, codex.Agent{}, droid.Agent{}, opencode.Agent{}, pi.Agent{}} {
		files, err := filepath.Glob("../../adapters/" + agent.Name() + "/testdata/recordings/*.jsonl")
		if err != nil || len(files) == 0 {
			t.Fatal("no recordings", err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			short, long := taped(t, agent, text, 40), taped(t, agent, text, 64<<20)
			for i, tape := range short {
				for key, data := range tape.closed {
					begins, c := protocol.EntryText(data)
					if !c.Truncated {
						continue
					}
					cut++
					want, _ := protocol.EntryText(long[i].closed[key])
					r := newRereading(agent, "s", CutEntry{Type: tape.types[key], Data: data}, key)
					for n := range tape.lines {
						if !r.take(&tape.lines[n]) {
							break
						}
					}
					got, err := r.result()
					if err != nil || got != want || !strings.HasPrefix(got, begins) {
						t.Errorf("%s: entry %d (%s) of incarnation %d: %d bytes of %d, %v", file, key, tape.types[key], i+1, len(got), len(want), err)
						continue
					}
					whole++
				}
			}
		}
	}
	t.Logf("%d texts cut, %d made whole", cut, whole)
	if whole < 100 {
		t.Errorf("only %d texts were cut: the recordings show too little", whole)
	}
}

// tape is what one translator heard and said.
type tape struct {
	adapters.Translator
	lines  []raw.Line
	types  map[adapters.EntryKey]protocol.EntryType
	closed map[adapters.EntryKey]protocol.EntryData
}

func (t *tape) heard(dir string, line []byte, out *adapters.Output) {
	data, err := json.Marshal(string(line))
	if err != nil {
		panic(err)
	}
	t.lines = append(t.lines, raw.Line{Dir: dir, Data: data})
	t.said(out)
}

func (t *tape) said(out *adapters.Output) {
	for _, d := range out.Drafts {
		switch d := d.(type) {
		case adapters.EntryOpened:
			t.types[d.Key] = d.Type
		case adapters.EntryClosed:
			t.closed[d.Key] = d.Data
		default:
		}
	}
}

func (t *tape) Start(out *adapters.Output) { t.Translator.Start(out); t.said(out) }
func (t *tape) Line(line []byte, out *adapters.Output) {
	t.Translator.Line(line, out)
	t.heard("out", line, out)
}

func (t *tape) Sent(line []byte, out *adapters.Output) {
	t.Translator.Sent(line, out)
	t.heard("in", line, out)
}

// taping is an agent whose translators are taped.
type taping struct {
	adapters.Agent
	limit int
	tapes *[]*tape
}

func (a taping) Translator(spec adapters.Spec) adapters.Translator {
	begin, err := json.Marshal(raw.Beginning{
		Event: "spawn", Cwd: spec.Cwd, Version: spec.Version, NativeSessionID: spec.NativeSessionID, Model: spec.Model, Mode: spec.Mode,
		Resume: spec.Resume, Child: spec.Child,
	})
	if err != nil {
		panic(err)
	}
	spec.MaxText = a.limit
	t := &tape{
		Translator: a.Agent.Translator(spec), lines: []raw.Line{{Dir: "meta", Data: begin}},
		types: map[adapters.EntryKey]protocol.EntryType{}, closed: map[adapters.EntryKey]protocol.EntryData{},
	}
	*a.tapes = append(*a.tapes, t)
	return t
}

// tapingSplits is one whose connections carry several sessions.
type tapingSplits struct {
	adapters.Splitting
	taping
}

func (a tapingSplits) Name() string                              { return a.taping.Name() }
func (a tapingSplits) Capabilities() adapters.Capabilities       { return a.taping.Capabilities() }
func (a tapingSplits) Launch(spec adapters.Spec) adapters.Launch { return a.taping.Launch(spec) }
func (a tapingSplits) Translator(spec adapters.Spec) adapters.Translator {
	return a.taping.Translator(spec)
}

// taped plays a recording with a limit on texts, and gives the tapes of its translators in order.
func taped(t *testing.T, agent adapters.Agent, text []byte, limit int) []*tape {
	t.Helper()
	var tapes []*tape
	var with adapters.Agent = taping{agent, limit, &tapes}
	if s, ok := agent.(adapters.Splitting); ok {
		with = tapingSplits{s, taping{agent, limit, &tapes}}
	}
	player := replay.New(with, func(*replay.Session) string { return "s" })
	for rec, err := range recording.Read(bytes.NewReader(text)) {
		var bad *recording.Error
		if err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		if err == nil {
			player.Play(rec)
		}
	}
	return tapes
}
