package wait

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Limit counts the calls that wait, and says which of them there is no room for; *stream.Limit does.
type Limit interface {
	Enter(p *access.Principal) (leave func(), ok bool)
}

// Config is what waits are served with.
type Config struct {
	Gate    *access.Gate
	List    func() *roster.Roster // is asked where the first call comes that waits
	Streams Limit
	Closing context.Context // done when the daemon ends
	Refused func()          // is told of a wait that there is no room for
	// Away has the node that has all sessions of a wait answer it; done is false where it did not, or where there is none.
	Away func(ctx context.Context, r *resource.WaitRequest, timeout time.Duration) (a resource.WaitAnswer, done bool, err error)
	// Outcome reads in a session's log what became of a prompt; over is false where that is not settled. Of a prompt that the log does not have it gives a
	// problem. The context has the caller.
	Outcome func(ctx context.Context, session, prompt string) (o resource.WaitOutcome, over bool, err error)
}

// Waits has the calls that wait.
type Waits struct {
	Config
	desk *desk
}

// New makes waits of which none is under way.
func New(c Config) *Waits { return &Waits{c, newDesk(c.List)} }

const defaultTimeout = time.Minute

// Register serves them.
func (s *Waits) Register(t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "wait", Method: http.MethodPost, Path: "/wait", Tag: "sessions",
		Summary: "Wait until something holds of sessions",
		Text: "Answers once a condition of until holds of all or any of the sessions that are named or selected, or when the time is over; held says which. " +
			"It asks no session, and takes none up, but that a prompt is looked up in its session's log. Call it again while held is false.",
		Errors: []int{http.StatusNotFound}, MaxBody: 256 << 10, Reads: true, Stream: true,
	}, func(ctx context.Context, in *struct{ Body resource.WaitRequest }) (*struct{ Body resource.WaitAnswer }, error) {
		a, err := s.Wait(ctx, &in.Body)
		return &struct{ Body resource.WaitAnswer }{a}, err
	})
}

// Wait waits as a request says, for the principal of the context, and no longer than that.
func (s *Waits) Wait(ctx context.Context, r *resource.WaitRequest) (resource.WaitAnswer, error) {
	timeout := defaultTimeout
	if r.TimeoutMs != nil {
		timeout = time.Duration(*r.TimeoutMs) * time.Millisecond
	}
	end := time.Now().Add(timeout)
	away := func() (resource.WaitAnswer, bool, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.Closing, cancel)()
		return s.Away(ctx, r, time.Until(end))
	}
	if a, done, err := away(); done {
		return a, err
	}
	w, err := s.waiterOf(ctx, r)
	if err != nil {
		return resource.WaitAnswer{}, err
	}
	leave, ok := s.Streams.Enter(access.Of(ctx))
	if !ok {
		s.Refused()
		return resource.WaitAnswer{}, protocol.NewProblem(protocol.CodeOverloaded, "Too many calls wait, or too many streams are open.",
			"Wait for several sessions with one call, or come back later.")
	}
	defer leave()
	s.desk.add(w)
	defer s.desk.leave(w)
	until, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	return s.await(ctx, until, w, away)
}

// How long it takes until sessions that are not here are asked for again: the list may be ahead of their logs, or behind, and they move. It takes twice as long
// each time, until one has moved or changed.
const (
	farFirst = 500 * time.Millisecond
	farLast  = 8 * time.Second
)

// await returns when a wait is over, or its time; away has another node answer it.
func (s *Waits) await(ctx, until context.Context, w *waiter, away func() (resource.WaitAnswer, bool, error)) (resource.WaitAnswer, error) {
	every, unsure, isAsked := farFirst, false, false
	for {
		done, isFar := s.desk.stands(w)
		var again <-chan time.Time
		if isFar || unsure {
			again = time.After(every)
		}
		select {
		case <-done:
			if !isAsked { // the list has changed: what it tells will be in the log in a moment
				every = farFirst
			}
			isAsked = false
		case <-w.turned:
			every = farFirst
			continue
		case <-again:
			every, isAsked = min(2*every, farLast), true
			if a, done, err := away(); done {
				return a, err
			}
			unsure = false
			s.desk.anew(w)
			continue
		case <-until.Done():
		case <-s.Closing.Done():
			return resource.WaitAnswer{}, protocol.NewProblem(protocol.CodeUnavailable, "The daemon is shutting down.", "Call again once it runs again.")
		}
		if ctx.Err() != nil {
			return resource.WaitAnswer{}, context.Cause(ctx)
		}
		if s.desk.hasLeft(w) {
			return resource.WaitAnswer{}, misdirected()
		}
		a := s.desk.answerOf(w)
		settled, err := s.prove(ctx, w, &a)
		var p *protocol.Problem
		unsure = errors.As(err, &p) && p.Code == protocol.CodeUnavailable // it may be on its way from one node to another
		if settled || err != nil && !unsure || until.Err() != nil {
			return a, err
		}
		s.desk.again(w)
	}
}

// prove adds the outcome of a prompt that is settled by what the list says. Where the log has not settled it, the answer says that it does not hold.
func (s *Waits) prove(ctx context.Context, w *waiter, a *resource.WaitAnswer) (settled bool, err error) {
	if len(a.Sessions) != 1 || a.Sessions[0].Because != resource.BecausePrompt {
		return true, nil
	}
	row := &a.Sessions[0]
	o, over, err := s.Outcome(ctx, row.SessionID, w.until.prompt)
	if over {
		row.Outcome = &o
	} else {
		a.Held, row.Because = false, ""
	}
	return over, err
}

// waiterOf checks a request.
func (s *Waits) waiterOf(ctx context.Context, r *resource.WaitRequest) (*waiter, error) {
	u, err := untilOf(&r.Until)
	if err != nil {
		return nil, err
	}
	if len(r.Sessions) == 0 && r.Select == nil {
		return nil, invalid("The wait has no session.", `Name sessions in "sessions", or choose them with "select" ({} is all).`)
	}
	if u.oneSession() && (len(r.Sessions) != 1 || r.Select != nil) {
		return nil, invalid("A turn and a prompt are one session's.", "Name that session alone; wait for others with calls of their own.")
	}
	list, err := s.Gate.Roster(ctx, r.Sessions...)
	if err != nil {
		return nil, err
	}
	w := &waiter{
		list: list, until: u, any: r.Of == resource.WaitAny, here: isPassedOn(ctx),
		members: map[string]*member{}, done: make(chan struct{}), turned: make(chan struct{}, 1),
	}
	for _, id := range r.Sessions {
		switch {
		case !protocol.ValidSessionID(id):
			return nil, invalid("A member of sessions is no session id.", "A session id is a UUID in lower case, as lists give it.")
		case w.members[id] != nil:
			return nil, invalid("A session is named twice.", "Name each once.")
		case !w.name(id):
			return nil, supervisor.NotFound()
		case w.here && list.Find(id).Away:
			return nil, misdirected()
		}
	}
	if r.Select != nil {
		if w.here {
			return nil, misdirected()
		}
		if w.selected, err = selection.Of(r.Select); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// isPassedOn says that another node has let the caller in, which passes on waits for sessions of this node alone.
func isPassedOn(ctx context.Context) bool {
	who := access.Of(ctx)
	return who != nil && who.Via != ""
}

func misdirected() error {
	return protocol.NewProblem(protocol.CodeMisdirected, "Not all sessions are on this node.", "Ask Core which node has each, or wait at your own.")
}

func invalid(detail, hint string) error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, detail, hint)
}
