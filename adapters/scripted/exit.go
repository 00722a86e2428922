package scripted

import (
	"errors"
	"fmt"
	"syscall"
)

// Exit is how the agent ended.
type Exit struct {
	Code   int
	Signal syscall.Signal // not 0: the process wants to end by this signal
}

// errAborted unwinds a run that was aborted.
var errAborted = errors.New("aborted")

// errFailed unwinds a run whose provider failed; everything was said.
var errFailed = errors.New("failed")

// exitError unwinds everything. Quiet exits keep what a run has done so far in the session, without a word.
type exitError struct {
	exit Exit
	keep bool
}

func (e *exitError) Error() string { return fmt.Sprintf("exit %+v", e.exit) }

// killedCode is the code of an agent that was killed; others have none below zero.
const killedCode = -1
