package claude

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A message is known by its id. Where the beginning of its stream was lost, it is the one whose blocks have come.
func TestMessageAtWork(t *testing.T) {
	var s stream
	if s.is("m1") {
		t.Error("no message is at work")
	}
	s.blocks = map[int]*block{0: {}}
	if !s.is("m1") || s.is("m2") || s.id != "m1" {
		t.Errorf("the message whose beginning was lost: %+v", s)
	}
	s.next("m1")
	if s.generation != 1 || len(s.blocks) != 0 {
		t.Errorf("the same id once more: %+v", s)
	}
	s.forget()
	if s.id != "" || s.generation != 1 {
		t.Errorf("behind the turn: %+v", s)
	}
}

// The final content of a block is that of the first one of its kind that has none, and never that of an empty one.
func TestFinalContentFindsItsBlock(t *testing.T) {
	e := newTranslator(adapters.Spec{}).entries
	var out adapters.Output
	text := func(index int, kind protocol.EntryType, text string) {
		if b := e.grows(&delta{index, kind, text}); b != nil {
			e.open(b, 1, &out)
			b.add(text, &out)
		}
	}
	text(0, protocol.EntryAssistantMessage, "") // empty, and over
	e.stop(0)
	text(1, protocol.EntryThinking, "hm")
	text(2, protocol.EntryAssistantMessage, "a")
	text(3, protocol.EntryAssistantMessage, "b")
	if b := e.grows(&delta{1, protocol.EntryAssistantMessage, "x"}); b != nil {
		t.Error("a thought grows by a text")
	}
	out = adapters.Output{}
	for _, said := range []string{"a", "bc"} {
		e.final(protocol.EntryAssistantMessage, said, false, 1, &out)
	}
	e.final(protocol.EntryThinking, "hmm", false, 1, &out)
	got := drafts(&out)
	want := "entry 3 closed: {\"role\":\"assistant\",\"text\":\"bc\"}\n" + // the one before has ended with the same text
		"notice: warning text_differs \"The agent has kept the text before, which had ended, as: hmm\"\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e.final(protocol.EntryAssistantMessage, "not streamed", true, 2, &out)
	if got := drafts(&out); got != "entry 4 opened: assistant_message round 2 {\"role\":\"assistant\",\"text\":\"\"}\n"+
		"entry 4 left (interrupted): {\"role\":\"assistant\",\"text\":\"not streamed\"}\n" {
		t.Error(got)
	}
}
