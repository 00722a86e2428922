package droid

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The end of a message may have a block at another place than its deltas had, and each block once.
func TestBlockIsMatched(t *testing.T) {
	const text, thought = protocol.EntryAssistantMessage, protocol.EntryThinking
	a, b, c := &block{blockKey: blockKey{0, thought}, key: 1}, &block{blockKey: blockKey{1, text}, key: 2}, &block{blockKey: blockKey{3, text}, key: 3}
	s := stream{a.blockKey: a, b.blockKey: b, c.blockKey: c}
	for _, step := range []struct {
		at   blockKey
		want *block
	}{
		{blockKey{3, text}, c},    // at its place
		{blockKey{0, text}, b},    // the first of its kind
		{blockKey{1, text}, nil},  // both are taken
		{blockKey{7, thought}, a}, // of another kind
	} {
		got := s.match(step.at)
		if got != step.want {
			t.Errorf("at %v: %+v", step.at, got)
		}
		if got != nil {
			got.final = true
		}
	}
	if got := stream(nil).match(a.blockKey); got != nil {
		t.Errorf("of a message that has not streamed: %+v", got)
	}
}

// Nothing more comes of a message that is complete; one that was taken back comes again under its id.
func TestMessageIsOver(t *testing.T) {
	var out adapters.Output
	e := entries{messages: map[string]stream{}, done: map[string]bool{}}
	d := delta{message: []byte("m"), kind: protocol.EntryAssistantMessage}
	first := e.open(&d, 1, &out)
	if e.find(&d) != first {
		t.Error("an open block is not found")
	}
	e.complete("m")
	if e.find(&d) != nil || !e.done["m"] {
		t.Error("a message that is complete goes on")
	}
	e.retract("m", "retracted", &out)
	if e.done["m"] {
		t.Error("a message that was taken back cannot come again")
	}
	again := e.open(&d, 2, &out)
	if again.key == first.key || e.find(&d) != again {
		t.Errorf("again: %+v", again)
	}
}
