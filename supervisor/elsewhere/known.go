package elsewhere

import (
	"cmp"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// entry is what is known of a session that is not on this node. It does not change once it was put.
type entry struct {
	sum  session.Summary
	at   core.Position
	told uint64 // the event up to which its record tells of it
	in   string // the workspace that it needs
	may  core.Failover
	seen time.Time // the moment of Core's clock of its newest change; zero: it is not of the list
	left bool      // this node has had the session, and has given it away
}

func entryOf(c *core.Change) (*entry, error) {
	r, err := record.Parse(c.Record.Told, "Core")
	var newer *store.VersionError
	switch {
	case errors.As(err, &newer):
		return nil, protocol.NewProblem(protocol.CodeUnavailable, "A newer build has written what Core keeps of the session.",
			"Run that version here, or one after it.")
	case err != nil || r.Summary.ID != c.Position.Session:
		return nil, protocol.NewProblem(protocol.CodeUnavailable, "What Core keeps of the session cannot be read.",
			"The node that has the session can tell it.")
	}
	x := &entry{sum: session.Summary(*r.Summary), told: r.Summary.Seq, in: c.Record.Workspace, may: c.Record.Failover, seen: c.At}
	x.moveTo(c.Position)
	return x, nil
}

// moveTo has the entry tell of a position: readers find there what Core has, which may be less than the record tells of, or more.
func (x *entry) moveTo(p core.Position) {
	x.left = x.left && p.Owner == x.at.Owner
	x.at = p
	x.sum.Epoch, x.sum.Seq, x.sum.Node = p.Epoch, p.Head, cmp.Or(p.Owner.Node, roster.Nobody)
}

// isFree says that another node may have the session when somebody wants a change of it: it has none, or it goes on by itself and that one is silent. One that
// stays with its node may be reached there still, though Core does not hear of that.
func (x *entry) isFree() bool {
	return x.sum.Node == roster.Nobody || x.sum.Unreachable && x.may == core.FailoverAuto
}

// rests says that the record tells all that there is to tell: no turn runs, no prompt waits, and the log has not gone on.
func (x *entry) rests() bool {
	status := &x.sum.Status
	return x.told == x.at.Head && status.QueuedPrompts == 0 && !status.State.Busy()
}

// standing is how other nodes stand. Its maps do not change.
type standing struct {
	silent map[string]bool // those that are gone, or were not heard of for too long
	takes  map[string]bool // those that take requests of this one
}

// tells has a summary say how its node stands.
func (s *standing) tells(x *entry) {
	x.sum.Unreachable, x.sum.Forwarded = s.silent[x.sum.Node], s.takes[x.sum.Node]
}

// known are the sessions of other nodes that the list has.
type known struct {
	roster  *roster.Roster
	mu      sync.Mutex
	entries map[string]*entry
	isFull  bool // there are more than it may have
	crowds  bool // that was seen since all of the list began to be read
	others  standing
}

func (k *known) get(id string) *entry {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.entries[id]
}

// now is what is known of a session by now, where it is, else what was.
func (k *known) now(id string, was *entry) *entry {
	if x := k.get(id); x != nil {
		return x
	}
	return was
}

// put notes a session, where there is room for it.
func (k *known) put(x *entry, most int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	id := x.at.Session
	k.others.tells(x)
	switch was := k.entries[id]; {
	case was == nil && len(k.entries) >= most:
		k.isFull, k.crowds = true, true
		k.roster.RemoveAway(id) // it may have left this node
		return
	case was != nil && was.seen.Equal(x.seen) && was.at == x.at && was.left == x.left:
		return
	case was != nil && was.at.Owner == x.at.Owner:
		x.left = x.left || was.left
	}
	k.entries[id] = x
	k.roster.PutAway(&x.sum)
}

// hears notes how the other nodes stand.
func (k *known) hears(others standing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if maps.Equal(k.others.silent, others.silent) && maps.Equal(k.others.takes, others.takes) {
		return
	}
	k.others = others
	for id, was := range k.entries {
		x := *was
		if others.tells(&x); x.sum.Unreachable == was.sum.Unreachable && x.sum.Forwarded == was.sum.Forwarded {
			continue
		}
		k.entries[id] = &x
		k.roster.PutAway(&x.sum)
	}
}

// remove forgets a session that is gone, or that is on this node now.
func (k *known) remove(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.entries, id)
	k.roster.RemoveAway(id) // also one that has left this node, and of which nothing more was known
}

// anew is called before all of the list is read.
func (k *known) anew() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.crowds = false
}

// whole is called when all of the list was read.
func (k *known) whole() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.isFull = k.crowds
}

// isCrowded says that there are more than it may have.
func (k *known) isCrowded() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.isFull
}

// move notes where a session stands in Core.
func (k *known) move(id string, p core.Position) {
	k.mu.Lock()
	defer k.mu.Unlock()
	was := k.entries[id]
	if was == nil || was.at == p {
		return
	}
	x := *was
	x.moveTo(p)
	k.others.tells(&x)
	k.entries[id] = &x
	k.roster.PutAway(&x.sum)
}

// atWork are the ids of those of which the log may go on without a change of the list: of more than most, some that chance has chosen.
func (k *known) atWork(most int) (ids []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, x := range k.entries {
		if len(ids) < most && (!x.sum.Status.State.Ended() || x.told != x.at.Head) {
			ids = append(ids, id)
		}
	}
	return ids
}

// all are the ids of all, those among them that have left this node, and of which nothing more is known.
func (k *known) all() (ids []string) {
	list, _, _ := k.roster.Since(0)
	for _, s := range list {
		if s.Away {
			ids = append(ids, s.ID)
		}
	}
	return ids
}
