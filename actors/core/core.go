package core

import (
	"context"
	"iter"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Core is all of it. Its methods may be called by any goroutine, and wait for the place at most as long as their context lasts. Their errors: *SchemaError,
// *AccessError and *AwayError, with any of which it is not known whether the call has changed something, and *RefusedError.
type Core interface {
	Registry
	Writer
	Reader
	// Close frees connections; calls that are under way end with an *AwayError.
	Close()
}

// Lease says who may append to a session: a UUID that is new whenever somebody takes the session. The zero value is nobody's.
type Lease string

// Owner is a node in one of its lives.
type Owner struct {
	Node        string // the data folder's instance
	Incarnation uint64 // higher at each start, and never used twice
}

// Position is where the log of a session stands in Core, and who writes it.
type Position struct {
	Session string // the session's id, a UUID
	Owner   Owner  // the zero value: nobody has it
	Lease   Lease
	Epoch   uint64 // of the newest event; before the first one, of that one
	Head    uint64 // the newest event; 0: there is none
	Oldest  uint64 // the oldest event that is kept; Head+1: there is none
}

// Registry is the side of Core that says whose a session is.
type Registry interface {
	// Join begins a life of a node, and gives its number, which is higher than that of each of its lives before, also where Core itself has lost its
	// newest minutes.
	Join(ctx context.Context, node string) (Owner, error)
	// Take registers sessions that Core does not have, and takes again those that this node has had in an earlier life, or this one: each of both kinds
	// gets a new lease, and Core keeps what is told of it. Sessions of another node, and of nobody, are left as they are. The answers, in the order of
	// the asked, are the positions behind the call; of records of one session the first counts. A life of the node that another one has followed takes
	// nothing; its answers are the positions as they are. One that Core has forgotten, since it went back, it has again then. The zero value is the answer
	// for what cannot be a session: its id is no UUID, or a number is above protocol.MaxSeq.
	Take(ctx context.Context, as Owner, sessions []Record) ([]Position, error)
	// Positions gives the positions of sessions, in the order of the ids; the zero value of one that Core does not have, as that whose id is no UUID.
	Positions(ctx context.Context, ids []string) ([]Position, error)
	// Held goes through the positions of all sessions of a node, in any order; one that is taken meanwhile may be among them or not. An error ends it.
	Held(ctx context.Context, node string) iter.Seq2[Position, error]
	// Remove removes a session with all that Core has of it, where the lease is the session's. One that is gone is no error. It says whether the session
	// is gone now.
	Remove(ctx context.Context, id string, lease Lease) (gone bool, err error)
}

// Writer is the side of Core that takes logs.
type Writer interface {
	// Append takes batches, at most one of a session. Each is taken as a whole or not at all, by itself. The answers are in the order of the batches.
	Append(ctx context.Context, batches []Batch) ([]Answer, error)
	// Rewind tells Core of events that the session's log has lost while Core has them: cut.Epoch began with the event cut.First, and what Core has from
	// there on is of earlier epochs. Core puts it aside, where Superseded finds it, and its head is cut.First-1 then. The answer is Taken also where
	// Core has no event to put aside and the next one is cut.First: so a cut may be told again. Not taken is one behind which Core would have a gap, and
	// one of an epoch that Core has already with another beginning or with events, or has a later one of.
	Rewind(ctx context.Context, cut Cut) (Answer, error)
	// Note keeps what is told of sessions, each where its lease is the session's; of several of a lease, the last.
	Note(ctx context.Context, notes []Note) error
}

// Reader is the side of Core that serves logs of sessions that are elsewhere.
type Reader interface {
	// Session gives a session's position and record, which is that of Record.Kept without Epoch and First; ok is false where Core does not have it.
	Session(ctx context.Context, id string) (p Position, r Record, ok bool, err error)
	// Epochs gives the epochs of a session's log in order, as far as Core has them: behind a cut, the last one may have no event yet. There are none of a
	// session that Core does not have.
	Epochs(ctx context.Context, id string) (protocol.Epochs, error)
	// Stretches goes through the events since < seq <= upTo of a session's log, as the rows have them; the first and the last one are cut to that.
	// Each is as its writer has sent it, or a part of that. A *store.GoneError says that Core does not have the oldest of them any more, a
	// *store.BeyondError that it does not have the newest, or, behind the first stretches, that Rewind has put some of them aside meanwhile: then
	// what was given up to Newest is still right. An error ends it.
	Stretches(ctx context.Context, id string, since, upTo uint64) iter.Seq2[store.Stretch, error]
	// Superseded goes through what Rewind has put aside of a session, in the order in which that was done.
	Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error]
}

// Batch is a stretch of a session's log on its way to Core.
type Batch struct {
	Session string
	Lease   Lease
	store.Stretch
}

// Cut says where an epoch of a session's log has begun.
type Cut struct {
	Session string
	Lease   Lease
	Epoch   uint64
	First   uint64 // seq
}

// Answer is what became of one batch or cut.
type Answer struct {
	Taken bool
	// At is the position behind the call: of one that was taken, with the lease and head that it has given; of another, why it was not. The zero
	// value: Core does not have the session.
	At Position
	// Problem says why it is taken nowhere and never, whatever the position: it is no batch or cut. "": it could be taken.
	Problem string
}

// Record is what Core keeps of a session beside its log, for lists and for the node that takes it over. What of it Core cannot keep, as a text that is none,
// is no reason to refuse it; Kept says what becomes of that.
type Record struct {
	Session   string // UUID
	Root      string // UUID of the session at the top of its family; its own where it has no parent
	Parent    string // UUID; "": none
	Agent     string
	Owner     string // the principal, as tokens name it; "": the daemon's own
	State     string // the session's state (spec §5)
	Workspace string // where its files are: "node:" and the node's id, where only that machine has them
	Created   time.Time
	Updated   time.Time
	Labels    map[string]string
	Told      []byte // session.json, as the node has it
	Epoch     uint64 // of its log's first event here; counts where Take registers it. 0: 1
	First     uint64 // seq of its log's first event here; counts where Take registers it. 0: 1
}

// Note is a record of a session at work.
type Note struct {
	Lease Lease
	Record
}
