package objects

import (
	"errors"
	"fmt"
	"strings"
)

// AwayError says that the store did not answer: it cannot be reached, is overloaded, or the call's context has ended. Nothing is known of what was asked.
type AwayError struct {
	Op  string // put, get, stat, list, delete, …
	Err error
}

func (e *AwayError) Error() string { return "objects: " + e.Op + ": no answer: " + e.Err.Error() }

// Unwrap gives the reason.
func (e *AwayError) Unwrap() error { return e.Err }

// AccessError says that the store refuses this caller, or what it asks: wrong credentials, missing rights, a bucket or folder that is not there, one that may
// only be read. Nothing has happened.
type AccessError struct {
	Op   string
	Err  error
	Hint string
}

func (e *AccessError) Error() string {
	return "objects: " + e.Op + ": refused: " + e.Err.Error() + " (" + e.Hint + ")"
}

// Unwrap gives the reason.
func (e *AccessError) Unwrap() error { return e.Err }

// FullError says that the store has no room for an object: a full disk, a quota. Nothing has happened; it can be tried again later.
type FullError struct {
	Op  string
	Err error
}

func (e *FullError) Error() string { return "objects: " + e.Op + ": no room: " + e.Err.Error() }

// Unwrap gives the reason.
func (e *FullError) Unwrap() error { return e.Err }

// RefusedError says that what was asked can never be done, whoever asks and however often: a key that is none, a body that does not have its digest. Nothing
// has happened.
type RefusedError struct {
	Op  string
	Err error
}

func (e *RefusedError) Error() string {
	return "objects: " + e.Op + ": what was sent is refused: " + e.Err.Error()
}

// Unwrap gives the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// NotFoundError says that there is no object of that key.
type NotFoundError struct {
	Op  string
	Key string
}

func (e *NotFoundError) Error() string { return "objects: " + e.Op + ": there is no " + e.Key }

// UnfitError says that a store does not do what Core needs of one: what Check has found.
type UnfitError struct {
	Findings []Finding // those that are not right
}

func (e *UnfitError) Error() string {
	var list []string
	for _, f := range e.Findings {
		list = append(list, fmt.Sprintf("%s (%s)", f.Detail, f.Hint))
	}
	return "objects: this store cannot be used: " + strings.Join(list, "; ")
}

// Typed says that an error is one of this package already.
func Typed(err error) bool {
	var away *AwayError
	var access *AccessError
	var full *FullError
	var refused *RefusedError
	var missing *NotFoundError
	return errors.As(err, &away) || errors.As(err, &access) || errors.As(err, &full) || errors.As(err, &refused) || errors.As(err, &missing)
}
