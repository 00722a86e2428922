package scripted

import (
	"io"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
)

// input is what comes to the agent: lines, requests to end, and time that passes. Whoever waits takes the commands that come meanwhile.
type input struct {
	killed  <-chan struct{}
	term    <-chan struct{}
	lines   chan []byte   // from stdin; closed at its end
	hearing <-chan []byte // the lines, while they are listened to
	out     *output
	deaf    map[string]bool   // to what
	command func(line []byte) // carries out a command
	aborted func() bool       // says whether the run is to end
}

// read hands over the lines of stdin and closes lines at its end.
func (i *input) read(stdin io.Reader, stop <-chan struct{}) {
	defer close(i.lines)
	framer := process.NewFramer(stdin, 0)
	for {
		frame, err := framer.Next()
		if err != nil {
			return
		}
		line := append([]byte(nil), frame.Line...)
		select {
		case i.lines <- line:
		case <-stop:
			return
		}
	}
}

// wait lets time pass and takes the commands that come. It ends early with errAborted or an *exitError.
func (i *input) wait(d time.Duration) error {
	if d <= 0 {
		return i.poll()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	return i.until(timer.C)
}

// until takes commands until ch gives something; nil: for ever.
func (i *input) until(ch <-chan time.Time) error {
	for {
		if fired, err := i.take(ch); fired || err != nil {
			return err
		}
		if err := i.interrupted(); err != nil {
			return err
		}
	}
}

// listen takes one command, or a request to end.
func (i *input) listen() error {
	_, err := i.take(nil)
	return err
}

// poll takes the commands that are there, without waiting.
func (i *input) poll() error {
	for range cap(i.lines) {
		select {
		case line, ok := <-i.hearing:
			if err := i.heard(line, ok); err != nil {
				return err
			}
			continue
		default:
		}
		break
	}
	if closed(i.killed) {
		return &exitError{exit: Exit{Code: killedCode}}
	}
	if i.term != nil && closed(i.term) {
		if err := i.terminate(); err != nil {
			return err
		}
	}
	if i.out.broken != nil {
		return &exitError{exit: Exit{Code: 1}}
	}
	return i.interrupted()
}

// take takes one input, or notices that ch has fired.
func (i *input) take(ch <-chan time.Time) (fired bool, err error) {
	i.out.flush()
	if i.out.broken != nil {
		return false, &exitError{exit: Exit{Code: 1}}
	}
	select {
	case <-i.killed:
		return false, &exitError{exit: Exit{Code: killedCode}}
	case <-i.term:
		return false, i.terminate()
	case line, ok := <-i.hearing:
		return false, i.heard(line, ok)
	case <-ch:
		return true, nil
	}
}

// heard takes one line of stdin, or its end.
func (i *input) heard(line []byte, ok bool) error {
	if ok {
		i.command(line)
		return nil
	}
	i.hearing = nil
	if i.deaf[ignoreStdin] {
		return nil
	}
	return &exitError{keep: true}
}

// terminate is SIGTERM.
func (i *input) terminate() error {
	i.term = nil
	if i.deaf[ignoreTerm] {
		return nil
	}
	return &exitError{exit: Exit{Code: 143}, keep: true}
}

func (i *input) interrupted() error {
	if i.aborted() {
		return errAborted
	}
	return nil
}

// ignore makes the agent deaf to something.
func (i *input) ignore(what []string) {
	for _, w := range what {
		i.deaf[w] = true
	}
}
