package coreapi

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/connection"
)

const (
	trusted   = 2 * time.Second // for so long a credential is not looked up again, and one that was revoked still good
	mostKnown = 4096
	lookups   = 8 // at once: strangers cost the database no more
)

// book remembers what credentials are good for.
type book struct {
	doors Doors
	slots chan struct{}

	mu    sync.Mutex
	known map[[sha256.Size]byte]found
}

type found struct {
	Grant
	ok  bool
	at  time.Time
	who *access.Principal // to whom connections belong
}

func newBook(d Doors) *book {
	return &book{doors: d, slots: make(chan struct{}, lookups), known: map[[sha256.Size]byte]found{}}
}

var errNoCredential = wire.NewProblem(wire.CodeCredential, "a valid token of a node is needed",
	"let who runs Core make one with `ringmaster core admit`, and name its file with --core-token-file; one that was expelled is void")

// grant is what the credential of a request is good for. The connection is the node's then.
func (b *book) grant(r *http.Request) (Grant, error) {
	given := r.Header["Authorization"]
	if len(given) != 1 {
		return Grant{}, &problemError{errNoCredential}
	}
	scheme, token, ok := strings.Cut(given[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Grant{}, &problemError{errNoCredential}
	}
	f, err := b.find(r.Context(), sha256.Sum256([]byte(token)))
	switch {
	case err != nil:
	case !f.ok:
		err = &problemError{errNoCredential}
	case !connection.Owned(r.Context(), f.who):
		err = errBusy
	}
	return f.Grant, err
}

func (b *book) find(ctx context.Context, sum [sha256.Size]byte) (found, error) {
	if f, ok := b.remembered(sum); ok {
		return f, nil
	}
	select {
	case b.slots <- struct{}{}:
		defer func() { <-b.slots }()
	case <-ctx.Done():
		return found{}, &core.AwayError{Op: "admit", Err: ctx.Err()}
	}
	if f, ok := b.remembered(sum); ok {
		return f, nil
	}
	g, ok, err := b.doors.Find(ctx, sum)
	if err != nil {
		return found{}, err
	}
	return b.remember(sum, found{Grant: g, ok: ok, at: time.Now()}), nil
}

func (b *book) remembered(sum [sha256.Size]byte) (found, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f, ok := b.known[sum]
	return f, ok && time.Since(f.at) < trusted
}

func (b *book) remember(sum [sha256.Size]byte, f found) found {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.known) >= mostKnown {
		clear(b.known)
	}
	if f.who = b.known[sum].who; f.who == nil && f.ok {
		f.who = &access.Principal{ID: "node:" + f.ID, Name: f.ID}
	}
	b.known[sum] = f
	return f
}

// bind has a credential be a node's, where it may.
func (b *book) bind(ctx context.Context, g Grant, node string) (bool, error) {
	ok, err := b.doors.Bind(ctx, g.ID, node)
	if ok && err == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		for sum, f := range b.known { // it happens once in a node's life
			f.at = time.Time{}
			b.known[sum] = f
		}
	}
	return ok, err
}
