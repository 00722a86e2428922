package command

import (
	"context"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	frameTime  = 100 * time.Millisecond // of the spinner
	maxUpdates = 64                     // between the connection and the screen
)

// following is one log on its way to a screen.
type following struct {
	client *client.Client
	id     string
	since  protocol.Cursor
	screen screen
	// until says after each event whether it was the last one wanted; nil: follow to the session's end.
	until func(l *client.Line) bool
	// signalled is called for each signal, in a goroutine of its own that ends with the following; nil: signals are not
	// looked at.
	signalled func(ctx context.Context, n int) error
}

// run follows until the log is over, until says so, ctx is done, or signalled fails.
func (p *Program) follow(ctx context.Context, f following) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	updates := make(chan client.Update, maxUpdates)
	ended := make(chan error, 1)
	go func() {
		ended <- f.client.Follow(ctx, f.id, f.since, func(u client.Update) error {
			select {
			case updates <- u:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}()
	reading := true
	defer func() {
		cancel(client.ErrStop)
		if reading {
			<-ended
		}
		err = errors.Join(err, f.screen.done())
	}()
	ticker := time.NewTicker(frameTime)
	defer ticker.Stop()
	signals, reacted, count := p.Signals, make(chan error), 0
	if f.signalled == nil {
		signals = nil
	}
	for {
		select {
		case u := <-updates:
			over, err := f.show(drain(updates, u))
			if over || err != nil {
				return err
			}
		case err := <-ended:
			reading = false
			for len(updates) > 0 {
				if over, err := f.show(drain(updates, <-updates)); over || err != nil {
					return err
				}
			}
			return err
		case <-ticker.C:
			if err := f.screen.tick(p.Now()); err != nil {
				return err
			}
		case <-signals:
			count++
			go func(n int) {
				select {
				case reacted <- f.signalled(ctx, n):
				case <-ctx.Done():
				}
			}(count)
		case err := <-reacted:
			if err != nil {
				return err
			}
		}
	}
}

// drain takes what has come in meanwhile, so that it is painted at once.
func drain(c <-chan client.Update, first client.Update) []client.Update {
	list := []client.Update{first}
	for len(list) < maxUpdates {
		select {
		case u := <-c:
			list = append(list, u)
		default:
			return list
		}
	}
	return list
}

// show shows updates up to the last one wanted.
func (f *following) show(list []client.Update) (over bool, err error) {
	for i, u := range list {
		if l, ok := u.(client.Line); ok && f.until != nil && f.until(&l) {
			return true, f.screen.show(list[:i+1])
		}
	}
	return false, f.screen.show(list)
}

// outcome watches a log for the end of one prompt's work.
type outcome struct {
	promptID string // empty: the first one of the log
	begun    bool   // the prompt left the queue
	removed  bool   // it was taken out for a reason
	turn     string
	turns    int
	status   protocol.TurnStatus
	err      string
	ended    bool // the session
	failed   bool // with an error
}

// line is for following.
func (o *outcome) line(l *client.Line) bool { return o.event(&l.Event) }

// event takes the next event and says whether everything is over: the prompt's work has ended and the agent is idle.
func (o *outcome) event(e *protocol.Event) bool {
	switch p := e.Payload.(type) {
	case *protocol.PromptQueued:
		if o.promptID == "" && p.Origin == "" {
			o.promptID = p.PromptID
		}
	case *protocol.PromptRemoved:
		if p.PromptID == o.promptID {
			o.begun = true
			if p.Reason == protocol.RemovedCancelled {
				o.status, o.err = protocol.TurnInterrupted, p.Error
				if o.removed = p.Error != ""; o.removed { // refused by the agent, or the session ends: what follows tells which
					o.status = protocol.TurnError
				}
				return !o.removed
			}
		}
	case *protocol.TurnStart:
		if p.Prompt != nil && p.Prompt.PromptID == o.promptID {
			o.begun = true
		}
		o.turn = p.TurnID
	case *protocol.TurnEnd:
		if o.begun {
			o.turns++
			o.status, o.err = p.Status, p.Error
			if p.Failed() {
				o.status = protocol.TurnError
			}
		}
		o.turn = ""
	case *protocol.SessionEnd:
		o.ended, o.failed = true, p.Reason == protocol.EndError
		if o.failed && o.err == "" {
			o.err = p.Error
		}
		if o.removed && !o.failed { // by the end of the session
			o.status = protocol.TurnInterrupted
		}
		return true
	case *protocol.Status:
		if o.removed {
			return !p.State.Ended() // session_end follows
		}
		return o.begun && o.turn == "" && p.State == protocol.StateIdle
	default:
	}
	return false
}

// result is the exit of a command that waited for the outcome.
func (o *outcome) result() error {
	switch {
	case o.failed && o.turns == 0:
		return &exitError{code: exitNoAgent}
	case o.failed || o.status == protocol.TurnError:
		return &exitError{code: exitFailed}
	case o.status == protocol.TurnInterrupted || o.ended && o.turns == 0:
		return &exitError{code: exitInterrupted}
	default:
		return nil
	}
}

// interrupting is the reaction to signals of a command that waits for a turn: the first one interrupts the turn, the
// second one ends the command.
func (p *Program) interrupting(c *client.Client, id string) func(context.Context, int) error {
	return func(ctx context.Context, n int) error {
		if n > 1 {
			return errStopped
		}
		text := "interrupting the turn; once more to quit"
		if waiting, err := waitingPrompts(ctx, c, id); err == nil && len(waiting) > 0 {
			text += "; " + nextText(id, len(waiting))
		}
		p.say(text)
		_, err := c.Interrupt(ctx, id)
		return err
	}
}

// say tells the person at the terminal something that is not the command's output.
func (p *Program) say(text string) {
	_, _ = p.Err.Write([]byte("ringmaster: " + text + "\n"))
}
