package droid

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func promptsOf(list ...*prompt) *prompts {
	p := &prompts{waiting: map[string]*prompt{}, past: map[string]bool{}}
	for _, x := range list {
		p.add(x)
	}
	return p
}

// A message shows a prompt by its own id, or where the agent gave it another by that of the request; and no other.
func TestPromptIsShown(t *testing.T) {
	one, two := &prompt{message: "m1", request: "r1"}, &prompt{message: "m2", request: "r2"}
	p := promptsOf(one, two)
	if got := p.shown("m3", "r3"); got != nil || len(p.list) != 2 {
		t.Errorf("a stranger shows %+v", got)
	}
	if got := p.shown("", ""); got != nil {
		t.Errorf("a message without an id shows %+v", got)
	}
	if p.shown("m2", "r1") != two || p.shown("m3", "r1") != one || len(p.list) != 0 {
		t.Errorf("left: %+v", p.list)
	}
}

// A turn that shows no message is of the prompt that it names, or else of the oldest.
func TestPromptIsUnshown(t *testing.T) {
	one, two := &prompt{message: "m1", request: "r1"}, &prompt{message: "m2", request: "r2"}
	p := promptsOf(one, two)
	if p.unshown("m2") != two || p.unshown("m2") != one || p.unshown("m2") != nil {
		t.Errorf("left: %+v", p.list)
	}
}

// What became of a prompt of ours is said once, unless it is more than that it waits; of those of others it is never said.
func TestPromptIsAnswered(t *testing.T) {
	ours, other := &prompt{id: "p1", request: "r1"}, &prompt{request: "r2"}
	p := promptsOf(ours, other)
	var out adapters.Output
	p.accepted("r1", true, &out)
	p.accepted("r1", false, &out)
	ours.answer(adapters.PromptStarted, &out)
	ours.joined(&out)
	other.joined(&out)
	p.accepted("r3", false, &out)
	if p.refused("r2", "no", &out) || p.refused("r1", "no", &out) {
		t.Error("a prompt of another, or one that was answered, is refused as ours")
	}
	want := []adapters.PromptResult{adapters.PromptQueued, adapters.PromptHandled}
	for i, d := range out.Drafts {
		if a, ok := d.(adapters.PromptAnswered); !ok || i >= len(want) || a.ID != "p1" || a.Result != want[i] {
			t.Errorf("said %+v", d)
		}
	}
	if len(out.Drafts) != len(want) || len(p.list) != 1 {
		t.Errorf("said %d, left %+v", len(out.Drafts), p.list)
	}
}
