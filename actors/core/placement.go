package core

import (
	"context"
	"time"
)

// Placement is the side of Core that says which nodes there are, and which one goes on with the sessions of another. All times are of Core's own clock: what
// is told and answered are durations. A life that another one has followed, that was declared dead, or that has left, changes nothing with any of these
// calls; the node may join again then, and take what is still its own. An owner that is no life of a node is refused with a *RefusedError.
type Placement interface {
	// Beat renews a node's lease, and keeps what is told of it. Where it is the first one of a life, or comes when the lease has run out, the node counts as
	// steady from now on. The answer is what Core believes. A life that Core has forgotten, since it went back, it has again then. A lease that is not above 0
	// and at most MaxLease is refused with a *RefusedError.
	Beat(ctx context.Context, as Owner, beat Beat) (State, error)
	// Nodes gives all nodes that ever joined, in the order of their names; counted: with the numbers of their sessions, each of which is looked at for that.
	Nodes(ctx context.Context, counted bool) ([]Node, error)
	// Declare declares nodes dead, and gives their lives. Dead is who was up or draining, and whose lease had run out before the node that says so has renewed
	// its own. Only one that is up, and has been steady for as long as its own lease and that of the other, may say so: behind an outage of Core, or a
	// jump of its clock, everybody has had the time to renew before. A life that never beat is never dead. Where nobody is to be declared, or the node may
	// not, the answer is empty.
	Declare(ctx context.Context, as Owner) ([]Owner, error)
	// Drain has a node draining: it claims nothing from now on. The answer is its state then. Only another life ends it.
	Drain(ctx context.Context, as Owner) (State, error)
	// Leave has a node be gone: of the sessions that it has not released, others claim those that are FailoverAuto. The answer is its state then.
	Leave(ctx context.Context, as Owner) (State, error)
	// Forget says of a node that it is gone for good: its state is StateLeft then. One whose lease is still running is left as it is. The answer is the state
	// behind the call; "": there is no such node.
	Forget(ctx context.Context, node string) (State, error)
	// Claim takes sessions for a node that is up, and whose lease is running: those of nobody, which keep their epoch, and those that are lost. Lost is
	// a FailoverAuto session of a life that is dead or has left; or that another life has followed which has been steady for its lease without taking it.
	// A lost session is in a new epoch then, of Core's clock, which begins with the event behind its head. What is claimed are families: of the sessions of
	// one root, all that can be claimed, by one node. Sessions of its own earlier lives a node does not claim, but take (Take).
	Claim(ctx context.Context, as Owner, want Want) (Claims, error)
	// Release gives sessions to nobody, each where owner, lease and head are the session's; of several of a session the first counts. Its epoch stays, and its
	// lease is new. The answers, in the order of the asked, are Taken where it was released by this call, with the position behind it.
	Release(ctx context.Context, as Owner, sessions []Handed) ([]Answer, error)
}

// MaxLease bounds a beat's lease.
const MaxLease = 24 * time.Hour

// State is how a node stands.
type State string

// The states of nodes.
const (
	StateUp       State = "up"
	StateDraining State = "draining"
	StateLeft     State = "left"     // it has said so, or somebody for it
	StateDead     State = "dead"     // another node has declared it dead
	StateFollowed State = "followed" // of an owner: another life of the node has followed
)

// Beat is what a node says of itself.
type Beat struct {
	Lease      time.Duration `json:"lease"`      // for which it counts as alive; whole microseconds count
	Address    string        `json:"address"`    // of its listener for peers
	Key        string        `json:"key"`        // that it presents there: the SHA-256 of its public key, as peers compare it
	Workspaces []string      `json:"workspaces"` // names of those that it has
	Agents     string        `json:"agents"`     // JSON, which Core does not look into
	Build      string        `json:"build"`
}

// Node is a node as others see it.
type Node struct {
	Owner               // its newest life
	State State         `json:"state"` // as Core has it: one that is up may be silent
	Beats bool          `json:"beats"` // the life has beaten
	Beat                // what the node has said last, maybe in an earlier life
	Has   int           `json:"has"`  // sessions, also of its earlier lives; 0 where they were not counted
	Ends  time.Duration `json:"ends"` // until its lease ends; below 0: since then. 0 where it does not beat
}

// IsSilent says that nothing is to be expected of a node: it is gone, or its lease has run out. One that never beat is not silent.
func (n *Node) IsSilent() bool {
	return n.State == StateLeft || n.State == StateDead || n.Beats && n.Ends < 0
}

// Failover says where a session may go on when its node is gone.
type Failover string

// The kinds of failover.
const (
	FailoverStay Failover = "stay" // nowhere: its node is waited for
	FailoverAuto Failover = "auto" // on any node that claims it
)

// Want says what a node claims.
type Want struct {
	// Sessions, with their families; none: whatever there is.
	Sessions []string `json:"sessions"`
	// Revive claims, of the named ones, also those that are FailoverStay, of a node that has left.
	Revive bool `json:"revive"`
	// Families bounds what is claimed, in families; 0: nothing does. It, and what follows, counts where none is named.
	Families int `json:"families"`
	// A family is claimed where one of its sessions that can be claimed is in one of the workspaces, of one of the agents, and in one of the states (Record);
	// none: any. One that is lost and was at work behind its newest batch (Batch.Works) is in each of the states. Those that were updated last come first.
	Workspaces []string `json:"workspaces"`
	Agents     []string `json:"agents"`
	States     []string `json:"states"`
}

// Claims is what became of a claim.
type Claims struct {
	Taken  []Claimed `json:"taken"`  // in any order
	Others []Refusal `json:"others"` // the named ones that were not claimed, in their order
}

// Claimed is a session that a node has now.
type Claimed struct {
	At     Position `json:"at"`
	Record Record   `json:"record"` // as Reader.Session has it
	Had    Owner    `json:"had"`    // whose it was; the zero value: nobody's
	Lost   bool     `json:"lost"`   // it was lost: the epoch is new, and has no event
}

// Refusal is a session that was not claimed.
type Refusal struct {
	Session string   `json:"session"`
	At      Position `json:"at"` // the zero value: Core does not have it
	Why     Why      `json:"why"`
}

// Why is why a session cannot be claimed.
type Why string

// The reasons.
const (
	WhyUnknown Why = "unknown" // Core does not have the session
	WhyUnable  Why = "unable"  // the node that asks is not up, or its lease has run out
	WhyOwn     Why = "own"     // the node that asks has it, or has had it in an earlier life
	WhyHeld    Why = "held"    // its node has it, which is there or at least not declared dead
	WhyStay    Why = "stay"    // it stays with its node, which is gone
	WhySpent   Why = "spent"   // its epoch has the last number there is
	WhyBusy    Why = "busy"    // somebody is at it in this moment: it may be asked again
)

// Handed is a session that its owner releases.
type Handed struct {
	Session string `json:"session"`
	Lease   Lease  `json:"lease"`
	Head    uint64 `json:"head"` // all that its log has: nothing is to be appended any more
}
