package access

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Prefix begins every secret, so that scanners recognize a leaked one. The token's id and 256 random bits follow.
const Prefix = protocol.TokenPrefix

// MaxTokens limits the tokens that people make. Tokens of agents do not count: they come and go with the agents.
const MaxTokens = 1024

// LoginLife is how long a login is valid, at most.
const LoginLife = 30 * 24 * time.Hour

// Token is the description of a token that somebody made, as it is kept and shown. It never has the secret.
type Token struct {
	ID      string
	Name    string
	Scope   Scope
	Owner   string // whose sessions, with Owner and OwnerRead
	Created time.Time
	Expires time.Time // zero: never
	AskedBy string    // of a login: the token that asked for it; empty: it is none
}

// Tokens knows all tokens but the one in the file "token". All methods may be called from any goroutine.
type Tokens struct {
	path string // empty: nothing is kept
	now  func() time.Time

	change sync.Mutex // held while the file is written; before mu
	mu     sync.RWMutex
	held   map[string]*held
}

// NewTokens knows none, and keeps none on the disk.
func NewTokens() *Tokens { return &Tokens{now: time.Now, held: map[string]*held{}} }

// held is a token, as requests are checked against it.
type held struct {
	Token
	sum       [sha256.Size]byte // of the whole secret
	principal *Principal
	revoke    context.CancelFunc
}

// holds makes a token whose principal is p, and which is void with within.
func holds(within context.Context, t Token, sum [sha256.Size]byte, p *Principal) *held {
	h := &held{Token: t, sum: sum, principal: p}
	if t.Expires.IsZero() {
		p.Revoked, h.revoke = context.WithCancel(within)
	} else {
		p.Revoked, h.revoke = context.WithDeadline(within, t.Expires)
	}
	return h
}

// logs makes a login of what a principal may do, as t says otherwise.
func logs(by *Principal, t Token, sum [sha256.Size]byte) *held {
	t.Scope, t.Owner, t.AskedBy = by.Scope, by.Owner, by.keysOf()
	return holds(cmp.Or(by.Revoked, context.Background()), t, sum, &Principal{ID: t.ID, Name: t.Name, Scope: t.Scope, Owner: t.Owner, AskedBy: t.AskedBy})
}

func (h *held) void() bool { return h.principal.Revoked.Err() != nil }

// made is a token that a person has made, or a login; not one that was granted to an agent.
func (h *held) made() bool { return h.principal.Scope != Agent }

func (h *held) login() bool { return h.AskedBy != "" }

// Find gives the principal of a secret; nil: there is no such token, or it is no longer valid.
func (t *Tokens) Find(secret string) *Principal {
	rest, ok := strings.CutPrefix(secret, Prefix)
	id, _, _ := strings.Cut(rest, "_")
	if !ok {
		return nil
	}
	t.mu.RLock()
	h := t.held[id]
	t.mu.RUnlock()
	sum := sha256.Sum256([]byte(secret))
	if h == nil || subtle.ConstantTimeCompare(sum[:], h.sum[:]) != 1 || h.void() {
		return nil
	}
	if !h.Expires.IsZero() && !t.now().Before(h.Expires) { // the machine slept, and its timers with it
		h.revoke()
		return nil
	}
	return h.principal
}

// Holder gives the principal of a token by the name that Principal.Holder gives; nil: that token is void, or an agent's.
func (t *Tokens) Holder(id string) *Principal {
	if id == Root.ID {
		return Root
	}
	t.mu.RLock()
	h := t.held[id]
	t.mu.RUnlock()
	if h == nil || !h.made() || h.login() || h.void() || !h.Expires.IsZero() && !t.now().Before(h.Expires) {
		return nil
	}
	return h.principal
}

// The forms of a token's name and owner: a name is free enough to tell it from others, an owner has no character that a log or a label
// would have to quote.
var (
	nameForm  = regexp.MustCompile(`^[^\p{C}]+$`)
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]*$`)
)

const maxWord = 128 // characters. As counts in the forms they would cost three megabytes

var errNoName = &protocol.Problem{
	Code: protocol.CodeInvalidRequest, Detail: "The token has no name.", Hint: "Name who or what will have it, in 1 to 128 characters.",
}

func fits(form *regexp.Regexp, word string) bool {
	return utf8.RuneCountInString(word) <= maxWord && form.MatchString(word)
}

// check says what is wrong with the description of a token that is to be made.
func (t *Token) check(now time.Time) error {
	invalid := func(detail, hint string) error {
		return &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: detail, Hint: hint}
	}
	owned := t.Scope == Owner || t.Scope == OwnerRead
	switch {
	case !fits(nameForm, t.Name):
		return errNoName
	case !owned && t.Scope != Admin && t.Scope != AdminRead:
		return invalid("There is no such scope.", "Scopes are admin, admin:ro, owner and owner:ro.")
	case owned && !fits(ownerForm, t.Owner):
		return invalid("This scope needs an owner.", "Give an owner, whose sessions they are: letters, digits and . _ @ + -, 128 at most.")
	case !owned && t.Owner != "":
		return invalid("A token for everything has no owner.", "Leave it out, or take the scope owner or owner:ro.")
	case !t.Expires.IsZero() && !t.Expires.After(now):
		return invalid("The token would have expired already.", "Give a time to come.")
	}
	return nil
}

// Create makes a token and gives its secret, which is shown this once.
func (t *Tokens) Create(want Token) (Token, string, error) {
	want.Created = t.now().UTC().Truncate(time.Second)
	if err := want.check(t.now()); err != nil {
		return Token{}, "", err
	}
	t.change.Lock()
	defer t.change.Unlock()
	if t.count(func(h *held) bool { return !h.login() }) >= MaxTokens {
		return Token{}, "", &protocol.Problem{Code: protocol.CodeOverloaded, Detail: "There are too many tokens.", Hint: "Revoke some that nobody needs."}
	}
	secret := t.mint(&want)
	h := holds(context.Background(), want, sha256.Sum256([]byte(secret)), &Principal{ID: want.ID, Name: want.Name, Scope: want.Scope, Owner: want.Owner})
	if err := t.save(h, nil); err != nil {
		h.revoke()
		return Token{}, "", err
	}
	t.hold(h)
	return want, secret, nil
}

// Grant makes a token for the agent of a session, for as long as it runs: revoke must follow.
func (t *Tokens) Grant(session, owner string) (secret string, revoke func()) {
	var to Token
	secret = t.mint(&to)
	h := holds(context.Background(), to, sha256.Sum256([]byte(secret)), &Principal{ID: to.ID, Scope: Agent, Owner: owner, Session: session})
	t.hold(h)
	return secret, func() {
		h.revoke()
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.held, to.ID)
	}
}

// mint gives a token its id and makes its secret.
func (t *Tokens) mint(to *Token) (secret string) {
	to.ID = strings.ToLower(rand.Text()[:12])
	bits := make([]byte, sha256.Size)
	_, _ = rand.Read(bits) // never fails
	return Prefix + to.ID + "_" + base64.RawURLEncoding.EncodeToString(bits)
}

func (t *Tokens) hold(h *held) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[h.ID] = h
}

// count counts the valid tokens of people and pages that fit.
func (t *Tokens) count(fits func(*held) bool) (n int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, h := range t.held {
		if h.made() && !h.void() && fits(h) {
			n++
		}
	}
	return n
}

// List gives the tokens that people have made, and logins, the oldest first.
func (t *Tokens) List() []Token {
	t.mu.RLock()
	defer t.mu.RUnlock()
	list := []Token{}
	for _, h := range t.held {
		if h.made() && !h.void() {
			list = append(list, h.Token)
		}
	}
	slices.SortFunc(list, func(a, b Token) int {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list
}

// Revoke makes a token void at once, with the logins that it has asked for. An error says that the file could not be written, so that the next
// daemon would accept the token again; the caller should try again.
func (t *Tokens) Revoke(id string) error {
	t.change.Lock()
	defer t.change.Unlock()
	t.mu.RLock()
	h := t.held[id]
	t.mu.RUnlock()
	if h == nil || !h.made() {
		return &protocol.Problem{Code: protocol.CodeNotFound, Detail: "No token has this id.", Hint: "GET /tokens lists the tokens."}
	}
	h.revoke()
	err := t.save(nil, nil)
	if p := (*protocol.Problem)(nil); errors.As(err, &p) {
		p.Detail += " The token is revoked for as long as this daemon runs."
	}
	return err
}

// dropVoid forgets tokens that were revoked or have expired, which the file no longer has. With change held.
func (t *Tokens) dropVoid() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, h := range t.held {
		if h.made() && h.void() {
			delete(t.held, id)
		}
	}
}
