package api

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/danielgtaylor/huma/v2"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// firstPrompt is the schema of resource.FirstPrompt.
type firstPrompt struct{}

// Schema is a text or a NewPrompt.
func (firstPrompt) Schema(r huma.Registry) *huma.Schema {
	least, most := 1, 1<<20
	s := &huma.Schema{
		Description: "The first prompt: its text alone, or with images",
		OneOf: []*huma.Schema{
			{Type: huma.TypeString, MinLength: &least, MaxLength: &most},
			r.Schema(reflect.TypeFor[resource.NewPrompt](), true, ""),
		},
	}
	s.PrecomputeMessages()
	return s
}

// creation makes sessions, and waits a moment for their agents.
type creation struct {
	sup          *access.Gate
	door         *control.Door
	prompts      *queue.Prompts
	log          *zap.Logger
	startTimeout time.Duration // how long it waits for the agent
}

type createOutput struct {
	Location string `header:"Location" doc:"The session"`
	Replayed string `header:"Idempotency-Replayed" doc:"true: the session of an earlier call with this key, as it is now"`
	Body     resource.CreatedSession
}

func (c *creation) create(ctx context.Context, in *struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"128" doc:"The same key never makes a second session, nor a second turn in it, also across a restart of the daemon"`
	Body           resource.NewSession
},
) (*createOutput, error) {
	b := &in.Body
	if err := checkLabels(b.Labels); err != nil {
		return nil, err
	}
	policy, err := policyOf(b.Policy)
	if err != nil {
		return nil, err
	}
	budget, err := budgetOf(b.Budget)
	if err != nil {
		return nil, err
	}
	n := supervisor.NewSession{
		Agent: b.Agent, Cwd: b.Cwd, Model: b.Model, Mode: b.Mode, Title: b.Title, Labels: b.Labels, ParentID: b.ParentSessionID,
		Policy: policy, Budget: boundedBy(budget), NativeSessionID: b.NativeSessionID, MCP: b.MCP,
	}
	if e := b.Endpoint; e != nil {
		n.Endpoint = &supervisor.Endpoint{URL: e.URL, Username: e.Username, Password: e.Password}
	}
	n.Key.Name = in.IdempotencyKey
	if p := b.Prompt; p != nil {
		if err := queue.Check(&p.NewPrompt); err != nil {
			return nil, err
		}
		if p.Notify != "" && n.ParentID == "" && access.Of(ctx).Scope != access.Agent {
			return nil, control.NobodyToTell()
		}
		n.Key.Body = queue.Sum(p.NewPrompt)
	}
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	sum, err := c.sup.Create(ctx, n)
	if err != nil {
		return nil, err
	}
	out := &createOutput{Replayed: operation.Replayed(sum.Repeated), Location: "/sessions/" + sum.ID, Body: resource.CreatedSession{Repeated: sum.Repeated}}
	var refused error
	if b.Prompt != nil {
		var r session.Receipt
		if r, refused = c.prompts.Send(ctx, sum.ID, &b.Prompt.NewPrompt, in.IdempotencyKey); refused == nil {
			var accepted resource.PromptAccepted
			if accepted, refused = c.prompts.Accepted(ctx, sum.ID, r); refused == nil {
				out.Body.Prompt = &accepted
			}
		}
	}
	desc, err := c.awaitStart(ctx, sum.ID)
	if err != nil {
		return nil, err
	}
	if err := startFailed(&desc, sum.Repeated); err != nil {
		refused = err
	}
	if refused == nil && !budget.Unbounded() {
		var tree supervisor.TreeUse
		tree, refused = c.sup.Spending(ctx, sum.ID)
		out.Body.Warnings = budgetWarnings(tree.Unpriced)
	}
	if refused != nil { // the session is there: the client must be able to find it
		p := operation.Failure(c.log, "createSession", refused)
		p.SessionID = sum.ID
		return nil, p
	}
	out.Body.SessionDetail = detailOf(&desc)
	return out, nil
}

// startFailed is why a new session's agent could not be started; nil: it could. What failed later was made all the same.
func startFailed(d *session.Description, repeated bool) error {
	if d.Status.State != protocol.StateFailed || repeated && d.Turns > 0 {
		return nil
	}
	return protocol.NewProblem(protocol.CodeAgentUnavailable, d.EndError, cmp.Or(d.EndHint, protocol.TermReadLog+" says how far it came."))
}

// createReader is the name under which awaitStart reads; its client has not asked for a reader and is shown none.
const createReader = "create"

// awaitStart waits until a new session's agent is ready or gone, or StartTimeout: what it then is, is no error. The state does
// not tell it, as a prompt that waits has the session queued.
func (c *creation) awaitStart(ctx context.Context, id string) (session.Description, error) {
	reader, err := c.door.Join(ctx, id, createReader)
	if err != nil {
		return session.Description{}, err
	}
	defer reader.Leave()
	wait, cancel := context.WithTimeout(ctx, c.startTimeout)
	defer cancel()
	for {
		head := reader.Ring.Head() // before the description: what comes after it wakes the wait
		desc, err := c.door.Describe(ctx, id)
		desc.Readers = slices.DeleteFunc(desc.Readers, func(r session.ReaderInfo) bool { return r.Name == createReader })
		if err != nil || desc.Seq > 0 && !desc.Starting {
			return desc, err
		}
		if reader.Ring.Wait(wait, head) != nil {
			return desc, ctx.Err()
		}
	}
}
