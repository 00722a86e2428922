package shipper

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Log is what the shipper reads of a session's log.
type Log interface {
	Bounds() (oldest, newest uint64)
	Epochs() protocol.Epochs
	Range(since, upTo uint64) (store.Range, error)
	Stretch(since, upTo uint64, most store.Most) (store.Stretch, error)
}

// next is what is to be done about a session. With neither Cut nor Ship nor a problem, Core has everything.
type next struct {
	Cut     core.Cut // First > 0: Core has events that the log has lost, or an epoch
	Ship    bool     // the events behind Core's head
	Problem *Problem // nothing can be done, or nothing but the cut
}

// Problem is why nothing of a session can be sent to Core.
type Problem struct {
	Kind   Kind
	Detail string
}

// Kind is a kind of Problem.
type Kind string

// The kinds of problems.
const (
	KindAhead    Kind = "ahead"    // Core has events that the log does not have, and no epoch of the log says that they were lost
	KindDiffers  Kind = "differs"  // Core's newest event is another one than the log's of that number
	KindGap      Kind = "gap"      // the log has dropped events that Core lacks
	KindFenced   Kind = "fenced"   // somebody else has the session
	KindUnread   Kind = "unread"   // the log cannot be read
	KindRefused  Kind = "refused"  // Core refuses what is sent, and takes that of others
	KindFollowed Kind = "followed" // another daemon has this data folder's identity
)

// compare says what is to be done where Core stands at p and the log is shown up to the event shown.
func compare(p core.Position, log Log, shown uint64) next {
	epochs := log.Epochs()
	oldest, _ := log.Bounds()
	later, isEarlier := epochs.After(p.Epoch)
	switch {
	case p.Epoch > epochs.Newest():
		n := stuck(KindAhead, "Core has epoch %d of the log, and the journal's newest is %d", p.Epoch, epochs.Newest())
		// A claim may have begun it that the node need not have said. The cut has that taken back, and nothing more: it is behind a gap.
		n.Cut = core.Cut{Session: p.Session, Lease: p.Lease, Epoch: epochs.Newest(), First: min(p.Head+2, protocol.MaxSeq)}
		return n
	case isEarlier && p.Head >= later.First:
		if later.First == oldest && oldest > 1 { // the epoch may have begun with an event that was dropped
			return stuck(KindGap, "the log has lost events that Core has, and the oldest one that is kept, %d, does not tell from where on", oldest)
		}
		return next{Cut: core.Cut{Session: p.Session, Lease: p.Lease, Epoch: later.Epoch, First: later.First}}
	case !isEarlier && p.Head > shown:
		return stuck(KindAhead, "Core has event %d of the log, and the journal's newest is %d", p.Head, shown)
	case p.Head >= shown:
		return next{}
	case p.Head+1 < oldest:
		return stuck(KindGap, "Core has the log up to event %d, and the oldest one that is kept is %d", p.Head, oldest)
	}
	return next{Ship: true}
}

func stuck(k Kind, format string, args ...any) next {
	return next{Problem: &Problem{k, fmt.Sprintf(format, args...)}}
}

// Kinds are all of them.
var Kinds = []Kind{KindAhead, KindDiffers, KindGap, KindFenced, KindUnread, KindRefused, KindFollowed}

// whose is what a position says of who may append.
type whose int

const (
	mine    whose = iota
	regain        // it is this node's, and was not taken in this life; or Core has forgotten that it is
	unknown       // Core does not have the session
	fenced        // somebody else's
	follow        // a later life of this node has it: another daemon has the identity of this data folder
)

// standing says what a position says to a node, in its life o, to which Core has said before that it has the session in the epoch claimed (0: it has not). Who
// takes a session from a node begins a later epoch, in the same statement.
func standing(o core.Owner, p *core.Position, claimed uint64) whose {
	switch {
	case p.Session == "":
		return unknown
	case p.Owner.Node != o.Node && p.Epoch <= claimed:
		return regain
	case p.Owner.Node != o.Node:
		return fenced
	case p.Owner.Incarnation > o.Incarnation:
		return follow
	case p.Owner.Incarnation < o.Incarnation:
		return regain
	}
	return mine
}
