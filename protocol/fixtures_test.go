package protocol_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

var update = flag.Bool("update", false, "rewrite the expected files of testdata")

// logs are the fixture logs by name.
func logs(tb testing.TB) map[string][]protocol.Event {
	tb.Helper()
	paths, err := filepath.Glob("testdata/logs/*.ndjson")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no fixture logs: %v", err)
	}
	all := make(map[string][]protocol.Event)
	for _, path := range paths {
		all[strings.TrimSuffix(filepath.Base(path), ".ndjson")] = readLog(tb, path)
	}
	return all
}

func readLog(tb testing.TB, path string) []protocol.Event {
	tb.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var log []protocol.Event
	for e, err := range protocol.Events(bytes.NewReader(body)) {
		if err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		log = append(log, e)
	}
	return log
}

// expect compares got with a file of testdata, or writes the file.
func expect(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it); got\n%s", path, got)
	}
}

// The logs are in the one encoding that every event has: what a Go client writes is what it read.
func TestFixtureLogsAreCanonical(t *testing.T) {
	for name, log := range logs(t) {
		var out []byte
		for i := range log {
			out = protocol.AppendLine(out, &log[i])
		}
		expect(t, "testdata/logs/"+name+".ndjson", out)
	}
}

// Proves: 002.4.4/tool_result, 002.4.6, 002.8/1, 002.13/4, P7
func TestFoldFixtures(t *testing.T) {
	for name, log := range logs(t) {
		t.Run(name, func(t *testing.T) {
			state := fold(log)
			expect(t, "testdata/fold/"+name+".state.json", indent(t, state.AppendJSON(nil)))
		})
	}
}

// Proves: 000.D3/shape, 002.4.4/tool_result, C4, P5
func TestItemFixtures(t *testing.T) {
	for name, log := range logs(t) {
		t.Run(name, func(t *testing.T) {
			var view struct{ Items, Push []protocol.SessionEvent }
			var items protocol.Items
			push := protocol.NewPush("s-1")
			for i := range log {
				if it, ok := items.Item(&log[i]); ok {
					view.Items = append(view.Items, it)
				}
				if it, ok := push.Item(&log[i]); ok {
					view.Push = append(view.Push, it)
				}
			}
			out := appendList([]byte(`{"items":[`), t, view.Items)
			out = appendList(append(out, "],\n\"push\":["...), t, view.Push)
			expect(t, "testdata/items/"+name+".items.json", append(out, "]}\n"...))
		})
	}
}

// Proves: 001.kinds, 001.semantics, 001.completion, P6
func TestChunkFixtures(t *testing.T) {
	for name, log := range logs(t) {
		t.Run(name, func(t *testing.T) {
			var chunks protocol.Chunks
			var list []protocol.Chunk
			for i := range log {
				if c, ok := chunks.Chunk(&log[i]); ok {
					list = append(list, c)
				}
			}
			expect(t, "testdata/chunks/"+name+".chunks.json", append(appendList([]byte("["), t, list), "]\n"...))
		})
	}
}

func fold(log []protocol.Event) *protocol.SessionState {
	s := new(protocol.SessionState)
	for i := range log {
		s.Apply(&log[i])
	}
	return s
}

// appendList writes one element per line, so that a changed one is one changed line.
func appendList[T any](b []byte, t *testing.T, list []T) []byte {
	t.Helper()
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		b = append(append(b, '\n'), bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
	}
	return append(b, '\n')
}

func indent(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}
