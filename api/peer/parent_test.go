package peer

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

// TestParentOfBody: whose session a new one is to be is found in a body as it has come, in pieces, and without the memory of another one.
//
// Proves: I16.7/parents
func TestParentOfBody(t *testing.T) {
	for _, text := range []string{
		``, `{`, `{}`, `[]`, `"parentSessionId"`, `null`, `{"parentSessionId"`, `{"parentSessionId":`, `{"parentSessionId":null}`, `{"parentSessionId":1,"a":"b"}`,
		`{"parentSessionId":"x"}`, " {\n\"parentSessionId\" :\t\"x\" , \"agent\":\"a\"}", `{"agent":"parentSessionId","cwd":"/x","parentSessionId":"x"}`,
		`{"a":{"parentSessionId":"x"}}`, `{"a":[{"parentSessionId":"x"},"parentSessionId","y"]}`, `{"a":{"b":[1,2,{"c":"}"}]},"parentSessionId":"x"}`,
		`{"a":"parentSessionId\":\"x"}`, `{"a":"\\","parentSessionId":"x"}`, `{"a":"\\\"","parentSessionId":"x","b":"y"}`, `{"title":"{[","parentSessionId":"x"}`,
		`{"parentSessionId":["x"]}`, `{"parentSessionId":{"a":"x"},"b":"y"}`, `{"parentSessionId":"x","labels":{"parentSessionId":"y"}}`,
	} {
		var want struct {
			Parent string `json:"parentSessionId"`
		}
		if json.Unmarshal([]byte(text), &want) != nil {
			want.Parent = ""
		}
		for _, size := range []int{1, 2, 3, 7, 1000} {
			b := &body{}
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				b.pieces = append(b.pieces, rest[:min(size, len(rest))])
			}
			if got := b.parent(); got != want.Parent {
				t.Errorf("%s, in pieces of %d: %q, want %q", text, size, got, want.Parent)
			}
		}
	}

	large := &body{}
	picture := []byte(strings.Repeat("A", 32<<10))
	large.pieces = append(large.pieces, []byte(`{"prompt":{"text":"x","images":[{"data":"`))
	for range 1200 {
		large.pieces = append(large.pieces, picture)
	}
	large.pieces = append(large.pieces, []byte(`"}]},"parentSess`), []byte(`ionId":"x"}`))
	for _, piece := range large.pieces {
		large.size += int64(len(piece))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := large.parent()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; got != "x" || took > 64<<10 {
		t.Errorf("%q, with %d bytes of memory for %d", got, took, large.size)
	}
}
