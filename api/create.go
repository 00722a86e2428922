package api

import (
	"cmp"
	"context"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/tool"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// newSession is the session that is wanted.
type newSession struct {
	Agent           string             `json:"agent" minLength:"1" maxLength:"64" example:"pi" doc:"Name of an agent of GET /agents"`
	Cwd             string             `json:"cwd" minLength:"1" maxLength:"4096" example:"/home/me/project" doc:"Absolute path inside one of the daemon's roots"`
	Model           string             `json:"model,omitempty" maxLength:"256" doc:"Model to start with, in the agent's own words"`
	Mode            string             `json:"mode,omitempty" maxLength:"256" example:"plan" doc:"Mode to start in, in the agent's own words; for agents with the capability modes"`
	Title           string             `json:"title,omitempty" maxLength:"500" doc:"For people; stays whatever the agent calls its session"`
	Labels          map[string]string  `json:"labels,omitempty" doc:"Up to 64 labels; keys of at most 128, values of at most 1024 bytes"`
	ParentSessionID string             `json:"parentSessionId,omitempty" maxLength:"36" doc:"The session that this one works for"`
	Endpoint        *newEndpoint       `json:"endpoint,omitempty" doc:"Where the agent runs already; absent: the daemon starts it"`
	NativeSessionID string             `json:"nativeSessionId,omitempty" maxLength:"256" doc:"The agent's own id of a session to go on with; absent: a new one"`
	Policy          *newPolicy         `json:"policy,omitempty" doc:"What answers approvals (protocol/spec.md §4.10); absent: everything is asked"`
	MCP             bool               `json:"mcp,omitempty" doc:"Gives the agent the daemon's MCP server, with a token for sessions of its own making alone (spec §4.11); for agents with the capability mcp"`
	Prompt          *queue.FirstPrompt `json:"prompt,omitempty"`
}

// newEndpoint is an agent that runs already. No answer shows it.
type newEndpoint struct {
	URL      string `json:"url" minLength:"1" maxLength:"2048" example:"http://127.0.0.1:4096" doc:"http, https, ws, wss or unix, as the agent listens; on this machine, or a host of --attach-host"`
	Username string `json:"username,omitempty" maxLength:"1024" doc:"Where the agent asks for one"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"Kept in the daemon's data folder, for going on after a restart"`
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
	Body     createdSession
}

// createdSession is the new session, and what became of its first prompt.
type createdSession struct {
	resource.SessionDetail
	Prompt   *resource.PromptAccepted `json:"prompt,omitempty" doc:"What became of the prompt"`
	Repeated bool                     `json:"repeated,omitempty" doc:"The idempotency key was used before: this is the session that it made then, as it is now"`
}

func (c *creation) create(ctx context.Context, in *struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"128" doc:"The same key never makes a second session, nor a second turn in it, also across a restart of the daemon"`
	Body           newSession
},
) (*createOutput, error) {
	b := &in.Body
	if err := checkLabels(b.Labels); err != nil {
		return nil, err
	}
	policy, err := b.Policy.policy()
	if err != nil {
		return nil, err
	}
	n := supervisor.NewSession{
		Agent: b.Agent, Cwd: b.Cwd, Model: b.Model, Mode: b.Mode, Title: b.Title, Labels: b.Labels, ParentID: b.ParentSessionID,
		Policy: policy, NativeSessionID: b.NativeSessionID, MCP: b.MCP,
	}
	if e := b.Endpoint; e != nil {
		n.Endpoint = &supervisor.Endpoint{URL: e.URL, Username: e.Username, Password: e.Password}
	}
	n.Key.Name = in.IdempotencyKey
	if p := b.Prompt; p != nil {
		if err := p.Check(); err != nil {
			return nil, err
		}
		if p.Notify != "" && n.ParentID == "" && access.Of(ctx).Scope != access.Agent {
			return nil, tool.NobodyToTell()
		}
		n.Key.Body = p.Sum()
	}
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	sum, err := c.sup.Create(ctx, n)
	if err != nil {
		return nil, err
	}
	out := &createOutput{Location: "/sessions/" + sum.ID, Body: createdSession{Repeated: sum.Repeated}}
	var refused error
	if b.Prompt != nil {
		var r session.Receipt
		if r, refused = c.prompts.Send(ctx, sum.ID, &b.Prompt.NewPrompt, in.IdempotencyKey); refused == nil {
			out.Body.Prompt = new(queue.AcceptedOf(sum.ID, r))
		}
	}
	desc, err := c.awaitStart(ctx, sum.ID)
	if err != nil {
		return nil, err
	}
	if err := startFailed(&desc, sum.Repeated); err != nil {
		refused = err
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
