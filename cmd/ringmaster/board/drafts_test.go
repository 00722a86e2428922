package board

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
)

// A prompt that is refused is lost to nobody who has gone on to write: it comes before what is being written to that session, or was left there, and behind
// what was refused before it.
func TestRefusedPromptIsKeptBesideAnother(t *testing.T) {
	begin := func() *stage {
		s := newStage(t, 80, 24, Options{Session: id(7)})
		s.ten()
		s.press("<esc>")
		return s
	}
	send := func(s *stage, text string) desk.Prompt {
		t.Helper()
		s.press("p")
		s.press(strings.Split(text, "")...)
		s.press("<enter>")
		sent := wished[desk.Prompt](s)
		if len(sent) != 1 {
			t.Fatalf("%+v", sent)
		}
		return sent[0]
	}
	refuse := func(s *stage, w desk.Prompt) {
		s.news(desk.Done{Wish: w, Err: "no daemon answers"})
		s.sees("Not sent, and kept")
	}
	is := func(s *stage, text string, pictures ...string) {
		t.Helper()
		s.press("<enter>")
		sent := wished[desk.Prompt](s)
		if len(sent) != 1 || sent[0].Text != text || !slices.Equal(sent[0].Pictures, pictures) {
			t.Errorf("%+v, want %q, %q", sent, text, pictures)
		}
	}
	s := begin() // another one is being written
	one := send(s, "one")
	one.Pictures = []string{"/a.png"}
	s.press("p", "t", "o", "<left>")
	s.board.Key(keys.Key{Name: keys.Paste, Text: "/b.png"}, s.now)
	refuse(s, one)
	s.press("w")
	is(s, "one\ntwo", "/a.png", "/b.png")

	s = begin() // another one was left
	one = send(s, "one")
	s.press("p", "t", "w", "o", "<esc>")
	refuse(s, one)
	s.press("p")
	is(s, "one\ntwo")

	s = begin() // another one was sent, and is refused as well
	one, two := send(s, "one"), send(s, "two")
	refuse(s, one)
	refuse(s, two)
	s.press("p", "!")
	is(s, "one\ntwo!")

	s = begin() // nothing else was written
	one = send(s, "one")
	s.press("p")
	refuse(s, one)
	is(s, "one")
}
