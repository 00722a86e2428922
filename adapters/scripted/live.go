package scripted

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// agent is one running agent. Everything but the reading of stdin happens in one goroutine: a run that waits takes the
// commands that come meanwhile.
type agent struct {
	killed  <-chan struct{}
	term    <-chan struct{}
	lines   chan []byte // from stdin; closed at its end
	hearing <-chan []byte
	out     *bufio.Writer
	broken  error // the first failed write
	stderr  io.Writer
	spawn   func(Spawn) error
	cwd     string
	script  *Script
	mcp     *mcpServer                 // that it was given; nil: none
	results map[string]json.RawMessage // what its tools gave, by the placeholder for it
	session *session
	ignore  map[string]bool
	random  *rand.Rand
	slow    time.Duration

	steering    []prompt
	next        *prompt // accepted while idle
	run         *run    // nil: idle
	usage       *Usage  // of the next message
	calls       int     // tool calls so far, for their ids
	answersSeen int     // model requests so far, for their ids
}

// prompt is a user's message that waits or runs.
type prompt struct {
	text   string
	images []imageBlock
	at     int64
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

// serve runs the agent to its end.
func (a *agent) serve() Exit {
	err := a.live()
	end, ok := errors.AsType[*exitError](err)
	if !ok {
		return Exit{Code: 1}
	}
	if closed(a.killed) {
		return Exit{Code: killedCode}
	}
	if end.keep {
		a.keepPartial()
	}
	a.flush()
	return end.exit
}

// killedCode is the code of an agent that was killed; others have none below zero.
const killedCode = -1

func (a *agent) live() error {
	// Pi reads nothing before it is ready.
	if err := a.play(a.script.Start); err != nil {
		return err
	}
	a.hearing = a.lines
	for {
		if a.next == nil {
			if err := a.listen(nil); err != nil && !errors.Is(err, errAborted) {
				return err
			}
			continue
		}
		p := *a.next
		a.next = nil
		if err := a.answer(p); err != nil {
			return err
		}
	}
}

// wait lets time pass and takes the commands that come. It ends early with errAborted or an *exitError.
func (a *agent) wait(d time.Duration) error {
	if d <= 0 {
		return a.poll()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	return a.until(timer.C)
}

// until takes commands until ch gives something; nil: for ever.
func (a *agent) until(ch <-chan time.Time) error {
	for {
		if fired, err := a.take(ch); fired || err != nil {
			return err
		}
		if err := a.interrupted(); err != nil {
			return err
		}
	}
}

// listen takes one input.
func (a *agent) listen(ch <-chan time.Time) error {
	_, err := a.take(ch)
	return err
}

// poll takes the commands that are there, without waiting.
func (a *agent) poll() error {
	for range cap(a.lines) {
		select {
		case line, ok := <-a.hearing:
			if err := a.heard(line, ok); err != nil {
				return err
			}
			continue
		default:
		}
		break
	}
	if closed(a.killed) {
		return &exitError{exit: Exit{Code: killedCode}}
	}
	if a.term != nil && closed(a.term) {
		if err := a.terminate(); err != nil {
			return err
		}
	}
	if a.broken != nil {
		return &exitError{exit: Exit{Code: 1}}
	}
	return a.interrupted()
}

// take takes one input, or notices that ch has fired.
func (a *agent) take(ch <-chan time.Time) (fired bool, err error) {
	a.flush()
	if a.broken != nil {
		return false, &exitError{exit: Exit{Code: 1}}
	}
	select {
	case <-a.killed:
		return false, &exitError{exit: Exit{Code: killedCode}}
	case <-a.term:
		return false, a.terminate()
	case line, ok := <-a.hearing:
		return false, a.heard(line, ok)
	case <-ch:
		return true, nil
	}
}

// heard takes one line of stdin, or its end.
func (a *agent) heard(line []byte, ok bool) error {
	if ok {
		a.command(line)
		return nil
	}
	a.hearing = nil
	if a.ignore[ignoreStdin] {
		return nil
	}
	return &exitError{keep: true}
}

// terminate is SIGTERM.
func (a *agent) terminate() error {
	a.term = nil
	if a.ignore[ignoreTerm] {
		return nil
	}
	return &exitError{exit: Exit{Code: 143}, keep: true}
}

// interrupted says whether the run is to end. An open dialog keeps it: Pi's abort waits for the answer.
func (a *agent) interrupted() error {
	if a.run == nil || a.run.dialog != "" {
		return nil
	}
	if len(a.run.aborts) > 0 {
		return errAborted
	}
	return nil
}

// emit says one line.
func (a *agent) emit(v any) { a.emitLine(encode(v)) }

func (a *agent) emitLine(line []byte) {
	if a.slow > 0 {
		a.flush()
		timer := time.NewTimer(a.slow)
		select {
		case <-timer.C:
		case <-a.killed:
			timer.Stop()
			return
		}
	}
	a.write(line)
	a.write([]byte("\n"))
}

func (a *agent) write(p []byte) {
	if a.broken == nil && !closed(a.killed) {
		_, a.broken = a.out.Write(p)
	}
}

func (a *agent) flush() {
	if a.broken == nil {
		a.broken = a.out.Flush()
	}
}

// respond answers a command.
func (a *agent) respond(c command, data json.RawMessage) {
	a.emit(response{ID: c.ID, Type: "response", Command: c.Type, Success: true, Data: data})
}

func (a *agent) refuse(c command, format string, args ...any) {
	a.emit(response{ID: c.ID, Type: "response", Command: c.Type, Error: fmt.Sprintf(format, args...)})
}

func closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

func now() int64 { return time.Now().UnixMilli() }
