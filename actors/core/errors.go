package core

import "fmt"

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

// HintNode is the hint of an *AccessError about a node that has no name.
const HintNode = "a node is named by its data folder's instance: this one has none"

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
