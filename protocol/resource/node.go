package resource

import "time"

// NodeState is how a node stands.
type NodeState string

// The states of nodes.
const (
	NodeUp       NodeState = "up"
	NodeSilent   NodeState = "silent"   // its lease has run out
	NodeDraining NodeState = "draining" // it takes no sessions more
	NodeLeft     NodeState = "left"     // it is gone for good
	NodeDead     NodeState = "dead"     // another node has declared it dead
	NodeUnknown  NodeState = "unknown"  // it has not said that it lives, as builds before do not
)

// NodeList are the nodes on one Core.
type NodeList struct {
	Nodes []NodeInfo `json:"nodes" doc:"In the order of their ids"`
}

// NodeInfo is a daemon on the same Core.
type NodeInfo struct {
	ID         string    `json:"id" doc:"The instance of its data folder"`
	Here       bool      `json:"here,omitempty" doc:"It is the daemon that answers"`
	State      NodeState `json:"state" enum:"up,silent,draining,left,dead,unknown" doc:"silent: its lease has run out; unknown: it has not said that it lives"`
	Sessions   int       `json:"sessions" doc:"That it has in Core"`
	Address    string    `json:"address,omitempty" doc:"Where other nodes reach it"`
	Workspaces []string  `json:"workspaces,omitempty" doc:"Names of folders that several nodes have"`
	Build      string    `json:"build,omitempty" doc:"The version of its program"`
	LeaseMs    int64     `json:"leaseMs,omitempty" doc:"How much of its lease is left, in milliseconds: a node that is at work renews it three times in its length"`
	SilentMs   int64     `json:"silentMs,omitempty" doc:"For how long its lease has run out, in milliseconds"`
	Leaving    int       `json:"leaving,omitempty" doc:"Of the daemon that answers, while it drains: sessions that other nodes can have, and that it has still; -1: they were not counted yet"`
}

// NewDrain is how a node gives its sessions away.
type NewDrain struct {
	WaitMs int64 `json:"waitMs,omitempty" minimum:"0" maximum:"86400000" doc:"For how long turns may come to their end, in milliseconds; then they are interrupted. It is at least a third of the lease"`
}

// LostList are the ends of a session's log that its node had, and that are not in the log.
type LostList struct {
	Lost []LostEnd `json:"lost" doc:"The oldest first"`
}

// LostEnd is the end of a log that another node has taken over without it.
type LostEnd struct {
	Name   string    `json:"name" example:"lost.1770000000000" doc:"Names it in GET /sessions/{id}/lost/{name}"`
	At     time.Time `json:"at" doc:"When it was set aside"`
	Epoch  uint64    `json:"epoch" doc:"Of its newest event"`
	First  uint64    `json:"firstSeq" doc:"Its first event; those before it are in the log"`
	Last   uint64    `json:"lastSeq" doc:"Its newest event"`
	Events uint64    `json:"events" doc:"How many it has"`
}
