package supervisor

import (
	"context"
	"errors"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"go.uber.org/zap"
)

// Questions about sessions that move between nodes.
type (
	// Arrive takes in a session of which the folder has come from elsewhere.
	Arrive struct {
		ask.Reply[session.Done]
		found  core.Found
		refuse error // as in home
	}
	// Seal has a session go to another node: it is answered when nothing of it runs any more.
	Seal struct {
		ask.Reply[session.Done]
		ID string
	}
	// Withdraw sets a sealed session's log aside.
	Withdraw struct {
		ask.Reply[session.Done]
		ID, Name string
	}
	// word is for the core, and nobody waits for what becomes of it.
	word struct{ in core.Input }
)

func (*Arrive) message()   {}
func (*Seal) message()     {}
func (*Withdraw) message() {}
func (*word) message()     {}

// Lost implements ask.Letter.
func (*word) Lost() ask.Loss { return ask.Nothing }

func (m *word) input() core.Input { return m.in }

// Moves is the side of a supervisor for sessions that move between nodes.
type Moves struct{ of *Supervisor }

// MovesOf gives it.
func MovesOf(s *Supervisor) Moves { return Moves{s} }

// Arrive takes in a session of which the folder has come from elsewhere; lost says that it comes from a node that was lost. Where the folder holds no
// session the error is fs.ErrNotExist.
func (m Moves) Arrive(ctx context.Context, id string, lost bool) error {
	found, ok := m.of.finding.Session(id)
	if !ok {
		return fs.ErrNotExist
	}
	found.Lost = lost
	_, err := ask.Ask(ctx, m.of.ref, func(r ask.Reply[session.Done]) Message { return &Arrive{r, found, m.of.finding.Refusal(id)} })
	return err
}

// Seal has a session go to another node: its turn is interrupted, its agent let go, and nothing wakes it. It returns when nothing of it runs any more.
func (m Moves) Seal(ctx context.Context, id string) error {
	_, err := ask.Ask(ctx, m.of.ref, func(r ask.Reply[session.Done]) Message { return &Seal{r, id} })
	return err
}

// Unseal has a sealed session stay.
func (m Moves) Unseal(id string) { m.of.ref.Send(&word{&core.Unseal{ID: id}}) }

// Withdraw has a sealed session be another node's: its log is set aside under a name.
func (m Moves) Withdraw(ctx context.Context, id, name string) error {
	_, err := ask.Ask(ctx, m.of.ref, func(r ask.Reply[session.Done]) Message { return &Withdraw{r, id, name} })
	return err
}

// Confirm says whether this node is sure that no other one has the sessions that may move: as long as it is not, their agents do not run.
func (m Moves) Confirm(sure bool) { m.of.ref.Send(&word{&core.Confirm{Sure: sure}}) }

// Over says that sessions have ended, or were deleted, that are not here: what works for them here ends.
func (m Moves) Over(ids []string) { m.of.ref.Send(&word{&core.Over{IDs: ids}}) }

// setAside takes a session away that is another node's, and says whether it has: its log stays, where nobody looks for sessions.
func (r *remover) setAside(id, name string) (done bool) {
	err := errNotCarried
	if from, ok := r.store.(store.Carrier); ok {
		r.outbox.Moved(id)
		err = from.SetAside(id, name)
	}
	if err != nil {
		r.log.Error("set a session aside that is another node's", zap.String("session", id), zap.Error(err))
		return false
	}
	r.resting.Removed()
	r.keys.drop(id)
	return true
}

var errNotCarried = errors.New("logs of this store cannot be carried elsewhere")
