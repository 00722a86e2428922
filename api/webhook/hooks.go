package webhook

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
)

// Config is what webhooks are kept and sent with.
type Config struct {
	Allow  *post.Allow // where notices may go
	Log    *zap.Logger
	Now    func() time.Time
	Chance func() float64 // 0 to 1, for the jitter of waits
	Sender Sender
	// Shelved are the sessions of which something is set aside on this node: they have left, and were not deleted. nil: none. It may wait for the disk.
	Shelved func() ([]string, error)
}

// Sender sends a message once; *post.Sender does.
type Sender interface {
	Send(ctx context.Context, m *post.Message) post.Outcome
}

// World is where sessions are looked for.
type World struct {
	Gate   *access.Gate
	Door   *control.Door
	Tokens *access.Tokens
}

// Hooks are all webhooks of a daemon. They may be used from any goroutine.
type Hooks struct {
	Config
	world World
	file  *file // nil: nothing is kept

	ctx      context.Context // done when nothing is begun any more
	cancel   context.CancelFunc
	sending  context.Context // done when what is under way is cut
	cut      context.CancelFunc
	all      sync.WaitGroup
	changing sync.Mutex    // held while a webhook is made or changed; before mu
	nudge    chan struct{} // something is due otherwise than before; has room for one

	mu      sync.Mutex
	core    *core.State
	sights  map[string]*sight // of webhooks that see sessions, by id
	relook  bool              // every session is to be seen once more
	added   bool              // a webhook was made since the last look at the list has begun
	scans   []core.Scan       // that wait
	scanner int               // goroutines that look at logs
	counts  map[count]uint64
}

// sight is what a webhook sees: what its token reaches, and what it has selected of that.
type sight struct {
	list     *access.Roster
	selected *selection.Selection
}

// New keeps webhooks in memory alone.
func New(c Config) *Hooks {
	h := &Hooks{Config: c, core: core.New(core.Usual), sights: map[string]*sight{}, nudge: make(chan struct{}, 1), counts: map[count]uint64{}}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.sending, h.cut = context.WithCancel(context.Background())
	return h
}

// Open keeps webhooks in a file of a folder, and knows those of the daemon before.
func Open(dir string, files disk.FS, c Config) (*Hooks, error) {
	h := New(c)
	h.file = &file{dir: dir, files: files, log: c.Log, now: c.Now, mu: &h.mu, all: &h.all, lines: h.core.Lines}
	return h, h.file.read(h.core.Read)
}

// Attach says where sessions are looked for. It comes before everything else.
func (h *Hooks) Attach(w World) { h.world = w }

// Begin begins to look and to send. The list of sessions must be complete.
func (h *Hooks) Begin() {
	h.mu.Lock()
	h.carryOut(h.core.Begin(h.Now()))
	h.mu.Unlock()
	list, bells := access.RosterOf(h.world.Gate, access.Daemon), ring.NewBells()
	bell := bells.New()
	list.HangHere(bell) // before the first look
	revision := h.see(list, 0)
	h.all.Go(func() { // ends with Close, which waits for it
		defer list.Unhang(bell)
		h.watch(list, bells, revision)
	})
}

// grace is how long a receiver has to answer when the daemon ends. What it has not answered by then is sent again by the next one.
const grace = time.Second

// Close ends what is under way, and returns when what is known is on the disk, as far as the disk takes it.
func (h *Hooks) Close() {
	h.cancel()
	defer time.AfterFunc(grace, h.cut).Stop()
	h.mu.Lock()
	if h.file != nil {
		for _, e := range h.core.Flush() {
			h.carryOut([]core.Effect{e})
		}
	}
	h.mu.Unlock()
	h.all.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file != nil {
		h.file.shut()
		h.file = nil // it may be another daemon's by now
	}
	h.cut()
}

// step takes an input, does what follows, and has watch see when something is due now.
func (h *Hooks) step(in core.Input) {
	h.take(in)
	h.Recheck()
}

// take takes an input and does what follows. Of watch, which sees by itself when something is due.
func (h *Hooks) take(in core.Input) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.carryOut(h.core.Step(h.Now(), in))
}

// carryOut does what was decided. With mu held.
func (h *Hooks) carryOut(effects []core.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case *core.Save:
			h.file.save(e.Line)
		case *core.Scan:
			if h.ctx.Err() == nil {
				h.look(*e)
			}
		case *core.Try:
			if h.ctx.Err() == nil {
				h.all.Go(func() { h.try(e) }) // ends with the try, at most 15 s, or with the grace of Close
			}
		case *core.Tell:
			h.tell(e)
		}
	}
}

// try sends a delivery once, unless the webhook may not send any more.
func (h *Hooks) try(e *core.Try) {
	if !h.may(e.Hook, e.URL) {
		h.step(&core.Answered{Hook: e.Hook, ID: e.ID, Error: "refused", Chance: h.Chance()})
		return
	}
	o := h.Sender.Send(h.sending, &post.Message{ID: e.ID, URL: e.URL, Body: e.Body, Secrets: e.Secrets})
	failpoint.Hit("webhook/afterTry")
	if h.sending.Err() != nil && o.Error != "" {
		return // the daemon ends: nobody knows, and the next one sends it again
	}
	h.step(&core.Answered{
		Hook: e.Hook, ID: e.ID, Status: o.Status, Error: o.Error, RetryAfter: o.RetryAfter.Milliseconds(), Chance: h.Chance(),
	})
}
