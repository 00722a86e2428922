package server

// Reason is why there is no server.
type Reason string

// The reasons.
const (
	Missing Reason = "missing" // the programs are not installed
	Root    Reason = "root"    // the programs refuse root, and there is nobody else
	Foreign Reason = "foreign" // the folder has something else in it
	Place   Reason = "place"   // the folder cannot be used
	Busy    Reason = "busy"    // another process makes or starts it at this moment
	Port    Reason = "port"    // somebody else listens there, or it runs at another one
	Failed  Reason = "failed"  // a program has said why
)

// Error says why there is no server, and what to do about it.
type Error struct {
	Reason Reason
	Err    error
	todo   string
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives what was wrong.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *Error) Hint() string { return e.todo }
