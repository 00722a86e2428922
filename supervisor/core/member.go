package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// member is what is known of one session. Most are at rest, and there may be very many: what only others have is in busy.
type member struct {
	*busy                       // which is calm, or its own (stir)
	summary    *session.Summary // it does not change: told puts another one in its place
	placed     *session.Summary // which gave it its place among its kin; nil: it has none
	shelf      shelf            // what retention knows of it
	closed     uint64           // event with which its journal was closed in order, and not opened since; 0: it was not
	least      uint64           // event that is known to be in the journal
	boot       string           // of the machine, in which the journal was written
	durability Durability       // the least that was in force then; empty: not known

	came        *budget.Came       // what it has brought from another node; nil: it was made here
	past        *budget.Use        // what its record has of removed sessions below it; nil: nothing
	endpoint    *adapters.Endpoint // where its agent runs already; nil: it is started
	linked      uint32             // incarnation of the newest adapter; 0: none runs
	incarnation uint32             // the newest that was ever asked for
	wanted      uint32             // incarnation that is being started; 0: none

	open     bool // as found at boot: an earlier daemon left it at work
	stale    bool // as found at boot: the summary is older than the journal, or the journal is to be looked at
	copied   bool // as found at boot: a copy alone tells of it, and its folder was not asked yet
	unread   bool // as found at boot: there is a session.json that this build cannot read
	rebooted bool // as found at boot: it was open before the machine's last boot
	lost     bool // it has come from a node that was lost, and was not taken up since
	untold   bool // its news could not be delivered in the drain, and are to be sent after the next start

	live     bool // it has an actor
	stopping bool // the actor was told to stop
	parking  bool // Park was sent, and its answer has not come
	reopens  bool // once it has stopped it is started again
	doubted  bool // its journal was found not to be as it was written: the next actor reads all of it
	opening  bool // counts as one of those that are being recovered
	damaged  bool // the journal cannot be read as a whole
	making   bool // its actor may still be making the folder
	removing bool // its folder is going
	foreign  bool // the folder was there before it, and stays
	starting bool // the delay of its agent's start runs
	process  bool // a process of an agent is there, or may be: a second one must not
	held     bool // the newest start was held back: its folder may not be worked in
}

// busy is what is known of a member that has an actor, had one that failed, or of which somebody wants something.
type busy struct {
	life     uint64 // names the newest actor
	spawned  time.Time
	swept    uint64    // newest event as of the sweep before
	quiet    time.Time // since then there was no other
	crashes  int       // of the actor, without a minute's life between
	crashed  time.Time // the last time
	found    []Ticket  // questions for its actor that wait while it is parked or stopped
	letters  []Letter  // for it, that wait likewise
	creating Ticket    // of its Create; 0: it is in the journal, and the client has its answer
	repeats  []Ticket  // of creations with the same key that came meanwhile
	deleting []Ticket  // of its deletions; from the first one on it does not exist for any other question
	listed   []*Delete // deletions of it as it was listed, which wait until its actor is stopped

	next *session.StartAgent // waits for the process that is there

	sealed *sealed // it is to go to another node, and nothing wakes it; nil: it is not
}

// sealed is what a member has that is to go.
type sealed struct {
	waiting []Ticket // Seal questions that wait until nothing of it runs
	name    string   // under which its log is set aside; empty: it stays as it is
}

// calm is what all members have that are not busy. It does not change.
var calm busy

func newMember(sum *session.Summary) *member { return &member{busy: &calm, summary: sum} }

// stir gives what can be changed.
func (x *member) stir() *busy {
	if x.busy == &calm {
		x.busy = new(busy)
	}
	return x.busy
}

// settle has a member not be busy any more, where nothing of that is known.
func (x *member) settle() {
	waits := len(x.found)+len(x.letters)+len(x.repeats)+len(x.deleting)+len(x.listed) > 0
	if !x.live && !waits && x.crashes == 0 && x.creating == 0 && x.next == nil && x.sealed == nil {
		x.busy = &calm
	}
}

// isAs has a member be as its folder was found.
func (x *member) isAs(f *Found) {
	x.summary, x.open, x.stale, x.unread, x.rebooted, x.boot, x.durability = f.Summary, f.Open, f.Stale, f.Unread, f.Rebooted, f.Boot, f.Durability
	x.least, x.incarnation, x.untold, x.endpoint, x.closed, x.lost = f.Synced, f.Incarnation, f.Untold, f.Endpoint, 0, f.Lost
	x.came, x.past = f.Came, f.Past
	f.Summary.Spent.WorkingSince = 0 // nobody has worked on it since its daemon ended
	if f.Rests {
		x.closed = f.Summary.Seq
	}
}

// takes says that a session's actor is there and takes questions: it is neither being parked nor stopped. In a drain all sessions are being parked,
// and take questions as long as their actors are there.
func (x *member) takes(draining bool) bool {
	return x.live && !x.stopping && (!x.parking || draining)
}

// isSealed says that nothing may wake a member.
func (x *member) isSealed() bool { return x.busy.sealed != nil }

// isWithdrawn says that a member is another node's.
func (x *member) isWithdrawn() bool { return x.isSealed() && x.sealed.name != "" }

// isStill says that nothing of a member runs.
func (x *member) isStill() bool { return !x.live && !x.process && x.linked == 0 }

// deleted says that the session is being deleted: for all other questions it does not exist.
func (x *member) deleted() bool { return len(x.deleting) > 0 }

func (x *member) ended() bool { return x.summary.Status.State.Ended() }

// entry is what the directory has to say of a session that is not being deleted.
func (x *member) entry(draining bool) Entry {
	sum := x.summary
	return Entry{
		Takes: x.takes(draining), Cwd: sum.Cwd, Owner: sum.Owner, Parent: sum.ParentSessionID, Ended: x.ended(), Pinned: sum.Pinned,
		Attached: x.endpoint != nil,
	}
}

// kept is what session.json is to have of it.
func (x *member) kept() Kept {
	return Kept{
		Summary: *x.summary, Boot: x.boot, Durability: x.durability, Incarnation: x.incarnation, Synced: x.least, Untold: x.untold, Endpoint: x.endpoint,
		Came: x.came, Past: x.past,
		Rests: x.closed > 0 && x.closed == x.summary.Seq && !x.live && !x.damaged && !x.summary.ReadOnly,
		Open:  x.live && !x.ended() && (x.linked != 0 || x.wanted > 0 || x.summary.Status.State.Busy()),
	}
}

// dependent says that a session ends with its parent.
func dependent(x *member) bool { return x.summary.SubAgent || x.summary.Spawned }
