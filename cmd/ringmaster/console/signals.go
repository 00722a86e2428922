package console

import (
	"context"
	"os"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// Signals are the interrupts and terminations that come while a command runs. The first one ends the command, unless it has taken them before and
// reads C itself. A command calls its methods from one goroutine.
type Signals struct {
	C <-chan os.Signal

	cancel  context.CancelCauseFunc // of the command's context
	done    <-chan struct{}         // closed when that context is over
	taken   chan struct{}           // closed when the command takes them
	waiting chan struct{}           // closed when nobody waits for the first signal any more; nil: nobody has
}

// NewSignals gives the signals of a channel to the command of a context, which cancel ends.
func NewSignals(ctx context.Context, c <-chan os.Signal, cancel context.CancelCauseFunc) *Signals {
	return &Signals{C: c, cancel: cancel, done: ctx.Done(), taken: make(chan struct{})}
}

// EndCommand has the first signal end the command, as long as it does not take them. It is called once.
func (s *Signals) EndCommand() {
	s.waiting = make(chan struct{})
	go func() {
		defer close(s.waiting)
		select {
		case <-s.C:
			s.cancel(exit.ErrStopped)
		case <-s.taken:
		case <-s.done:
		}
	}()
}

// Take leaves the signals that come from now on to the command, which reads C. It is called once at most.
func (s *Signals) Take() {
	close(s.taken)
	s.Wait()
}

// Wait returns when nobody waits for a signal any more: once the command's context is over, or the command has taken them.
func (s *Signals) Wait() {
	if s.waiting != nil {
		<-s.waiting
	}
}
