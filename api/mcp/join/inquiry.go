package join

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Inquiry is what the user of the client of one call is asked while the call waits: in the old era by forms on the stream of the call, in the
// new one by answering that input is required, upon which the client calls again. A client that has declared no elicitation is asked nothing:
// its result says what waits.
type Inquiry struct {
	of     *Waits
	call   *call.Call
	client *client.Client // of the old era; nil: cannot be asked so
	modern bool           // can be asked in the way of the new era
	state  inquiryState
	asked  map[string]*protocol.RequestOpened // in the new era: what is to be asked, by session and request
	form   func(id string, r *protocol.RequestOpened) (*sdk.ElicitParams, error)
}

// inquiryState is what a client of the new era carries from one round of a call to the next. There is nothing in it that the client could not
// say in the arguments: it is checked as those are, and needs no seal, which would not outlive the daemon.
type inquiryState struct {
	Call    []byte   `json:"call"`              // a sum of the tool and its arguments
	Task    string   `json:"task,omitempty"`    // the prompt that the first round has sent
	Last    int      `json:"last,omitempty"`    // its last_event_index
	Spawned bool     `json:"spawned,omitempty"` // it made the session
	Closed  []string `json:"closed,omitempty"`  // requests that the user has closed without an answer
}

const maxInquiryState = 16 << 10

// Inquire begins a call that can ask, and passes on what the user has answered in the round before.
func (s *Waits) Inquire(ctx context.Context, c *call.Call) (*Inquiry, error) {
	q := &Inquiry{of: s, call: c, asked: map[string]*protocol.RequestOpened{}}
	q.state.Call = sumOf(c)
	q.form = func(id string, r *protocol.RequestOpened) (*sdk.ElicitParams, error) {
		return s.requests.Form(ctx, id, r)
	}
	switch {
	case !c.Who.Writes() || c.Who.Scope == access.Agent: // an agent's user is asked by the agent's own session
		return q, nil
	case !c.Modern():
		if x := s.client(c); x != nil && x.Forms.Can() {
			q.client = x
		}
		return q, nil
	}
	q.modern = task.DeclaresForms(c.Params.GetMeta())
	if err := q.restore(c.Params.RequestState); err != nil {
		return nil, err
	}
	for key, response := range c.Params.InputResponses {
		if err := q.take(ctx, key, response); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func sumOf(c *call.Call) []byte {
	var arguments any
	_ = json.Unmarshal(c.Params.Arguments, &arguments) // the handler has decoded them
	sorted, err := json.Marshal(arguments)
	if err != nil {
		sorted = c.Params.Arguments // what was decoded always encodes
	}
	sum := sha256.Sum256(append([]byte(c.Params.Name+"\n"), sorted...))
	return sum[:12]
}

func (q *Inquiry) restore(text string) error {
	if text == "" {
		return nil
	}
	var state inquiryState
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &state)
	}
	if err != nil || len(text) > maxInquiryState || !slices.Equal(state.Call, q.state.Call) {
		return problem.Invalid("The requestState is of another call.",
			"Repeat the call as it was, with the requestState that it was answered with; or call anew, without one.")
	}
	q.state = state
	return nil
}

// take passes one response on. That somebody else was first is no error.
func (q *Inquiry) take(ctx context.Context, key string, response sdk.InputResponse) error {
	sessionID, requestID, _ := strings.Cut(key, "/")
	res, ok := response.(*sdk.ElicitResult)
	if !ok || res == nil {
		return problem.Invalid("The response to "+protocol.Head(key, task.MaxAsked)+" is no result of an elicitation.",
			"Answer with action accept, decline or cancel.")
	}
	if err := problem.CheckID(sessionID); err != nil {
		return err
	}
	d, err := q.of.door.Describe(ctx, sessionID)
	if err != nil {
		return err
	}
	for i := range d.Requests {
		r := &d.Requests[i]
		if r.RequestID == requestID && form.Formed(r) && !q.of.requests.Answer(ctx, sessionID, r, res) {
			q.state.Closed = append(q.state.Closed, key)
		}
	}
	return nil
}

// Sent notes the prompt that the call has sent: a further round must not send it again.
func (q *Inquiry) Sent(out *output.Message) {
	q.state.Task, q.state.Last, q.state.Spawned = task.ID(out.SessionID, out.PromptID), out.LastEventIndex, out.Spawned
}

// Before is what an earlier round of the call has sent. It is the client's word: who reads of it asks the gate.
func (q *Inquiry) Before() (out output.Message, ok bool) {
	out = output.Message{LastEventIndex: q.state.Last, Spawned: q.state.Spawned, Push: output.PushUnavailable}
	out.SessionID, out.PromptID, ok = task.ParseID(q.state.Task)
	return out, ok
}

// see asks what is open in a session, where that can be asked in the old era.
func (q *Inquiry) see(ctx context.Context, sessionID string, at protocol.Cursor, open []protocol.RequestOpened) {
	if q.client != nil && slices.ContainsFunc(open, func(r protocol.RequestOpened) bool { return form.Formed(&r) }) {
		q.client.Forms.Show(ctx, sessionID, at, open)
		q.of.asks(q.client, sessionID) // takes the forms away when they are answered elsewhere
	}
}

// asks says that the user is being asked a request, or that the log has more to say of it, so that the call can wait on.
func (q *Inquiry) asks(sessionID string, at protocol.Cursor, r *protocol.RequestOpened) bool {
	return q.client != nil && q.client.Forms.Shows(sessionID, at, r)
}

// changed is done when asks may have become another; it never is where nothing is asked.
func (q *Inquiry) changed() context.Context {
	if q.client == nil {
		return context.Background()
	}
	return q.client.Forms.Next()
}

// Want notes what is open in a session, to be asked by the answer of the call.
func (q *Inquiry) Want(sessionID string, open []protocol.RequestOpened) {
	for i := range open {
		if r := &open[i]; q.wants(sessionID, r) && len(q.asked) < form.MaxForms && !q.twice(sessionID, r) {
			q.asked[sessionID+"/"+r.RequestID] = r
		}
	}
}

// wants says that a request can be asked by the answer of the call, and was not closed.
func (q *Inquiry) wants(sessionID string, r *protocol.RequestOpened) bool {
	return q.modern && form.Formed(r) && form.Answerable(q.call.Who, r.Kind) && !slices.Contains(q.state.Closed, sessionID+"/"+r.RequestID)
}

// twice says that a request is asked already, as it stands in the log of another session.
func (q *Inquiry) twice(sessionID string, r *protocol.RequestOpened) bool {
	for key, x := range q.asked {
		at, _, _ := strings.Cut(key, "/")
		if form.KeyOf(at, x) == form.KeyOf(sessionID, r) {
			return true
		}
	}
	return false
}

// Required is the answer of a call that needs input, as an error; nil: there is nothing to ask.
func (q *Inquiry) Required() error {
	if len(q.asked) == 0 {
		return nil
	}
	state, err := json.Marshal(q.state)
	if err != nil {
		return err
	}
	need := &call.InputRequiredError{Requests: sdk.InputRequestMap{}, State: base64.RawURLEncoding.EncodeToString(state)}
	for key, r := range q.asked {
		id, _, _ := strings.Cut(key, "/")
		form, err := q.form(id, r)
		if err != nil {
			return err
		}
		need.Requests[key] = form
	}
	return need
}
