package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The exit codes, as `ringmaster --help` lists them.
const (
	exitOK          = 0
	exitFailed      = 1   // refused, or the turn ended in an error
	exitUsage       = 2   // the command line is wrong
	exitInterrupted = 3   // the turn was interrupted
	exitNoAgent     = 4   // the agent is unknown, not installed, or did not start
	exitNoDaemon    = 5   // no daemon answers
	exitSignal      = 130 // a second Ctrl-C
)

const exitCodes = `Exit codes:
  0    done; for run and send --wait: the turn completed
  1    refused, or the turn ended in an error
  2    the command line is wrong
  3    the turn was interrupted
  4    the agent is unknown, not installed, or did not start
  5    no daemon answers
  130  stopped by a second Ctrl-C`

// exitError ends the program with a code of its own. Without an error nothing more is printed.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError is a wrong command line.
type usageError struct {
	err     error
	command string // as it was called
}

// meantCommands stands in cobra's errors between what was typed and the commands that it may have meant.
const meantCommands = "\n\nDid you mean this?\n"

func (e *usageError) Error() string {
	text, _, _ := strings.Cut(e.err.Error(), meantCommands)
	return text
}

func (e *usageError) Unwrap() error { return e.err }

// Hint says which command may have been meant, or where to read on.
func (e *usageError) Hint() string {
	if _, meant, _ := strings.Cut(e.err.Error(), meantCommands); meant != "" {
		return "did you mean: " + e.command + " " + strings.Join(strings.Fields(meant), " | ")
	}
	return e.command + " --help shows how it is used"
}

func usagef(format string, args ...any) error { return &usageError{err: fmt.Errorf(format, args...)} }

// hinted is an error that knows what to do about it.
type hinted interface{ Hint() string }

// withHint adds what to do about an error.
func withHint(err error, hint string) error { return &hintError{err, hint} }

type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }
func (e *hintError) Hint() string  { return e.hint }

// exitCode is the code for an error; nil gives 0.
func exitCode(err error) int {
	var exit *exitError
	var usage *usageError
	var gone *client.Unreachable
	var problem *protocol.Problem
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &gone):
		return exitNoDaemon
	case errors.As(err, &problem) && (problem.Code == protocol.CodeAgentNotFound || problem.Code == protocol.CodeAgentUnavailable):
		return exitNoAgent
	default:
		return exitFailed
	}
}

// report prints an error: what went wrong, and what to do about it.
func report(w io.Writer, err error) {
	var exit *exitError
	if errors.As(err, &exit) && exit.err == nil {
		return
	}
	text, hint := err.Error(), ""
	var problem *protocol.Problem
	var h hinted
	switch {
	case errors.As(err, &problem):
		text, hint = string(problem.Code)+": "+problem.Title, problem.Hint
		if problem.Detail != "" {
			text = string(problem.Code) + ": " + problem.Detail
		}
		if problem.By != "" && !strings.Contains(text, problem.By) {
			text += " (answered by " + problem.By + ")"
		}
	case errors.As(err, &h):
		hint = h.Hint()
	}
	_, _ = fmt.Fprintf(w, "ringmaster: %s\n", terminal.Visible(text))
	if hint != "" {
		_, _ = fmt.Fprintf(w, "  hint: %s\n", terminal.Visible(hint))
	}
}
