package roster

import "time"

// Node is a node on the same Core.
type Node struct {
	ID         string
	Here       bool   // it is this one
	State      string // up, silent, draining, left, dead; unknown: it has not beaten
	Sessions   int    // that it has
	Address    string // of its listener for peers; empty: it has none
	Workspaces []string
	Build      string
	Lease      time.Duration // that is left; 0: it has run out, or there is none
	Silent     time.Duration // since its lease has run out; 0: it runs
	Leaving    int           // of this one, while it drains: sessions that others can have, and that are here still; below 0: they were not counted yet
}

// Lost is the end of a session's log that this node has had, and another one went on without.
type Lost struct {
	Name        string
	At          time.Time
	Epoch       uint64 // of its newest event
	First, Last uint64 // its events
}
