package cache

import "errors"

// ErrLocked says that another process, or another Folder of this one, writes the folder.
var ErrLocked = errors.New("cache: the folder is in use")

// ErrFull says that a store would exceed Options.Budget.
var ErrFull = errors.New("cache: over the budget")

// ErrUnreadable is inside the error for stored lines that are no events, or whose numbers do not follow each other.
var ErrUnreadable = errors.New("cache: the stored lines are no run of events")

// errClosed is what a session says that was closed.
var errClosed = errors.New("cache: the session was closed")
