package core

import (
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Standing is what decides whether a session can be claimed.
type Standing struct {
	As     Owner // who asks
	Able   bool  // it is up, and its lease is running
	Revive bool

	At       Position // of the session; the zero value: Core does not have it
	Failover Failover
	State    State  // of the node that has it; "": there is none
	Life     uint64 // the newest of that node
	Steady   bool   // that life beats, and was steady for its lease
}

// Why says why it cannot; "": it can.
func (s *Standing) Why() Why {
	isGone := s.State == StateDead || s.State == StateLeft
	switch has := s.At.Owner; {
	case s.At.Session == "":
		return WhyUnknown
	case !s.Able:
		return WhyUnable
	case has == Owner{}:
		return ""
	case has.Node == s.As.Node:
		return WhyOwn
	case !(isGone && has.Incarnation <= s.Life) && !(s.Steady && has.Incarnation < s.Life):
		return WhyHeld
	case s.Failover != FailoverAuto && !(s.Revive && s.State == StateLeft):
		return WhyStay
	case s.At.Epoch >= protocol.MaxSeq:
		return WhySpent
	}
	return ""
}

// IsLife says whether it can be a life of a node.
func (o Owner) IsLife() bool {
	return o.Node != "" && o.Incarnation > 0 && o.Incarnation <= protocol.MaxSeq
}

// Check is the error of a call as somebody who is no life of a node.
func (o Owner) Check(op string) error {
	if !o.IsLife() {
		return &RefusedError{Op: op, Err: errNobody}
	}
	return nil
}

// Check is the error of a beat that Core refuses.
func (b *Beat) Check() error {
	if b.Lease < time.Microsecond || b.Lease > MaxLease {
		return &RefusedError{Op: "beat", Err: errLease}
	}
	return nil
}

// Kept is the beat as Core keeps it, a copy: in texts, what is no UTF-8, and NUL, is U+FFFD.
func (b *Beat) Kept() Beat {
	k := Beat{Lease: b.Lease.Truncate(time.Microsecond), Address: Text(b.Address), Key: Text(b.Key), Agents: Text(b.Agents), Build: Text(b.Build)}
	for _, w := range b.Workspaces {
		k.Workspaces = append(k.Workspaces, Text(w))
	}
	return k
}

var (
	errNobody = errors.New("an owner that is no life of a node")
	errLease  = errors.New("a lease that is not above 0 and at most " + MaxLease.String())
)
