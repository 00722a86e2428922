package core

import (
	"errors"
	"fmt"
)

// AwayError says that Core did not answer: it cannot be reached, is overloaded, or the call's context has ended. Nothing is known of what was asked.
type AwayError struct {
	Op  string // join, take, append, …
	Err error
}

func (e *AwayError) Error() string { return "core: " + e.Op + ": no answer: " + e.Err.Error() }

// Unwrap gives the reason.
func (e *AwayError) Unwrap() error { return e.Err }

// SchemaError says that Core's tables are not those that this build works with.
type SchemaError struct {
	Have uint32 // 0: there are none
	Want uint32
}

func (e *SchemaError) Error() string { return "core: " + e.Problem() + " (" + e.Hint() + ")" }

// Problem is the error without its hint.
func (e *SchemaError) Problem() string {
	if e.Have == 0 {
		return "the database has no tables of Ringmaster"
	}
	return fmt.Sprintf("the database has schema version %d, this build works with %d", e.Have, e.Want)
}

// Hint says what the operator can do.
func (e *SchemaError) Hint() string {
	if e.Have > e.Want {
		return "a newer build has migrated it: run that version, or one after it"
	}
	return "run `ringmaster core migrate`"
}

// AccessError says that Core refuses this node, or what it asks: wrong credentials, missing rights, a database that is not there, one that may only be read.
// Or that this node refuses the server, since that does not prove to be Core's. It stays so until somebody mends it.
type AccessError struct {
	Op   string
	Err  error
	Hint string
}

func (e *AccessError) Error() string {
	return "core: " + e.Op + ": refused: " + e.Err.Error() + " (" + e.Hint + ")"
}

// Unwrap gives the reason.
func (e *AccessError) Unwrap() error { return e.Err }

// Words are the reason as it may be told to anybody: what a database, a certificate or a file says of itself is left out.
func (e *AccessError) Words() string {
	var r *ReasonError
	if errors.As(e.Err, &r) {
		return r.Words
	}
	return "Core refuses this node, or what it asks"
}

// IsHere says that it is this node that refuses: Core was not asked.
func (e *AccessError) IsHere() bool {
	var r *ReasonError
	return errors.As(e.Err, &r) && r.Err != nil
}

// ReasonError is the reason of an *AccessError in words for everybody.
type ReasonError struct {
	Words string
	Err   error // what was found on this machine, for its log; nil: the words are Core's own
}

func (e *ReasonError) Error() string {
	if e.Err == nil {
		return e.Words
	}
	return e.Words + ": " + e.Err.Error()
}

// Unwrap gives what was found.
func (e *ReasonError) Unwrap() error { return e.Err }

// HintNode is the hint of an *AccessError about a node that has no name.
const HintNode = "a node is named by its data folder's instance: this one has none"

// FullError says that Core has no room: the disk of its database is full. It is not known whether the call has changed something. It stays so until somebody
// makes room.
type FullError struct {
	Op  string
	Err error
}

func (e *FullError) Error() string {
	return "core: " + e.Op + ": no room: " + e.Err.Error() + " (" + e.Hint() + ")"
}

// Unwrap gives the reason.
func (e *FullError) Unwrap() error { return e.Err }

// Problem is the error in words for everybody, without its hint.
func (e *FullError) Problem() string { return "Core has no room: the disk of its database is full" }

// Hint says what the operator can do.
func (e *FullError) Hint() string { return "make room on the disk of the database's server" }

// RefusedError says that Core refuses what it was sent, whoever sends it and however often: a value that is larger than it can keep, for instance. Nothing of
// the call has happened.
type RefusedError struct {
	Op  string
	Err error
}

func (e *RefusedError) Error() string {
	return "core: " + e.Op + ": what was sent is refused: " + e.Err.Error()
}

// Unwrap gives the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// ColdError says that events are in an object store to which there is no way here.
type ColdError struct {
	Op    string
	First uint64 // the first of them that was asked for
}

func (e *ColdError) Error() string {
	return fmt.Sprintf("core: %s: %s (%s)", e.Op, e.Problem(), e.Hint())
}

// Problem is the error without its hint.
func (e *ColdError) Problem() string {
	return fmt.Sprintf("event %d and others are in the object store, which this process does not know", e.First)
}

// Hint says what the operator can do.
func (e *ColdError) Hint() string { return "name the store that the other nodes have, with --objects" }
