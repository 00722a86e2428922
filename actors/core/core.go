package core

import (
	"context"
	"iter"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Core is all of it. Its methods may be called by any goroutine, and wait for the place at most as long as their context lasts. Their errors: *SchemaError,
// *AccessError, *FullError and *AwayError, with any of which it is not known whether the call has changed something, and *RefusedError.
type Core interface {
	Registry
	Writer
	Reader
	Placement
	Cold
	Natives
	// Close frees connections; calls that are under way end with an *AwayError.
	Close()
}

// Registry is the side of Core that says whose a session is.
type Registry interface {
	// Join begins a life of a node, and gives its number, which is higher than that of each of its lives before, also where Core itself has lost its
	// newest minutes.
	Join(ctx context.Context, node string) (Owner, error)
	// Take registers sessions that Core does not have, and takes again those that this node has had in an earlier life, or this one: each of both kinds
	// gets a new lease, and Core keeps what is told of it. Sessions of another node, and of nobody, are left as they are. The answers, in the order of
	// the asked, are the positions behind the call; of records of one session the first counts. A life of the node that another one has followed, that was
	// declared dead, or that has left, takes nothing; its answers are the positions as they are. One that Core has forgotten, since it went back, it has again
	// then. So it has a session of which Core has no later epoch than Record.Claimed, whosever it is there: who takes a session from a node begins a later one,
	// and what a node has given back it does not take. The zero value is the answer for what cannot be a session: its id is no UUID, or a number is above
	// protocol.MaxSeq.
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
	// one of an epoch that Core has already with another beginning or with events, or has a later one of. A later one that has no event is taken back before,
	// where Core has the one before it in no later epoch than the cut's: a claim has begun it, of a session that its node has already. That may be so of a cut
	// that is not taken.
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
	// what was given up to Newest is still right. A *ColdError: events are in an object store, and this Core has no way there (package cold joins them); a
	// log's newest event can be read all the same, if no cut has gone through its segment. An error ends it.
	Stretches(ctx context.Context, id string, since, upTo uint64) iter.Seq2[store.Stretch, error]
	// Bytes counts the bytes of the lines of the events since < seq <= upTo. Errors are those of Stretches at its beginning.
	Bytes(ctx context.Context, id string, since, upTo uint64) (int64, error)
	// Changes goes through the sessions that are there and of which the record or the owner was changed at a moment of Core's clock or later, in the order of
	// these moments, and behind them, in their order, through those that were removed since, as far as Core remembers that, which it does for a day; the zero
	// time: through all. One that is changed meanwhile may come twice. A change that takes Core some seconds is seen late, under the moment when it began: who
	// follows the changes asks again from some seconds before the latest that was seen. An error ends it.
	Changes(ctx context.Context, since time.Time) iter.Seq2[Change, error]
	// Superseded goes through what Rewind has put aside of a session, in the order in which that was done.
	Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error]
}

// Batch is a stretch of a session's log on its way to Core.
type Batch struct {
	Session string
	Lease   Lease
	store.Stretch
	// Works says that the session is at work behind the stretch. A record tells that a moment later: of a lost node's session that works by either, Want's
	// states ask nothing more.
	Works bool
}

// Cut says where an epoch of a session's log has begun.
type Cut struct {
	Session string `json:"session"`
	Lease   Lease  `json:"lease"`
	Epoch   uint64 `json:"epoch"`
	First   uint64 `json:"first"` // seq
}

// Answer is what became of one batch or cut.
type Answer struct {
	Taken bool `json:"taken"`
	// At is the position behind the call: of one that was taken, with the lease and head that it has given; of another, why it was not. The zero
	// value: Core does not have the session.
	At Position `json:"at"`
	// Problem says why it is taken nowhere and never, whatever the position: it is no batch or cut. "": it could be taken.
	Problem string `json:"problem,omitempty"`
}

// Record is what Core keeps of a session beside its log, for lists and for the node that takes it over. What of it Core cannot keep, as a text that is none,
// is no reason to refuse it; Kept says what becomes of that.
type Record struct {
	Session   string            `json:"session"` // UUID
	Root      string            `json:"root"`    // UUID of the session at the top of its family; its own where it has no parent
	Parent    string            `json:"parent"`  // UUID; "": none
	Agent     string            `json:"agent"`
	Owner     string            `json:"owner"`     // the principal, as tokens name it; "": the daemon's own
	State     string            `json:"state"`     // the session's state (spec §5)
	Workspace string            `json:"workspace"` // where its files are: "node:" and the node's id, where only that machine has them
	Created   time.Time         `json:"created"`
	Updated   time.Time         `json:"updated"`
	Labels    map[string]string `json:"labels"`
	Told      []byte            `json:"told"` // session.json, as the node has it
	Failover  Failover          `json:"failover"`
	Epoch     uint64            `json:"epoch"` // of its log's first event here; counts where Take registers it. 0: 1
	First     uint64            `json:"first"` // seq of its log's first event here; counts where Take registers it. 0: 1
	// Claimed is the newest epoch of which Core has said, in the node's life, that the session is the node's; it counts for Take alone. 0: there was none.
	Claimed uint64 `json:"claimed,omitempty"`
}

// Change is a session of which something was changed beside its log.
type Change struct {
	At       time.Time `json:"at"`             // of Core's clock
	Gone     bool      `json:"gone,omitempty"` // it was removed: of Position there is the session's id alone, and no record
	Position Position  `json:"position"`
	Record   Record    `json:"record"` // as Session gives it
}

// Note is a record of a session at work.
type Note struct {
	Lease Lease `json:"lease"`
	Record
}
