package session

import (
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"go.uber.org/zap"
)

// Host is what a session actor needs of the tree above it. No method blocks; all are called from the actor's goroutine.
type Host interface {
	StartAgent(id string, e StartAgent)
	CancelStart(id string, incarnation uint32)
	HastenStart(id string)
	// AdoptChild makes the session of a sub-agent of parent, or takes it up again.
	AdoptChild(parent string, c AdoptChild)
	// ToRoot sends to the root session of the sub-agent's session id: the nearest of its ancestors that is no sub-agent. Where
	// that one has no actor, the message is dropped.
	ToRoot(id string, m ChildMessage)
	// ToSession sends to another session, whose actor is started where it was passive (not for a TellRoot without Wake). A question
	// that cannot be delivered is answered by ask.Undelivered, any other message is dropped.
	ToSession(id string, m Message)
	// Announce takes a new summary. It is called for changes of state and properties, not for every event.
	Announce(s Summary)
	// Offers takes the models and modes that the session's agent offers.
	Offers(id string, o Offers)
	// Sync syncs the journal and then sends Synced with seq. At most one call per session is under way.
	Sync(id string, j store.Writer, seq uint64, to Ref)
	// Reopen stops the session's actor and starts another from the journal, which had events up to newest; the agent goes on.
	Reopen(id string, newest uint64)
	// Checkpoint takes what the log has told up to a place of it, from which a later opening may begin (Replay).
	Checkpoint(id string, at store.Place, state []byte)
	// Trim has a snapshot made of the beginning of a log, which is then to be dropped, and sends Trimmed. At most one is under way for a session.
	Trim(id string, t Trim)
	// Trimmed tells how many bytes of the log's beginning have gone, and its oldest event since; or why they have not.
	Trimmed(id string, oldest uint64, bytes int64, err error)
	// Shown tells how far the log is shown: when the session is taken up, and with each step.
	Shown(id string, log store.Log, seq uint64, works bool)
	// Appended tells of events written, or of a failed write.
	Appended(id string, j store.Writer, to Ref, events int, err error)
}

// Config is one session's actor.
type Config struct {
	ID   string
	Host Host
	// Open opens the journal and replays it, from a checkpoint where it has one; called once, in the actor's own goroutine. ErrUnmade: there is no
	// session, and the supervisor that has made the actor knows.
	Open func(Replay) (store.Writer, store.Recovery, error)
	// First gives the first input after the replay: *Begin, *Recover, *Rejoin, or nil for a session that was left in order.
	First     func(store.Recovery) core.Input
	Limits    Limits
	RingBytes int
	Head      *Head   // nil: it is not kept
	Gauges    *Gauges // nil: nothing is counted
	SyncFirst bool    // show events only once they are on disk
	// CheckpointBytes is how far the log grows until it has another checkpoint; 0 and less: it has none. One that is left has its own after a
	// sixteenth of that.
	CheckpointBytes int64
	// LogBytes is how many bytes of lines the log may have; beyond it the oldest events go, as many as the store removes together. 0 and less: any number.
	LogBytes int64
	// Snapshot reads what the events had told that were dropped; nil: none were. Any goroutine calls it, and waits for the disk.
	Snapshot func() ([]byte, error)
	Now      func() time.Time
	Log      *zap.Logger
}

// Replay is how an opening tells the session what its log holds. A checkpoint is a hint: without one, or with one that fits nothing, every line is visited.
type Replay struct {
	// Start takes the snapshot of what was dropped of the log, before anything else. An error says that the log cannot be replayed without a checkpoint.
	Start func(snapshot []byte) (seq uint64, err error)
	// Load takes the state of a checkpoint. An error says that it is of no use here.
	Load func(state []byte) error
	// Use says that Visit goes on behind the checkpoint that was loaded; it is called before the first line, if at all.
	Use   func()
	Visit func(line []byte) error
}

// ErrUnmade is inside the error of Config.Open for a new session whose journal could not be made.
var ErrUnmade = errors.New("session: it was not made")

// shell runs the core: journal, ring, effects, in this order (step). It waits for no other actor, and for the disk only in the write of the journal.
type shell struct {
	cfg     *Config // the producer's: a copy would cost each of many sessions its size
	self    Ref
	core    *core.State
	born    time.Time
	journal store.Writer
	ring    *ring.Ring
	readers readers
	owed    owed
	share   share // of the gauges

	kept     kept     // what has a checkpoint
	trims    trims    // what of the log is to go
	buf      []byte   // lines of the step at work, used again
	commits  []commit // appended, not shown: waiting for a sync, or for the journal to work again
	syncing  bool
	retrying bool       // JournalBack is on its way
	tries    int        // to go on since the journal failed
	broken   error      // the journal takes nothing: commits wait, questions are refused
	held     []Message  // while broken, in order
	damage   error      // the journal is damaged: read-only for good
	first    core.Input // not done yet: it waits for the journal; nil: it is done, or there was none
	failing  bool       // a message made the actor panic: its core may differ from the journal

	starting, stalling *time.Timer // of the newest WatchStart and WatchStall; nil: there was none
	quiet              quiet       // since when it has nothing to do
}

// commit is one step's events that are not shown yet, with the effects and answers that wait for them.
type commit struct {
	seq     uint64 // of its last event
	changed uint64 // core.State.Changed behind it
	count   int
	lines   []byte // kept until the commit is safe
	time    int64
	source  store.Source
	written bool
	effects []core.Effect
	looks   []look // answered behind the effects
}

// look is an answer that waits for what it shows.
type look struct {
	give func()
	fail func(error)
}
