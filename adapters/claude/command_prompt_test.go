package claude

import (
	"fmt"
	"slices"
	"testing"
)

func texts(list []*prompt) (texts []string) {
	for _, p := range list {
		texts = append(texts, p.text)
	}
	return texts
}

// The prompt that finds the agent idle begins a turn alone; those that do not begin the next one together.
func TestPromptsBeginTurns(t *testing.T) {
	s := prompts{known: map[string]*prompt{}}
	said := func(text string) []contentWire { return []contentWire{textBlock(text)} }
	s.sent("", said("one"), false)
	s.sent("", said("two"), false)
	s.sent("u3", said("three"), true)
	s.sent("u3", said("three"), true) // sent twice
	if got := texts(s.beginning()); !slices.Equal(got, []string{"one"}) {
		t.Errorf("a turn begins with %q", got)
	}
	s.taken(s.beginning()[0])
	if got := texts(s.beginning()); !slices.Equal(got, []string{"two", "three"}) {
		t.Errorf("the next turn begins with %q", got)
	}
	s.tells = true // of those that have a uuid
	if got := texts(s.beginning()); !slices.Equal(got, []string{"two"}) {
		t.Errorf("the next turn begins with %q", got)
	}
	three := s.known["u3"]
	if got := texts(s.before(three)); !slices.Equal(got, []string{"two"}) {
		t.Errorf("before the third one come %q", got)
	}
	if !s.taken(three) || s.taken(three) {
		t.Error("a prompt is taken twice")
	}
	if p, known := s.known["u3"]; p != nil || !known {
		t.Error("a prompt that was taken is not known any more")
	}
}

// The echo of prompts is theirs, whether they were taken before or are with it. Any other one is a prompt that nobody saw going in.
func TestEchoes(t *testing.T) {
	s := prompts{known: map[string]*prompt{}}
	for _, text := range []string{"one", "two", "three"} {
		s.wait(&prompt{text: text}, true)
	}
	s.taken(s.waiting[0])
	if got := s.replayed("e1", "one", true); got != nil {
		t.Errorf("taken once more: %q", texts(got))
	}
	if got := s.replayed("e1", "two", true); got != nil {
		t.Errorf("an echo that is known brings %q", texts(got))
	}
	if got := texts(s.replayed("e2", "two\nthree", true)); !slices.Equal(got, []string{"two", "three"}) {
		t.Errorf("an echo of two brings %q", got)
	}
	got := s.replayed("e3", "four", true)
	if !slices.Equal(texts(got), []string{"four"}) || s.known["e3"] != got[0] {
		t.Errorf("an echo of none brings %q", texts(got))
	}
}

// What is remembered of prompts is bounded, and those that wait are the last to be forgotten.
func TestPromptsAreBounded(t *testing.T) {
	s := prompts{known: map[string]*prompt{}}
	for i := range 4 * maxKnown {
		p := &prompt{uuid: fmt.Sprint("u", i)}
		s.wait(p, true)
		if i%2 == 0 {
			s.taken(p)
		}
	}
	for range 2 * maxUnnamed {
		p := &prompt{text: "x"}
		s.wait(p, true)
		s.taken(p)
	}
	if len(s.known) > maxKnown || len(s.waiting) > maxKnown/2 || len(s.unnamed) > maxUnnamed {
		t.Errorf("%d known, %d waiting, %d without a uuid", len(s.known), len(s.waiting), len(s.unnamed))
	}
	for _, p := range s.waiting {
		if s.known[p.uuid] != p {
			t.Fatalf("%s waits and is not known", p.uuid)
		}
	}
}
