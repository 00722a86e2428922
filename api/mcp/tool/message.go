package tool

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/caller"
	"github.com/ringmaster-agents/ringmaster/api/mcp/join"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/mcp/push"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// messages are sent to sessions, and waited for.
type messages struct {
	backend Backend
	door    *control.Door
	waits   *join.Waits
	callers *caller.Callers
	pushes  *push.Pushes
	tell    *problem.Teller
	fates   fates
}

type messageInput struct {
	SessionID      string            `json:"session_id,omitempty" jsonschema:"the session to speak to; without it one is found by agent, cwd and labels, or created"`
	Message        string            `json:"message,omitempty" jsonschema:"the prompt; may be left out where caller_tools are offered to session_id"`
	Images         []imageInput      `json:"images,omitempty" jsonschema:"pictures of the prompt, at most 8"`
	Agent          string            `json:"agent,omitempty" enum:"agents" jsonschema:"without session_id: the agent, by its name in agent_list"`
	Cwd            string            `json:"cwd,omitempty" jsonschema:"without session_id: the absolute path of the folder to work in; an agent may leave it out: its own"`
	Labels         map[string]string `json:"labels,omitempty" jsonschema:"without session_id: labels that a session must have to be found, and that a new one gets; without them no session with labels is found"`
	Model          string            `json:"model,omitempty" jsonschema:"model of a new session, in the agent's own words; one that is found keeps its own"`
	Title          string            `json:"title,omitempty" jsonschema:"title of a new session"`
	NewSession     bool              `json:"new_session,omitempty" jsonschema:"create a session even where one could be found"`
	Behavior       string            `json:"streaming_behavior,omitempty" jsonschema:"while a turn runs. steer: the message goes into it; followUp (the default): it waits for its end"`
	IdempotencyKey string            `json:"idempotency_key,omitempty" jsonschema:"a call that is repeated with its key gets the same session and the same prompt, and never makes a second one; at most 128 bytes"`
	WaitMs         int               `json:"wait_ms,omitempty" minimum:"0" maximum:"110000" jsonschema:"wait so many milliseconds, at most 110000, for the answer to this message: it comes with this call, or a request that you may answer, or the error, or outcome working"`
	Notify         string            `json:"notify,omitempty" enum:"prompt" jsonschema:"prompt: go on with other work or end your turn; once this message is answered you get a prompt with the answer, unless you have read it by then. For an agent, or a session with a parent: that is told"`
	newMore
	ClientID    string        `json:"client_id,omitempty" jsonschema:"who asks, for the log"`
	MCP         bool          `json:"mcp,omitempty" jsonschema:"give the agent of a new session these tools: it can then start sessions that work for it; caller_tools implies it"`
	CallerID    string        `json:"caller_id,omitempty" jsonschema:"with caller_tools: who offers them; the agent sees each as CALLER_TOOL"`
	CallerTools []caller.Tool `json:"caller_tools,omitempty" jsonschema:"tools that you carry out for the agent, in the place of those that this caller_id offered before; an empty list withdraws them. A call comes as an event of type caller_tool_request; answer it with caller_tool_response"`
}

type imageInput struct {
	MediaType string `json:"media_type" jsonschema:"image/png, image/jpeg, image/gif or image/webp"`
	Data      []byte `json:"data" jsonschema:"the file, base64"`
}

func (s *messages) addMessage(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_message", Title: "Send a message to a session", Annotations: call.Changes,
		Description: "Sends a prompt to a session of a coding agent, which is found by session_id, or by agent, cwd and labels, and created where there is none. " +
			"With wait_ms it gives the answer to this very message; otherwise it answers at once, and session_join with prompt_id waits for the answer.",
	}, s.send)
}

func (s *messages) send(ctx context.Context, c *call.Call, in *messageInput) (output.Message, error) {
	p, err := in.prompt()
	if err != nil {
		return output.Message{}, err
	}
	if in.Notify != "" && in.SessionID == "" && in.Parent == "" && c.Who.Scope != access.Agent {
		return output.Message{}, control.NobodyToTell()
	}
	ask, err := s.waits.Inquire(ctx, c)
	if err != nil {
		return output.Message{}, err
	}
	if out, ok := ask.Before(); ok { // the client comes back with answers: the prompt is not sent again
		err := s.await(ctx, c, ask, in, &out)
		return out, err
	}
	offer, err := s.callers.OfferOf(c, in.CallerID, in.CallerTools)
	if err != nil {
		return output.Message{}, err
	}
	at, err := s.placeOf(ctx, c, in)
	if err != nil {
		return output.Message{}, err
	}
	id, spawned := at.ID, at.spawned
	var r session.Receipt
	var became *output.Fate
	if err = s.callers.OfferTo(ctx, id, offer); err == nil {
		r, err = s.prompted(ctx, id, p)
	}
	if err == nil {
		became, err = s.fates.of(ctx, id, &r)
	}
	if err != nil {
		if spawned {
			err = s.tell.MadeBefore(err, id)
		}
		return output.Message{}, err
	}
	out := output.Message{
		SessionID: id, Spawned: spawned, LastEventIndex: int(r.Cursor.Seq) - 1, PromptID: r.PromptID, Position: r.Position, Repeated: r.Repeated,
		Became:  became,
		Ignored: at.ignored(in),
	}
	since := r.Cursor.Seq
	if spawned {
		out.LastEventIndex, since = -1, 0
	}
	out.Push = s.pushes.Watch(c, id, since)
	if r.PromptID != "" && !task.Become(ctx, task.ID(id, r.PromptID)) {
		ask.Sent(&out)
		err = s.await(ctx, c, ask, in, &out)
	}
	return out, err
}

// await waits for what becomes of the prompt of a message, where the client wants that.
func (s *messages) await(ctx context.Context, c *call.Call, ask *join.Inquiry, in *messageInput, out *output.Message) error {
	if in.WaitMs == 0 {
		return nil
	}
	defer call.Waiting(ctx, c.CallToolRequest, "waiting for the answer")()
	j, err := s.waits.Open(ctx, ask, out.SessionID, out.PromptID)
	if err != nil {
		return err
	}
	defer func() { j.Close() }()
	if err := join.AwaitAll(ctx, []*join.Joined{j}, false, min(time.Duration(in.WaitMs)*time.Millisecond, maxJoin)); err != nil {
		return err
	}
	if !j.Resting {
		if err := j.Look(ctx); err != nil {
			return err
		}
	}
	s.waits.Waive(ctx, j)
	told := join.Output{Sessions: []join.SessionOutput{j.Output()}}
	told.Shorten()
	x := &told.Sessions[0]
	out.Result, out.Damage, out.RequestsLeftOut = x.Result, x.Damage, x.RequestsLeftOut
	if len(x.Requests) > 0 {
		out.Requests = x.Requests
	}
	if !j.Gone && j.Of.Outcome == output.Waiting {
		ask.Want(j.Feed.ID, j.Told.Requests)
	}
	return ask.Required()
}

// prompted sends a prompt, if there is one, and says from where to read on.
func (s *messages) prompted(ctx context.Context, id string, p Prompt) (session.Receipt, error) {
	if p.Text != "" || len(p.Images) > 0 {
		return s.backend.Prompt(ctx, id, p)
	}
	d, err := s.door.Describe(ctx, id)
	return session.Receipt{Cursor: d.Cursor()}, err
}

func (in *messageInput) prompt() (Prompt, error) {
	p := Prompt{Text: in.Message, ClientID: in.ClientID, IdempotencyKey: in.IdempotencyKey, Behavior: protocol.Behavior(in.Behavior), Notify: in.Notify}
	if p.ClientID == "" {
		p.ClientID = "mcp"
	}
	switch p.Behavior {
	case "", protocol.Steer, protocol.FollowUp:
	default:
		return p, problem.Invalid("streaming_behavior is steer or followUp.", "Leave it out to wait for the end of the running turn.")
	}
	if len(p.IdempotencyKey) > maxKey {
		return p, problem.Invalid("The "+protocol.TermIdempotencyKey+" cannot be used.", "Keys have at most 128 bytes.")
	}
	if err := checkNotify(in.Notify); err != nil {
		return p, err
	}
	if in.WaitMs < 0 {
		return p, problem.Invalid("wait_ms is 0 or more.", "Leave it out to be answered at once.")
	}
	if in.Message == "" && len(in.Images) == 0 && (in.SessionID == "" || in.CallerTools == nil) {
		return p, problem.Invalid("The message is empty.", "Send message, images or both.")
	}
	for _, i := range in.Images {
		p.Images = append(p.Images, Image(i))
	}
	return p, nil
}
