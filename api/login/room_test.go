package login

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// clock is the time of a test.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time             { return c.at }
func (c *clock) pass(d time.Duration)       { c.at = c.at.Add(d) }
func (c *clock) room() *Room                { return NewRoom(c.now) }
func principal(id string) *access.Principal { return &access.Principal{ID: id, Scope: access.Admin} }

func codeOf(err error) protocol.Code {
	var p *protocol.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

func (r *Room) ask(t *testing.T, by *access.Principal) string {
	t.Helper()
	text, _, err := r.Ask(by)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCodes: a code is long, good once and for a minute, for the token that asked for it, and the room does not have it.
//
// Proves: I13.9/codes
func TestCodes(t *testing.T) {
	ann := principal("ann")
	for name, row := range map[string]struct {
		between func(*clock, *Room, string)
		want    protocol.Code
	}{
		"at once":                   {func(*clock, *Room, string) {}, ""},
		"at the end of its time":    {func(c *clock, _ *Room, _ string) { c.pass(time.Minute - 1) }, ""},
		"after a minute":            {func(c *clock, _ *Room, _ string) { c.pass(time.Minute) }, protocol.CodeNotFound},
		"with a clock that is back": {func(c *clock, _ *Room, _ string) { c.pass(-time.Second) }, protocol.CodeNotFound},
		"a second time":             {func(_ *clock, r *Room, text string) { _, _ = r.Take(text) }, protocol.CodeNotFound},
		"beside another": {func(_ *clock, r *Room, _ string) {
			if text, _, err := r.Ask(principal("bob")); err == nil {
				_, _ = r.Take(text)
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			r := c.room()
			text, expires, err := r.Ask(ann)
			if err != nil || len(text) < 26 || !expires.Equal(c.at.Add(time.Minute)) {
				t.Fatalf("%q until %v, %v", text, expires, err)
			}
			if len(r.open) != 1 || r.open[sha256.Sum256([]byte(text))] == nil {
				t.Error("the room has something else than the code's hash")
			}
			row.between(c, r, text)
			by, err := r.Take(text)
			if codeOf(err) != row.want || (err == nil) != (by == ann) {
				t.Errorf("%v, %v, want %q", by, err, row.want)
			}
		})
	}
}

// TestWrongCodes: what is not a code to the last character is none.
func TestWrongCodes(t *testing.T) {
	c := newClock()
	r := c.room()
	text := r.ask(t, principal("ann"))
	for _, wrong := range []string{"", text[1:], text + "A", " " + text, strings.ToLower(text), text[:25] + string(text[25]^1)} {
		if by, err := r.Take(wrong); by != nil || codeOf(err) != protocol.CodeNotFound {
			t.Errorf("%q: %v, %v", wrong, by, err)
		}
	}
	if _, err := r.Take(text); err != nil {
		t.Error(err)
	}
}

// TestCodesAreFew: four of a token wait at once; others have their own, and what is over or used makes room.
func TestCodesAreFew(t *testing.T) {
	c := newClock()
	r := c.room()
	ann := principal("ann")
	var texts []string
	for range openEach {
		texts = append(texts, r.ask(t, ann))
	}
	if _, _, err := r.Ask(ann); codeOf(err) != protocol.CodeRateLimited {
		t.Errorf("one more: %v", err)
	}
	r.ask(t, principal("bob"))
	r.ask(t, access.Root)
	if _, err := r.Take(texts[0]); err != nil {
		t.Error(err)
	}
	r.ask(t, ann)
	if _, _, err := r.Ask(ann); codeOf(err) != protocol.CodeRateLimited {
		t.Errorf("one more: %v", err)
	}
	c.pass(time.Minute)
	r.ask(t, ann)
	if len(r.open) != 1 {
		t.Errorf("%d codes are kept, of which one is good", len(r.open))
	}
}

// TestCodesGoWithTheirToken that asked for them.
func TestCodesGoWithTheirToken(t *testing.T) {
	k := access.NewTokens()
	made, secret, err := k.Create(access.Token{Name: "a", Scope: access.Admin})
	if err != nil {
		t.Fatal(err)
	}
	r := newClock().room()
	text := r.ask(t, k.Find(secret))
	if err := k.Revoke(made.ID); err != nil {
		t.Fatal(err)
	}
	if by, err := r.Take(text); by != nil || codeOf(err) != protocol.CodeNotFound {
		t.Errorf("%v, %v", by, err)
	}
}

// TestGuessersKeepNobodyOut: wrong codes are answered ten times a minute, and right ones are taken all the same, ten times a minute.
//
// Proves: I13.9/guesses
func TestGuessersKeepNobodyOut(t *testing.T) {
	c := newClock()
	r := c.room()
	tries := func(n int, text func() string) (counts map[protocol.Code]int) {
		counts = map[protocol.Code]int{}
		for range n {
			_, err := r.Take(text())
			counts[codeOf(err)]++
		}
		return counts
	}
	wrong := func() string { return "WRONG" }
	right := func() string { return r.ask(t, principal("ann")) }
	if got := tries(100, wrong); got[protocol.CodeNotFound] != aMinute || got[protocol.CodeRateLimited] != 100-aMinute {
		t.Errorf("wrong codes: %v", got)
	}
	if got := tries(aMinute, right); got[""] != aMinute {
		t.Errorf("right codes among wrong ones: %v", got)
	}
	text := right()
	if _, err := r.Take(text); codeOf(err) != protocol.CodeRateLimited {
		t.Errorf("an eleventh: %v", err)
	}
	if _, err := r.Take(r.ask(t, principal("bob"))); err != nil {
		t.Errorf("of another token: %v", err)
	}
	c.pass(time.Minute - 1)
	if _, err := r.Take(text); codeOf(err) != protocol.CodeRateLimited {
		t.Errorf("within the minute: %v", err)
	}
	c.pass(1)
	if got := tries(1, right); got[""] != 1 {
		t.Errorf("a minute later: %v", got)
	}
	if len(r.right) != 1 {
		t.Errorf("%d tokens are remembered for what they did a minute ago", len(r.right)-1)
	}
	if got := tries(aMinute+1, wrong); got[protocol.CodeNotFound] != aMinute {
		t.Errorf("wrong ones a minute later: %v", got)
	}
}

// TestALinkThatCameTooFastIsGoodAgain: what is not taken for want of room in the minute is not used up.
func TestALinkThatCameTooFastIsGoodAgain(t *testing.T) {
	c := newClock()
	r := c.room()
	for range aMinute {
		if _, err := r.Take(r.ask(t, principal("ann"))); err != nil {
			t.Fatal(err)
		}
	}
	c.pass(30 * time.Second)
	text := r.ask(t, principal("ann"))
	if _, err := r.Take(text); codeOf(err) != protocol.CodeRateLimited {
		t.Fatal(err)
	}
	c.pass(30*time.Second - 1)
	if _, err := r.Take(text); codeOf(err) != protocol.CodeRateLimited {
		t.Fatal(err)
	}
	c.pass(1)
	if _, err := r.Take(text); err != nil {
		t.Error(err)
	}
}
