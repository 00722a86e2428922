package access

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A login is the token of a page (spec §7.15). A token has asked for it: it may do what that one may, never longer, and is void with it.

// The bounds of logins. The first is beside MaxTokens.
const (
	MaxLogins     = 1024
	MaxLoginsEach = 16 // that one token has asked for; one more ends the oldest
)

// MayLogin says whether a principal may have a page logged in, and whether there is room for one more.
func (t *Tokens) MayLogin(by *Principal) error {
	switch {
	case by == nil:
		return errNobody
	case by.Scope == Agent:
		return &protocol.Problem{
			Code: protocol.CodeForbidden, Detail: "An agent's token logs nobody in.", Hint: "A person asks for the link, with a token of their own.",
		}
	case by.AskedBy != "":
		return &protocol.Problem{
			Code: protocol.CodeForbidden, Detail: "A page that is logged in logs no other in.",
			Hint: "Ask for the link with a token that somebody made, or over the unix socket.",
		}
	}
	if all := t.count((*held).login); all >= MaxLogins && t.oldestOf(by) == nil {
		return &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: "Too many pages are logged in.",
			Hint: "Revoke some that nobody uses: ringmaster token list has those that were asked for.",
		}
	}
	return nil
}

// oldestOf is the login of a principal that ends for another one; nil: it has room for one more.
func (t *Tokens) oldestOf(by *Principal) (oldest *held) {
	asker, n := by.keysOf(), 0
	t.count(func(h *held) bool {
		if h.AskedBy != asker {
			return false
		}
		if n++; oldest == nil || h.Created.Before(oldest.Created) {
			oldest = h
		}
		return true
	})
	if n < MaxLoginsEach {
		return nil
	}
	return oldest
}

// MayMakeTokens says whether the principal of a context may make tokens, besides its scope. A page may not: what it makes would outlive it.
func MayMakeTokens(ctx context.Context) error {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return err
	case p.AskedBy != "":
		return refuse(ctx, "A page that is logged in makes no tokens, which would outlive its login.", "Make it in a terminal: ringmaster token create.")
	}
	return nil
}

// CheckLogin says whether a page may have a name.
func CheckLogin(name string) error {
	if !fits(nameForm, name) {
		return errNoName
	}
	return nil
}

// Login makes the token of a page that a principal has asked for, and gives its secret, which is shown this once. Where the principal has as many as
// it may, the oldest is void from then on: a browser that forgets its login, or finds the daemon on another port, leaves one behind each time.
func (t *Tokens) Login(by *Principal, name string) (Token, string, error) {
	if err := CheckLogin(name); err != nil {
		return Token{}, "", err
	}
	t.change.Lock()
	defer t.change.Unlock()
	if err := t.MayLogin(by); err != nil {
		return Token{}, "", err
	}
	want := Token{Name: name, Created: t.now().UTC().Truncate(time.Second)}
	want.Expires = want.Created.Add(LoginLife)
	if until := t.expiry(by); !until.IsZero() && until.Before(want.Expires) {
		want.Expires = until
	}
	secret := t.mint(&want)
	h := logs(by, want, sha256.Sum256([]byte(secret)))
	if h.void() { // the token of who asked is
		return Token{}, "", errAskerVoid
	}
	oldest := t.oldestOf(by)
	if err := t.save(h, oldest); err != nil {
		h.revoke()
		return Token{}, "", err
	}
	if oldest != nil {
		oldest.revoke()
		t.dropVoid()
	}
	t.hold(h)
	return h.Token, secret, nil
}

var errAskerVoid = &protocol.Problem{
	Code: protocol.CodeNotFound, Detail: "The token that asked for this login is no longer valid.", Hint: "Ask for another login with a token that is.",
}

// expiry is when a principal's own token expires; zero: never.
func (t *Tokens) expiry(p *Principal) time.Time {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if h := t.held[p.ID]; h != nil {
		return h.Expires
	}
	return time.Time{}
}
