package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asking asks the user of a client of the old era what an agent asks, where the client can: one goroutine for each open
// request, at most maxAsking at once. Whoever else answers first takes the form away.
type asking struct {
	service *Service
	ss      *sdk.ServerSession
	id      string
	can     bool
	open    map[string]context.CancelFunc
	wg      sync.WaitGroup
}

const (
	maxAsking   = 16
	answerGrace = 5 * time.Second // for a session to take an answer
)

func (s *Service) newAsking(ss *sdk.ServerSession, id string) *asking {
	init := ss.InitializeParams()
	return &asking{
		service: s, ss: ss, id: id, open: map[string]context.CancelFunc{},
		can: init != nil && init.Capabilities != nil && init.Capabilities.Elicitation != nil,
	}
}

// see follows the requests of a log; only those are asked that open while the client watches and are its to answer.
func (a *asking) see(ctx context.Context, e *protocol.Event, live bool) {
	switch p := e.Payload.(type) {
	case *protocol.RequestOpened:
		if !live || !a.can || len(a.open) >= maxAsking || p.Kind == protocol.RequestCallerTool || !answers(access.Of(ctx), p.Kind) {
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		a.open[p.RequestID] = cancel
		a.wg.Go(func() { a.ask(ctx, p) })
	case *protocol.RequestResolved:
		if cancel := a.open[p.RequestID]; cancel != nil {
			cancel()
			delete(a.open, p.RequestID)
		}
	default:
	}
}

// ask shows a form. A client that fails to, or whose user closes it, answers nothing: others may.
func (a *asking) ask(ctx context.Context, r *protocol.RequestOpened) {
	res, err := a.ss.Elicit(ctx, elicitation(r))
	if err != nil || res.Action == "cancel" {
		return
	}
	// The answer's own event takes the form away, and must not take away the word that it was heard.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerGrace)
	defer cancel()
	ctx, verb := a.service.cfg.Audit.Begin(ctx, "elicitation", true)
	outcome := protocol.Code("")
	if err := a.service.resolve(ctx, a.id, elicited(r, res, "client:mcp")); err != nil {
		_ = a.service.toolError("elicitation", err) // logs what is the daemon's own fault
		outcome = problemOf(err).Code
	}
	verb.End(outcome)
}

func (a *asking) close() {
	for _, cancel := range a.open {
		cancel()
	}
	a.wg.Wait()
}
