// Package exit is how a command ends: its exit code, and what a person is told of an error and of what to do about it.
package exit

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The exit codes, as `ringmaster --help` lists them.
const (
	OK          = 0
	Failed      = 1   // refused, or the turn ended in an error
	Usage       = 2   // the command line is wrong
	Interrupted = 3   // the turn was interrupted
	NoAgent     = 4   // the agent is unknown, not installed, or did not start
	NoDaemon    = 5   // no daemon answers
	TimeOver    = 6   // what was waited for did not come in time
	Signal      = 130 // a second Ctrl-C
)

// Codes lists them for the help.
const Codes = `Exit codes:
  0    done; for run, send --wait and wait --prompt: the turn completed
  1    refused, or the turn ended in an error
  2    the command line is wrong
  3    the turn was interrupted
  4    the agent is unknown, not installed, or did not start
  5    no daemon answers
  6    wait: it did not come in time
  130  stopped by a second Ctrl-C`

// Error ends the program with a code of its own. Without an error nothing more is printed.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrStopped is why a command ended that a signal stopped, ErrDone why one did whose reader has seen enough.
var (
	ErrStopped = &Error{Code: Signal}
	ErrDone    = &Error{Code: OK}
)

// UsageError is a wrong command line.
type UsageError struct {
	Err     error
	Command string // as it was called
}

// meantCommands stands in cobra's errors between what was typed and the commands that it may have meant.
const meantCommands = "\n\nDid you mean this?\n"

func (e *UsageError) Error() string {
	text, _, _ := strings.Cut(e.Err.Error(), meantCommands)
	return text
}

func (e *UsageError) Unwrap() error { return e.Err }

// Hint says which command may have been meant, or where to read on.
func (e *UsageError) Hint() string {
	if _, meant, _ := strings.Cut(e.Err.Error(), meantCommands); meant != "" {
		return "did you mean: " + e.Command + " " + strings.Join(strings.Fields(meant), " | ")
	}
	return e.Command + " --help shows how it is used"
}

// Usagef says what is wrong with a command line.
func Usagef(format string, args ...any) error { return &UsageError{Err: fmt.Errorf(format, args...)} }

// WithHint adds what to do about an error.
func WithHint(err error, hint string) error { return &hintError{err, hint} }

// Hint is what an error says of what to do about it; empty: nothing.
func Hint(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }
func (e *hintError) Hint() string  { return e.hint }

// CodeOf is the code for an error; nil gives 0.
func CodeOf(err error) int {
	var exit *Error
	var usage *UsageError
	var gone *client.Unreachable
	var problem *protocol.Problem
	switch {
	case err == nil:
		return OK
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &usage):
		return Usage
	case errors.As(err, &gone):
		return NoDaemon
	case errors.As(err, &problem) && (problem.Code == protocol.CodeAgentNotFound || problem.Code == protocol.CodeAgentUnavailable):
		return NoAgent
	default:
		return Failed
	}
}

// Report prints an error: what went wrong, and what to do about it.
func Report(w io.Writer, err error) {
	var exit *Error
	if errors.As(err, &exit) && exit.Err == nil {
		return
	}
	text, hint := err.Error(), Hint(err)
	var problem *protocol.Problem
	if errors.As(err, &problem) {
		text, hint = string(problem.Code)+": "+problem.Title, problem.Hint
		if problem.Detail != "" {
			text = string(problem.Code) + ": " + problem.Detail
		}
		if problem.By != "" && !strings.Contains(text, problem.By) {
			text += " (answered by " + problem.By + ")"
		}
		text, hint = InCommands(text), InCommands(hint)
	}
	_, _ = fmt.Fprintf(w, "ringmaster: %s\n", terminal.Visible(text))
	if hint != "" {
		_, _ = fmt.Fprintf(w, "  hint: %s\n", terminal.Visible(hint))
	}
}

// Words say for a person in one line what went wrong, and what to do about it.
func Words(err error) string {
	if err == nil {
		return ""
	}
	text, hint := err.Error(), Hint(err)
	var p *protocol.Problem
	if errors.As(err, &p) {
		text, hint = p.Title, InCommands(p.Hint)
		if p.Detail != "" {
			text = p.Detail
		}
		text = InCommands(text)
	}
	if hint != "" {
		text += " (" + hint + ")"
	}
	return text
}
