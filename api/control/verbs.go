package control

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Answer is a client's answer to a request. Of an approval, Outcome or Option may be empty: each follows from the other. Of a caller tool's
// call, Result is the tool's result, as JSON, or Outcome is failed and Message says why.
type Answer struct {
	RequestID string
	Outcome   protocol.Outcome
	Option    string
	Answers   [][]string
	Result    []byte
	Message   string
	By        string // the log's name of the client that answers
}

// Change is a change of a session's properties. nil leaves a member as it is; a nil label is removed; an empty title gives the choice of the title
// back to the agent.
type Change struct {
	Title  *string
	Labels map[string]*string
	Policy *session.PolicyPatch
	Pinned *bool // which an ended session takes as well
}

// Place is where a prompt is to wait: before another one, or at a position from 1. One of the two is set.
type Place struct {
	Before   string
	Position int
}

// Describe gives a summary, the queue, the open requests and the readers. It does not open a session at rest.
func (d *Door) Describe(ctx context.Context, id string) (session.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	desc, err := questionUnless(ctx, d, id, d.sessions.AtRest, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
	if d.pins != nil {
		desc.Pinned = d.pins.Pinned(id) // which the session does not know
	}
	return desc, err
}

// Join gives the reading side of a session; the caller must call its Leave. name says what it reads for, in Describe.
func (d *Door) Join(ctx context.Context, id, name string) (*session.Reader, error) {
	return look(ctx, d, id, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: name} })
}

// Frame is Join with the frame of the fold.
func (d *Door) Frame(ctx context.Context, id, name string) (*session.Reader, error) {
	return look(ctx, d, id, func(r ask.Reply[*session.Reader]) session.Message {
		return &session.Join{Reply: r, Name: name, Frame: true}
	})
}

// Follow is Join for one reader of many sessions: while it has everything that there is, the session may be put away. The reader's ring is retired then.
func (d *Door) Follow(ctx context.Context, id, name string) (*session.Reader, error) {
	return look(ctx, d, id, func(r ask.Reply[*session.Reader]) session.Message {
		return &session.Join{Reply: r, Name: name, Yields: true}
	})
}

// Send gives a session a prompt. With a key of idempotency it is taken once, however often it is sent. A refusal is why it is not taken where its key is new;
// nil: it is.
func (d *Door) Send(ctx context.Context, id string, p session.NewPrompt, key string, refusal error) (session.Receipt, error) {
	return soon(ctx, d, id, &session.SendPrompt{Prompt: p, IdempotencyKey: key, Refusal: refusal})
}

// Cancel takes a prompt out of the queue.
func (d *Door) Cancel(ctx context.Context, id, prompt string) error {
	if d.away != nil {
		if here, err := d.away.Cancel(ctx, id, prompt); !here {
			return err
		}
	}
	_, err := soon(ctx, d, id, &session.CancelPrompt{PromptID: prompt})
	return err
}

// Move gives a prompt that waits another place, and says which it has, from 1.
func (d *Door) Move(ctx context.Context, id, prompt string, to Place) (position int, err error) {
	if d.away != nil {
		if position, here, err := d.away.Move(ctx, id, prompt, to); !here {
			return position, err
		}
	}
	moved, err := soon(ctx, d, id, &session.MovePrompt{PromptID: prompt, Before: to.Before, Position: to.Position})
	return moved.Position, err
}

// Resolve answers a request. The first answer wins; a later one gets CodeRequestAlreadyResolved with the name of the client that was first.
func (d *Door) Resolve(ctx context.Context, id string, a Answer) (session.Resolution, error) {
	if d.away != nil {
		if done, here, err := d.away.Resolve(ctx, id, a); !here {
			return done, err
		}
	}
	return soon(ctx, d, id, &session.Resolve{
		RequestID: a.RequestID, Outcome: a.Outcome, Option: a.Option, Answers: a.Answers, Result: a.Result, Message: a.Message, By: a.By,
	})
}

// Interrupt stops the running turn, or only the one that is named, and says which it was; empty: none ran. It does not wait: the log tells when the
// turn has ended.
func (d *Door) Interrupt(ctx context.Context, id, turn, by string) (stopped string, err error) {
	if d.away != nil {
		if stopped, here, err := d.away.Interrupt(ctx, id, turn, by); !here {
			return stopped, err
		}
	}
	done, err := soon(ctx, d, id, &session.Interrupt{TurnID: turn, By: by})
	return done.TurnID, err
}

// Choose chooses a model or a mode, and says when that takes effect.
func (d *Door) Choose(ctx context.Context, id string, what session.Setting, value string, when session.When) (session.Applied, error) {
	if d.away != nil {
		if applied, here, err := d.away.Choose(ctx, id, what, value, when); !here {
			return applied, err
		}
	}
	c, err := soon(ctx, d, id, &session.Choose{Setting: what, Value: value, When: when})
	return c.Applied, err
}

// Choices gives the models and modes that the session's agent offers.
func (d *Door) Choices(ctx context.Context, id string) (session.Offers, error) {
	return look(ctx, d, id, func(r ask.Reply[session.Offers]) session.Message { return &session.Choices{Reply: r} })
}

// Change changes the title, the labels and the policy of a session, and whether retention leaves it. Requests that are open already stay as they are.
func (d *Door) Change(ctx context.Context, id string, c Change) error {
	if d.away != nil {
		if here, err := d.away.Change(ctx, id, c); !here {
			return err
		}
	}
	if c.Pinned != nil && d.pins != nil {
		if !protocol.ValidSessionID(id) {
			return supervisor.NotFound()
		}
		if err := d.pins.Pin(ctx, id, *c.Pinned); err != nil || c.Title == nil && len(c.Labels) == 0 && c.Policy == nil {
			return err
		}
	}
	_, err := soon(ctx, d, id, &session.Change{Title: c.Title, Labels: c.Labels, Policy: c.Policy})
	return err
}

// SetBudget replaces what a session may use; a budget without limits takes it away.
func (d *Door) SetBudget(ctx context.Context, id string, b *protocol.Budget) error {
	_, err := soon(ctx, d, id, &session.SetBudget{Budget: b})
	return err
}

// End ends a session: its agent is stopped, and open entries and turns are closed. It returns after that; ending an ended session changes nothing.
func (d *Door) End(ctx context.Context, id, reason, by string) error {
	if d.away != nil {
		if here, err := d.away.End(ctx, id, reason); !here {
			return err
		}
	}
	_, err := soon(ctx, d, id, &session.End{Reason: reason, By: by})
	return err
}

// Waive takes back a session's wish to be told of a prompt of another session (notify). It does not wait until the session has taken it.
func (d *Door) Waive(ctx context.Context, id, of, prompt string) {
	if ref, err := d.sessions.Find(ctx, id); err == nil {
		ref.Send(session.Say(&session.Waive{SessionID: of, PromptID: prompt}))
	}
}
