package console

import (
	"context"
	"os"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// Signals are the interrupts and terminations that come while a command runs. A command reads C itself, or has the first one end it.
type Signals struct {
	C <-chan os.Signal

	cancel  context.CancelCauseFunc // of the command's context
	done    <-chan struct{}         // closed when that context is over
	waiting chan struct{}           // closed when nobody waits for the first signal any more; nil: nobody has
}

// NewSignals gives the signals of a channel to the command of a context, which cancel ends.
func NewSignals(ctx context.Context, c <-chan os.Signal, cancel context.CancelCauseFunc) *Signals {
	return &Signals{C: c, cancel: cancel, done: ctx.Done()}
}

// EndCommand has the first signal end the command.
func (s *Signals) EndCommand() {
	if s.waiting != nil {
		return
	}
	s.waiting = make(chan struct{})
	go func() {
		defer close(s.waiting)
		select {
		case <-s.C:
			s.cancel(exit.ErrStopped)
		case <-s.done:
		}
	}()
}

// Wait returns when nobody waits for a signal any more, once the command's context is over.
func (s *Signals) Wait() {
	if s.waiting != nil {
		<-s.waiting
	}
}
