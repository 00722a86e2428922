package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type messageInput struct {
	SessionID      string            `json:"session_id,omitempty" jsonschema:"the session to speak to; without it one is found by agent, cwd and labels, or created"`
	Message        string            `json:"message,omitempty" jsonschema:"the prompt; may be left out where caller_tools are offered to session_id"`
	Images         []imageInput      `json:"images,omitempty" jsonschema:"pictures of the prompt, at most 8"`
	Agent          string            `json:"agent,omitempty" jsonschema:"without session_id: the agent, by its name in agent_list"`
	Cwd            string            `json:"cwd,omitempty" jsonschema:"without session_id: the absolute path of the folder to work in; an agent may leave it out: its own"`
	Labels         map[string]string `json:"labels,omitempty" jsonschema:"without session_id: labels that a session must have to be found, and that a new one gets"`
	Model          string            `json:"model,omitempty" jsonschema:"model of a new session, in the agent's own words"`
	Title          string            `json:"title,omitempty" jsonschema:"title of a new session"`
	NewSession     bool              `json:"new_session,omitempty" jsonschema:"create a session even where one could be found"`
	Behavior       string            `json:"streaming_behavior,omitempty" jsonschema:"while a turn runs. steer: the message goes into it; followUp (the default): it waits for its end"`
	IdempotencyKey string            `json:"idempotency_key,omitempty" jsonschema:"the same key never makes a second turn in a session, also when this call is repeated"`
	ClientID       string            `json:"client_id,omitempty" jsonschema:"who asks, for the log"`
	MCP            bool              `json:"mcp,omitempty" jsonschema:"give the agent of a new session these tools: it can then start sessions that work for it; caller_tools implies it"`
	CallerID       string            `json:"caller_id,omitempty" jsonschema:"with caller_tools: who offers them; the agent sees each as CALLER_TOOL"`
	CallerTools    []callerTool      `json:"caller_tools,omitempty" jsonschema:"tools that you carry out for the agent, in the place of those that this caller_id offered before; an empty list withdraws them. A call comes as an event of type caller_tool_request; answer it with caller_tool_response"`
}

type imageInput struct {
	MediaType string `json:"media_type" jsonschema:"image/png, image/jpeg, image/gif or image/webp"`
	Data      []byte `json:"data" jsonschema:"the file, base64"`
}

type messageOutput struct {
	SessionID      string `json:"session_id"`
	Spawned        bool   `json:"spawned" jsonschema:"the session was created by this call"`
	LastEventIndex int    `json:"last_event_index" jsonschema:"pass it as since_index to session_events to read what this message makes; -1 where that is everything"`
	PromptID       string `json:"prompt_id"`
	Position       int    `json:"position" jsonschema:"place in the queue; 0: dispatched at once"`
	Repeated       bool   `json:"repeated,omitempty" jsonschema:"the idempotency key was used before: this is what it got then"`
	Text           string `json:"text,omitempty" jsonschema:"the final answer, where the call was carried out as a task"`
	Push           string `json:"push" jsonschema:"active: events are pushed as log notifications; no_level: they will be once logging/setLevel sets info; errors_only: the level is above info; no_stream: they will be once the stream is open (GET); unavailable: use session_events"`
}

func (s toolset) addSessionMessage() {
	addTool(s, &sdk.Tool{
		Name: "session_message", Title: "Send a message to a session", Annotations: changes,
		Description: "Sends a prompt to a session of a coding agent, which is found by session_id, or by agent, cwd and labels, and created where there is none. " +
			"Answers at once; what the agent does is read with session_events from last_event_index on.",
	}, s.sessionMessage)
}

func (s *Service) sessionMessage(ctx context.Context, c *call, in *messageInput) (messageOutput, error) {
	p, err := in.prompt()
	if err != nil {
		return messageOutput{}, err
	}
	offer, err := s.offerOf(c, in)
	if err != nil {
		return messageOutput{}, err
	}
	id, spawned := in.SessionID, false
	if id != "" {
		if err := checkID(id); err != nil {
			return messageOutput{}, err
		}
	} else if id, spawned, err = s.findOrCreate(ctx, c, in); err != nil {
		return messageOutput{}, err
	}
	var r session.Receipt
	if err = s.offerTo(ctx, id, offer); err == nil {
		r, err = s.prompted(ctx, id, p)
	}
	if err != nil {
		if spawned {
			err = s.madeBefore(err, id)
		}
		return messageOutput{}, err
	}
	out := messageOutput{
		SessionID: id, Spawned: spawned, LastEventIndex: int(r.Cursor.Seq) - 1, PromptID: r.PromptID, Position: r.Position, Repeated: r.Repeated,
	}
	since := r.Cursor.Seq
	if spawned {
		out.LastEventIndex, since = -1, 0
	}
	out.Push = s.watch(c, id, since)
	if r.PromptID != "" {
		becomeTask(ctx, taskID(id, r.PromptID))
	}
	return out, nil
}

// prompted sends a prompt, if there is one, and says from where to read on.
func (s *Service) prompted(ctx context.Context, id string, p Prompt) (session.Receipt, error) {
	if p.Text != "" || len(p.Images) > 0 {
		return s.cfg.Backend.Prompt(ctx, id, p)
	}
	d, err := describe(ctx, s.cfg.Backend, id)
	return session.Receipt{Cursor: protocol.Cursor{Epoch: d.Epoch, Seq: d.Seq}}, err
}

func (in *messageInput) prompt() (Prompt, error) {
	p := Prompt{Text: in.Message, ClientID: in.ClientID, IdempotencyKey: in.IdempotencyKey, Behavior: protocol.Behavior(in.Behavior)}
	if p.ClientID == "" {
		p.ClientID = "mcp"
	}
	switch p.Behavior {
	case "", protocol.Steer, protocol.FollowUp:
	default:
		return p, invalid("streaming_behavior is steer or followUp.", "Leave it out to wait for the end of the running turn.")
	}
	if in.Message == "" && len(in.Images) == 0 && (in.SessionID == "" || in.CallerTools == nil) {
		return p, invalid("The message is empty.", "Send message, images or both.")
	}
	for _, i := range in.Images {
		p.Images = append(p.Images, Image(i))
	}
	return p, nil
}

// findOrCreate finds the newest session that fits and has not ended, or makes one.
func (s *Service) findOrCreate(ctx context.Context, c *call, in *messageInput) (id string, spawned bool, err error) {
	if in.Agent == "" || in.Cwd == "" && c.who.Scope != access.Agent {
		return "", false, invalid("Neither session_id nor agent and cwd were given.",
			"Give session_id (see session_list), or agent (see agent_list) and cwd, the folder to work in.")
	}
	mcp := in.MCP || len(in.CallerTools) > 0
	if !in.NewSession {
		if id, err = s.find(ctx, c.who, in, mcp); id != "" || err != nil {
			return id, false, err
		}
	}
	sum, err := s.cfg.Backend.Create(ctx, supervisor.NewSession{
		Agent: in.Agent, Cwd: in.Cwd, Model: in.Model, Title: in.Title, Labels: in.Labels, MCP: mcp,
	})
	return sum.ID, err == nil, err
}

// find gives the newest session that fits and has not ended; empty: none does. A client finds none that works for an agent's, and an
// agent those alone that work for its own.
func (s *Service) find(ctx context.Context, who *access.Principal, in *messageInput, mcp bool) (id string, err error) {
	q := supervisor.Query{Agent: in.Agent, Cwd: in.Cwd, Labels: in.Labels, Active: new(true), Limit: maxFound}
	agent := who.Scope == access.Agent
	if agent {
		q.Parent = who.Session
		if q.Cwd == "" { // its own, as for a new session; an agent does not reach its own session
			own, err := s.cfg.Backend.Look(access.With(ctx, access.Daemon), who.Session)
			if err != nil {
				return "", err
			}
			q.Cwd = own.Cwd
		}
	}
	page, err := s.cfg.Backend.List(ctx, q)
	for i := range page.Sessions {
		if x := &page.Sessions[i]; !x.SubAgent && x.Spawned == agent && (x.MCP || !mcp) {
			return x.ID, nil
		}
	}
	return "", err
}

// maxFound is how many of the newest sessions are looked through.
const maxFound = 1000

// madeBefore is an error after a session was created: the client must be able to find it.
func (s *Service) madeBefore(err error, id string) error {
	p := *problemOf(err)
	if p.Code == protocol.CodeInternal {
		s.log.Error("tool failed", zap.String("tool", "session_message"), zap.Error(err))
	}
	p.Hint = strings.TrimSpace(p.Hint + " The session was created: go on with session_id " + id + ".")
	return &p
}
