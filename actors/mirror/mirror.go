package mirror

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Config is what a mirror works with.
type Config struct {
	ID   string
	Core core.Reader
	// Told is what Core is known to keep of the session beside its log; Seq is the event up to which it tells. It asks nobody.
	Told func() session.Summary
	// Refused is what whoever wants a change is told.
	Refused func() error
	// Pass may take over a message that wants a change: it has it answered then, and says so. It must not wait. nil: nothing is taken over.
	Pass  func(session.Message) bool
	Owner Owner // nil: Core alone tells of it
	Now   func() time.Time
}

// Mirror addresses the actor, which does not end by itself.
type Mirror struct {
	session.Ref              // takes the questions of readers
	own         ask.Ref[own] // takes what the owner says
	following   atomic.Bool  // somebody reads on
	used        atomic.Int64 // Unix ms of the last question
	node        atomic.Pointer[string]
	news        atomic.Int64
}

// Start makes the mirror of a session.
func Start(root *actor.RootContext, cfg Config) *Mirror {
	m := new(Mirror)
	m.used.Store(cfg.Now().UnixMilli())
	pid := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &keeper{cfg: &cfg, mirror: m} }, actor.WithMailbox(mailbox.New)))
	m.Ref, m.own = ask.NewRef[session.Message](root, pid), ask.NewRef[own](root, pid)
	return m
}

// IsFollowed says that somebody reads on, who is shown what Core has more once the mirror is told of it.
func (m *Mirror) IsFollowed() bool { return m.following.Load() }

// Used is when it was last asked, in Unix ms.
func (m *Mirror) Used() int64 { return m.used.Load() }

// Moved says that Core has another position of the session, or tells something else of it.
func (m *Mirror) Moved(p core.Position) { m.own.Send(&moved{at: p}) }

// Node is the node that feeds the mirror; "": none does, and Core is to be asked.
func (m *Mirror) Node() string {
	if n := m.node.Load(); n != nil {
		return *n
	}
	return ""
}

// News is when the node that feeds it has last told something, in Unix ms.
func (m *Mirror) News() int64 { return m.news.Load() }

// Lost says that the node that feeds it is not to be believed any more: Core is asked.
func (m *Mirror) Lost() { m.own.Send(&unfed{err: errNoMore}) }

// Rest lets readers go that yield and have everything: the list tells them when there is more.
func (m *Mirror) Rest() { m.own.Send(&rested{}) }

// own is what the owner and the mirror itself send it.
type own interface {
	isOwn()
	Lost() ask.Loss
}

// said is what every message of own is: to a mirror that has ended it says nothing any more.
type said struct{}

func (said) isOwn()         {}
func (said) Lost() ask.Loss { return ask.Nothing }

type (
	moved struct {
		said
		at core.Position
	}
	loaded struct {
		said
		log *log
		err error
	}
	grown struct {
		said
		of    *log
		since uint64
		upTo  uint64
		lines []byte
		err   error
	}
	folded struct {
		said
		of  *log
		so  *fold
		err error
	}
)

// feed is one stream from the session's node. What is behind newest comes from it at once; Core is for what it does not give.
type feed struct {
	of    *log
	node  string
	end   context.CancelFunc
	taken chan error // what became of the news that were given last; the feed waits for it, so that there is one at most
	told  bool       // the node tells
	shown bool       // events were shown
}

type (
	fed struct {
		said
		by   *feed
		news *News
	}
	unfed struct {
		said
		by  *feed // nil: whichever there is
		err error
	}
	rested   struct{ said }
	lingered struct {
		said
		by *time.Timer
	}
)

// lingers is how long a mirror is fed that nobody reads any more.
const lingers = 10 * time.Second

var errNoMore = errors.New("the mirror takes no more of this feed")

// keeper is the actor. It waits for nobody: what it asks Core comes as a message.
type keeper struct {
	cfg    *Config
	mirror *Mirror

	log     *log // nil: it is not known yet
	ring    *ring.Ring
	readers map[*session.Reader]struct{}
	loading bool
	joins   []*session.Join // that wait for the log

	growing bool
	wanted  core.Position // the newest that was told; the zero value: none

	feeding   *feed           // nil: no node feeds it
	failed    int             // feeds that have told nothing, since one has
	left      string          // the node that was left, and is asked again
	again     time.Time       //   from then on
	over      protocol.Cursor // where the session has ended, as its node says; the zero value: it does not
	lingering *time.Timer     // until a mirror goes that nobody reads; nil: somebody does, or it is not fed

	fold    *fold // what the log tells; nil: nobody has asked
	folding bool
	doubted bool                // the last fold did not find the log as it was, which is read anew
	looks   []*session.Describe // that wait for it
}

// load asks Core for the log, where it is not known.
func (k *keeper) load() {
	if k.log != nil || k.loading {
		return
	}
	k.loading = true
	reader, id, self := k.cfg.Core, k.cfg.ID, k.mirror
	go func() { // ends with Core's answer, or with its time
		l, err := open(reader, id)
		self.own.Send(&loaded{log: l, err: err})
	}()
}

// forget forgets the log where nobody follows it and nothing waits for it: who asks next is told what Core has then. One that is fed stays for a moment.
func (k *keeper) forget() {
	k.follow()
	switch {
	case len(k.readers) > 0 || len(k.looks) > 0:
		k.stay()
	case k.feeding == nil || !k.feeding.told:
		k.drop()
	case k.lingering == nil:
		k.linger()
	}
}

func (k *keeper) drop() {
	k.stay()
	k.unfeed()
	k.log, k.ring = nil, nil
}

// follow tells the owner whether somebody reads.
func (k *keeper) follow() { k.mirror.following.Store(len(k.readers) > 0) }

// restart forgets the log: the next question reads it anew.
func (k *keeper) restart() {
	if k.ring != nil {
		k.ring.Close(ring.Retired)
	}
	k.drop()
	clear(k.readers)
	k.follow()
}

// isOver says that the session has ended, and that its last event is there.
func (k *keeper) isOver() bool {
	sum := k.cfg.Told()
	return k.over == k.log.end() || sum.Status.State.Ended() && sum.Seq == k.log.newest.Load()
}

func (k *keeper) allDone() bool {
	for r := range k.readers {
		if !r.Done(k.ring) {
			return false
		}
	}
	return true
}

// unfeed ends the feed.
func (k *keeper) unfeed() {
	if k.feeding != nil {
		k.feeding.end()
		k.feeding = nil
	}
	k.mirror.node.Store(nil)
	if k.log != nil {
		k.log.tail.Store(nil)
	}
}

// linger has a mirror that nobody reads go in a moment.
func (k *keeper) linger() {
	m, self := new(lingered), k.mirror
	started := make(chan struct{})
	m.by = time.AfterFunc(lingers, func() { <-started; self.own.Send(m) })
	k.lingering = m.by
	close(started)
}

// stay has it stay.
func (k *keeper) stay() {
	if k.lingering != nil {
		k.lingering.Stop()
		k.lingering = nil
	}
}

// append shows lines that begin with an event, but for those that were shown already; false: others are missing before them.
func (k *keeper) append(first uint64, count int, lines []byte) bool {
	next := k.log.newest.Load() + 1
	if first > next {
		return false
	}
	last := first + uint64(count) - 1
	if last < next {
		return true
	}
	for ; first < next; first++ {
		lines = lines[bytes.IndexByte(lines, '\n')+1:]
	}
	k.log.newest.Store(last)
	ring.AppendLines(k.ring, lines)
	k.ring.Publish(last)
	return true
}
