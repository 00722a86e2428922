package login

import (
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The bounds of codes. Right and wrong ones are counted apart, so that whoever guesses keeps nobody out.
const (
	codeLife = time.Minute
	openEach = 4  // codes of one token that wait to be traded
	aMinute  = 10 // codes of one token that are traded in a minute, and wrong ones that are told so
)

// Room has the codes that wait for a page. Its methods may be called from any goroutine, and never block.
type Room struct {
	now  func() time.Time
	text func() string // 130 random bits in 26 characters

	mu    sync.Mutex
	open  map[[sha256.Size]byte]*code
	right map[string]*window // by the share of who asked; those of the last minute
	wrong window
}

// code is one that waits, and knows no more of itself than its hash.
type code struct {
	by   *access.Principal
	made time.Time
}

// NewRoom makes a room without codes. now is the wall clock.
func NewRoom(now func() time.Time) *Room {
	return &Room{now: now, text: rand.Text, open: map[[sha256.Size]byte]*code{}, right: map[string]*window{}}
}

// Ask makes a code for a principal, which is shown this once. expires is when it is void.
func (r *Room) Ask(by *access.Principal) (text string, expires time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.wall()
	maps.DeleteFunc(r.right, func(_ string, w *window) bool { return w.empty(now) })
	n := 0
	for sum, c := range r.open {
		switch {
		case c.void(now):
			delete(r.open, sum)
		case c.by.Share() == by.Share():
			n++
		}
	}
	if n >= openEach {
		return "", time.Time{}, &protocol.Problem{
			Code: protocol.CodeRateLimited, Detail: "Too many links of this token wait to be opened.",
			Hint: "Open one of them, or wait a minute, until they are void.",
		}
	}
	text = r.text()
	r.open[sha256.Sum256([]byte(text))] = &code{by, now}
	return text, now.Add(codeLife), nil
}

// Take gives the principal that has asked for a code, which is void from then on.
func (r *Room) Take(text string) (*access.Principal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.wall()
	sum := sha256.Sum256([]byte(text)) // what is compared is a hash, so that the time it takes tells nothing of the code
	c := r.open[sum]
	if c == nil || c.void(now) {
		if !r.wrong.take(now) {
			return nil, tooFast("Too many wrong codes came within a minute.")
		}
		return nil, errNoCode
	}
	right := r.right[c.by.Share()]
	if right == nil {
		right = new(window)
		r.right[c.by.Share()] = right
	}
	if !right.take(now) {
		return nil, tooFast("Too many pages were logged in within a minute.")
	}
	delete(r.open, sum)
	return c.by, nil
}

// wall is the time without what a machine does not count while it sleeps.
func (r *Room) wall() time.Time { return r.now().Round(0) }

// void says that a code is over: by its time, by a clock that was set back behind its making, or with the token that asked for it.
func (c *code) void(now time.Time) bool {
	return now.Before(c.made) || now.Sub(c.made) >= codeLife || c.by.Revoked != nil && c.by.Revoked.Err() != nil
}

// errNoCode says the same of a code that is wrong, over or used.
var errNoCode = &protocol.Problem{
	Code: protocol.CodeNotFound, Detail: "No login waits with this code.", Hint: "A code is good once, for a minute. Another link is made with: ringmaster web",
}

func tooFast(detail string) error {
	return &protocol.Problem{Code: protocol.CodeRateLimited, Detail: detail, Hint: "Try again in a minute."}
}
