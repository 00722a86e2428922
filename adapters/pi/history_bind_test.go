package pi

import (
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Entries and ids find each other, whichever comes first.
func TestBinderMatches(t *testing.T) {
	var b binder
	var out adapters.Output
	first, second := wanted{role: "user", time: 1}, wanted{role: "assistant", time: 2}
	b.wait(first, &out, 1)
	b.found(stored{second, "b"}, &out)
	if len(out.Drafts) != 0 {
		t.Fatalf("bound %v, which is another message", out.Drafts)
	}
	b.found(stored{first, "a"}, &out)
	b.wait(second, &out, 2, 3)
	want := "[{1  a} {2  b} {3  b}]"
	if got := fmt.Sprint(out.Drafts); got != want {
		t.Errorf("bound %s, want %s", got, want)
	}
	if len(b.waiting)+len(b.ahead) != 0 {
		t.Errorf("still waiting: %+v", b)
	}
	for i := range 2 * maxWaiting {
		b.wait(wanted{role: "user", time: int64(i)}, &out, 9)
		b.found(stored{wanted{role: "assistant", time: int64(i)}, "x"}, &out)
	}
	if len(b.waiting) != maxWaiting || len(b.ahead) != maxAhead {
		t.Errorf("%d wait, and %d are ahead", len(b.waiting), len(b.ahead))
	}
}

// One question at a time: what comes up in between is asked when it is answered, and of another session from its beginning.
func TestBinderAsks(t *testing.T) {
	var b binder
	var c calls
	var out adapters.Output
	b.cursor = "z"
	b.fetch(&c, &out)
	b.fetch(&c, &out)
	if len(out.Lines) != 1 || !b.again {
		t.Fatalf("asked %q", out.Lines)
	}
	other, ours := &response{ID: "rm-9", Error: "no such entry"}, &response{ID: "rm-1", Error: "no such entry"}
	if b.answers(other) || !b.answers(ours) {
		t.Error("the question is not known by its id")
	}
	b.answered(ours)
	if b.cursor != "" || !b.again || b.asked != "" {
		t.Errorf("behind a refusal: %+v", b)
	}
	b.fetch(&c, &out)
	unknown := &response{Error: "Unknown command: get_entries"}
	if !b.answers(unknown) {
		t.Error("an answer without an id is not known")
	}
	b.answered(unknown)
	if b.fetch(&c, &out); len(out.Lines) != 2 {
		t.Errorf("asked again what Pi does not know: %q", out.Lines)
	}
	b.cursor = "b"
	if rest := b.unseen([]storedWire{{ID: "a"}, {ID: "b"}, {ID: "c"}}); len(rest) != 1 || rest[0].ID != "c" {
		t.Errorf("behind the cursor: %+v", rest)
	}
}
