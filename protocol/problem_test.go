package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func TestProblemTable(t *testing.T) {
	seen := make(map[Code]bool)
	for _, row := range problemTable {
		if row.status < 400 || row.status > 599 || row.title == "" || seen[row.code] {
			t.Errorf("bad row %+v", row)
		}
		seen[row.code] = true
	}
	if len(Codes()) != len(seen) {
		t.Errorf("%d codes, %d rows", len(Codes()), len(seen))
	}
	if Code("no such").Status() != 500 {
		t.Error("a code that is not in the table must look like an internal error")
	}
}

func TestProblem(t *testing.T) {
	p := CursorReset(Reset{Epoch: 2, Oldest: 1, Newest: 9})
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"urn:ringmaster:problem:cursor_reset","title":"The cursor is not of this log","status":410,"code":"cursor_reset",` +
		`"hint":"Drop what you hold of this session and read its log from the start.","epoch":2,"oldest":1,"newest":9}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	wrapped := fmt.Errorf("log: %w", NewProblem(CodeSessionNotFound, "no session s1", "List them with GET /sessions."))
	if got := wrapped.Error(); got != "log: session_not_found: no session s1 (List them with GET /sessions.)" {
		t.Errorf("got %s", got)
	}
	if !errors.Is(wrapped, NewProblem(CodeSessionNotFound, "", "")) || errors.Is(wrapped, NewProblem(CodeNotFound, "", "")) {
		t.Error("errors.Is must look at the code")
	}
}
