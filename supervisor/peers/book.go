package peers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// Why a node is not believed, or cannot be asked.
var (
	ErrUnread  = errors.New("which nodes there are was not read from Core yet")
	ErrUnknown = errors.New("no node of Core")
	ErrGone    = errors.New("its node has left, or was declared dead")
	ErrSilent  = errors.New("the lease of its node has run out")
	ErrNowhere = errors.New("its node says no address for peers")
)

// How old what is known may be, and how often Core is asked.
const (
	fresh      = 5 * time.Second  // what is older is asked for again, and waited for
	ageing     = fresh / 2        // what is older is asked for beside
	between    = time.Second      // of two questions
	patience   = time.Second      // that somebody waits for an answer
	callTime   = 5 * time.Second  // of a question
	outageOver = 20 * time.Second // behind an outage of Core every node has said by then that it lives
)

// Config is what a Book works with.
type Config struct {
	Nodes func(ctx context.Context) ([]core.Node, error) // asks Core
	Here  string                                         // this node, which is no peer of itself
	Now   func() time.Time                               // nil: time.Now
}

// Book is which nodes there are, as Core has said it last. Who looks something up is answered at once where that is known and fresh, and also, however old it
// is, where Core does not answer: leases that nobody could renew are not held against anybody then.
type Book struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	work sync.WaitGroup

	mu     sync.Mutex
	nodes  []core.Node
	read   time.Time     // when Core has given them; zero: it never has
	asked  time.Time     // when it was asked last
	asking chan struct{} // closed with the answer that is under way; nil: there is none
	failed bool          // the last question was not answered
	back   time.Time     // when it was answered behind one that was not
	sure   time.Time     // when it was answered last of which the leases count: whose had run out by then, could have renewed it
}

// Peer is where a node takes requests.
type Peer struct{ Node, Address, Key string }

// NewBook makes an empty one. It must be closed.
func NewBook(cfg Config) *Book {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	b := &Book{cfg: cfg}
	b.ctx, b.end = context.WithCancel(context.Background())
	return b
}

// Close ends a question that is under way, and waits for it.
func (b *Book) Close() {
	b.mu.Lock()
	b.end()
	b.mu.Unlock()
	b.work.Wait()
}

// Speaker is the node that has a key, where it is alive.
func (b *Book) Speaker(ctx context.Context, key string) (node string, err error) {
	err = b.find(ctx, func(n *core.Node) bool { return key != "" && n.Key == key }, func(n *core.Node) error {
		node = n.Node
		return nil
	})
	return node, err
}

// At is where a node takes requests, where it is alive and does.
func (b *Book) At(ctx context.Context, node string) (p Peer, err error) {
	err = b.find(ctx, func(n *core.Node) bool { return n.Node == node }, func(n *core.Node) error {
		if n.Address == "" || n.Key == "" {
			return ErrNowhere
		}
		p = Peer{n.Node, n.Address, n.Key}
		return nil
	})
	return p, err
}

// find takes the first node that is meant, is alive and can be taken. Where there is none, or what is known is old, Core is asked.
func (b *Book) find(ctx context.Context, is func(*core.Node) bool, take func(*core.Node) error) error {
	b.mu.Lock()
	now := b.cfg.Now()
	err := b.look(now, is, take)
	age := fresh
	if !b.read.IsZero() {
		age = now.Sub(b.read)
	}
	if err == nil && age < ageing || b.asking == nil && now.Sub(b.asked) < between {
		b.mu.Unlock()
		return err
	}
	answer := b.ask(now)
	isKnown := err == nil && (b.failed || age < fresh)
	b.mu.Unlock()
	if isKnown || answer == nil {
		return err
	}
	b.wait(ctx, answer)
	b.mu.Lock()
	defer b.mu.Unlock()
	now = b.cfg.Now()
	if b.asking == answer && now.Sub(b.asked) >= patience {
		b.fails() // until it answers
	}
	return b.look(now, is, take)
}

// fails notes that Core does not answer. With mu held.
func (b *Book) fails() {
	if !b.failed && b.read.Sub(b.back) >= outageOver {
		b.sure = b.read
	}
	b.failed = true
}

func (b *Book) wait(ctx context.Context, answer <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-answer:
	case <-ctx.Done():
	}
}

// Renew has Core asked, where that was not done a moment ago, and waits for it.
func (b *Book) Renew(ctx context.Context) {
	b.mu.Lock()
	var answer <-chan struct{}
	if now := b.cfg.Now(); b.asking != nil || now.Sub(b.asked) >= between {
		answer = b.ask(now)
	}
	b.mu.Unlock()
	if answer != nil {
		b.wait(ctx, answer)
	}
}

// look goes through what is known. With mu held.
func (b *Book) look(now time.Time, is func(*core.Node) bool, take func(*core.Node) error) error {
	if b.read.IsZero() {
		return ErrUnread
	}
	err := ErrUnknown
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.Node == b.cfg.Here || !is(n) {
			continue
		}
		if err = b.stands(n, now); err == nil {
			if err = take(n); err == nil {
				return nil
			}
		}
	}
	return err
}

// stands says why nothing is to be had of a node. With mu held.
func (b *Book) stands(n *core.Node, now time.Time) error {
	switch {
	case n.State == core.StateLeft || n.State == core.StateDead:
		return ErrGone
	case !n.Beats:
		return ErrSilent
	case !b.read.Add(n.Ends).After(b.sure):
		return ErrSilent
	case b.failed, now.Sub(b.back) < outageOver: // nobody could renew
		return nil
	case n.Ends <= now.Sub(b.read):
		return ErrSilent
	}
	return nil
}

// ask gives what is closed with Core's answer; nil: the book is closed. With mu held.
func (b *Book) ask(now time.Time) <-chan struct{} {
	if b.asking == nil && b.ctx.Err() == nil {
		answer := make(chan struct{})
		b.asked, b.asking = now, answer
		b.work.Go(func() { // ends with Core's answer or its time, and Close waits for it
			ctx, cancel := context.WithTimeout(b.ctx, callTime)
			defer cancel()
			nodes, err := b.cfg.Nodes(ctx)
			b.heard(nodes, err)
			close(answer)
		})
	}
	return b.asking
}

func (b *Book) heard(nodes []core.Node, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asking = nil
	if err != nil {
		b.fails()
		return
	}
	now := b.cfg.Now()
	if b.failed {
		b.failed, b.back = false, now
	}
	b.nodes, b.read = nodes, now
}
