package sync_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
)

var update = flag.Bool("update", false, "write effects, phases and what is left into the fixtures")

const (
	fixtures = "../../../protocol/testdata/sync"
	id       = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"
)

// fixture is a file of protocol/testdata/sync; the README there says what it means.
type fixture struct {
	About  string   `json:"about"`
	Before *stored  `json:"before,omitempty"`
	Steps  []step   `json:"steps"`
	After  *stored  `json:"after,omitempty"`
	Shown  []uint64 `json:"shown"`
}

type stored struct {
	Index string `json:"index"`
	File  string `json:"file"`
	State string `json:"state"`
}

type step struct {
	Input   json.RawMessage   `json:"input"`
	Jitter  float64           `json:"jitter,omitempty"`
	Effects []json.RawMessage `json:"effects"`
	Phase   string            `json:"phase"`
}

// TestFixtures: each input leads to the effects that the fixture says, and these, carried out on a cache on a real disk, leave the bytes that it says.
//
// Proves: I13.7/fixtures
func TestFixtures(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(fixtures, "*.json"))
	if err != nil || len(names) < 50 {
		t.Fatalf("%d fixtures, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var f fixture
			if err := json.Unmarshal(text, &f); err != nil {
				t.Fatal(err)
			}
			got := play(t, &f)
			if *update {
				if err := os.WriteFile(name, got.text(t), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for i, s := range f.Steps {
				if g := got.Steps[i]; !reflect.DeepEqual(parsed(t, g.Effects), parsed(t, s.Effects)) || g.Phase != s.Phase {
					t.Fatalf("step %d, %s:\n got %s %s\nwant %s %s", i+1, s.Input, g.Phase, g.Effects, s.Phase, s.Effects)
				}
			}
			if !reflect.DeepEqual(got.After, f.After) {
				t.Errorf("the cache is\n%+v, want\n%+v", got.After, f.After)
			}
			if !slices.Equal(got.Shown, f.Shown) {
				t.Errorf("shown are %d, want %d", got.Shown, f.Shown)
			}
		})
	}
}

// play runs a fixture on a real cache and gives it with what came of it.
func play(t *testing.T, f *fixture) *fixture {
	p := &player{t: t, dir: t.TempDir()}
	if f.Before != nil {
		p.write(f.Before)
	}
	folder, err := cache.Open(p.dir, cache.Options{Flush: true})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	p.folder = folder
	got := &fixture{About: f.About, Before: f.Before, Shown: []uint64{}}
	for i, s := range f.Steps {
		next := ""
		if i+1 < len(f.Steps) {
			next = kindOf(t, f.Steps[i+1].Input)
		}
		in := decodeInput(t, s.Input)
		if found, is := in.(sync.Open); is && found.Cached && p.state.Phase() == sync.PhaseClosed {
			p.open(found)
		}
		s.Effects, p.failed = []json.RawMessage{}, false
		for _, e := range slices.Clone(p.state.Step(in, s.Jitter)) {
			s.Effects = append(s.Effects, encodeEffect(t, e))
			p.do(e, next)
		}
		s.Phase = p.state.Phase().String()
		got.Steps = append(got.Steps, s)
	}
	if f.Before != nil {
		got.After = p.read()
	}
	got.Shown = append(got.Shown, p.shown...)
	return got
}

// player is the shell of a fixture.
type player struct {
	t       *testing.T
	dir     string
	folder  *cache.Folder
	session *cache.Session
	state   sync.State
	shown   []uint64
	failed  bool // the Rewind of this step
}

func (p *player) path(suffix string) string { return filepath.Join(p.dir, "sessions", id+suffix) }

func (p *player) write(s *stored) {
	if err := os.MkdirAll(filepath.Join(p.dir, "sessions"), 0o700); err != nil {
		p.t.Fatal(err)
	}
	index, err := hex.DecodeString(s.Index)
	if err != nil {
		p.t.Fatal(err)
	}
	state, err := hex.DecodeString(s.State)
	if err != nil {
		p.t.Fatal(err)
	}
	for suffix, b := range map[string][]byte{".index": index, ".ndjson": []byte(s.File), ".state": state} {
		if len(b) == 0 {
			continue
		}
		if err := os.WriteFile(p.path(suffix), b, 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
}

// read gives what is on the disk; a file that is not there is an empty one.
func (p *player) read() *stored {
	get := func(suffix string) []byte {
		b, err := os.ReadFile(p.path(suffix))
		if err != nil && !os.IsNotExist(err) {
			p.t.Fatal(err)
		}
		return b
	}
	return &stored{Index: hex.EncodeToString(get(".index")), File: string(get(".ndjson")), State: hex.EncodeToString(get(".state"))}
}

// open holds what the fixture says of the cache against what is found in it.
func (p *player) open(want sync.Open) {
	if p.session != nil {
		p.session.Close()
	}
	session, found, err := p.folder.Session(id)
	if err != nil {
		p.t.Fatal(err)
	}
	found.SaveEvery = want.SaveEvery // the program's own
	if !reflect.DeepEqual(found, want) {
		p.t.Fatalf("the cache has %s, and the fixture says %s", plain(p.t, found), plain(p.t, want))
	}
	p.session, p.shown = session, nil
}

func plain(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// do carries out an effect. One that the next input says has failed does not succeed here either.
func (p *player) do(e sync.Effect, next string) {
	switch e := e.(type) {
	case sync.Show:
		p.shown = append(p.shown, e.At.Seq)
	case sync.Forget:
		p.shown = nil
	case sync.Read:
		if p.failed {
			return
		}
		for seq := uint64(1); seq <= e.After; seq++ {
			p.shown = append(p.shown, seq)
		}
		for line, err := range p.session.Lines(e) {
			if (err != nil) != (next == "unreadable") && err != nil {
				p.t.Fatal(err)
			}
			if err == nil {
				p.shown = append(p.shown, line.Event.Seq)
			}
		}
	case sync.Save:
		if next == "store_failed" {
			return
		}
		if err := p.session.SaveState(e.At, fmt.Appendf(nil, `{"seq":%d}`, e.At.Seq)); err != nil {
			p.t.Fatal(err)
		}
	case sync.Rewind:
		err := p.session.Do(e)
		if p.failed = err != nil; p.failed && next != "unreadable" {
			p.t.Fatal(err)
		}
	case sync.CacheEffect:
		if _, is := e.(sync.Store); is && next == "store_failed" {
			return
		}
		if err := p.session.Do(e); err != nil {
			p.t.Fatal(err)
		}
	}
}

// text writes a fixture with a line for each step's input and each of its effects.
func (f *fixture) text(t *testing.T) []byte {
	var b bytes.Buffer
	line := func(indent int, key string, v any, end string) {
		b.WriteString(strings.Repeat("  ", indent) + key)
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		b.Truncate(b.Len() - 1)
		b.WriteString(end + "\n")
	}
	b.WriteString("{\n")
	line(1, `"about": `, f.About, ",")
	if f.Before != nil {
		line(1, `"before": `, f.Before, ",")
	}
	b.WriteString("  \"steps\": [\n")
	for i, s := range f.Steps {
		b.WriteString("    {\n")
		line(3, `"input": `, s.Input, ",")
		if s.Jitter != 0 {
			line(3, `"jitter": `, s.Jitter, ",")
		}
		b.WriteString("      \"effects\": [")
		for j, e := range s.Effects {
			b.WriteString([]string{"\n", ",\n"}[min(j, 1)] + "        " + string(e))
		}
		b.WriteString([]string{"],\n", "\n      ],\n"}[min(len(s.Effects), 1)])
		line(3, `"phase": `, s.Phase, "")
		b.WriteString([]string{"    },\n", "    }\n"}[(i+1)/len(f.Steps)])
	}
	b.WriteString("  ],\n")
	if f.After != nil {
		line(1, `"after": `, f.After, ",")
	}
	line(1, `"shown": `, f.Shown, "")
	b.WriteString("}\n")
	return b.Bytes()
}

func parsed(t *testing.T, list []json.RawMessage) []any {
	all := []any{}
	for _, text := range list {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}
