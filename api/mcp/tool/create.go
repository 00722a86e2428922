package tool

import (
	"cmp"
	"context"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// sessions are made, looked at, changed and ended.
type sessions struct {
	backend Backend
	door    *control.Door
	tell    *problem.Teller
	fates   fates
	now     func() time.Time
}

// newMore is what may be said of a new session besides what a session is found by. HTTP's createSession takes the same.
type newMore struct {
	Mode            string         `json:"mode,omitempty" maxLength:"256" jsonschema:"mode of a new session, in the agent's own words (modes in agent_list); absent: the agent's own"`
	Policy          *policyInput   `json:"policy,omitempty" jsonschema:"of a new session: what answers approvals; absent: a person is asked, or you by session_answer"`
	Budget          *budgetInput   `json:"budget,omitempty" jsonschema:"of a new session: what it may use; absent: whatever it needs, inside the budgets above it"`
	Parent          string         `json:"parent_session_id,omitempty" maxLength:"36" jsonschema:"of a new session: the session that it works for; that of an agent works for the agent's own"`
	NativeSessionID string         `json:"native_session_id,omitempty" maxLength:"256" jsonschema:"of a new session: the agent's own id of a session to go on with (resume in agent_list)"`
	Endpoint        *endpointInput `json:"endpoint,omitempty" jsonschema:"of a new session: where the agent runs already (attach in agent_list); absent: it is started"`
}

type endpointInput struct {
	URL      string `json:"url" maxLength:"2048" jsonschema:"http, https, ws, wss or unix, as the agent listens; on this machine, or a host that the daemon allows"`
	Username string `json:"username,omitempty" maxLength:"1024" jsonschema:"where the agent wants one"`
	Password string `json:"password,omitempty" maxLength:"1024" jsonschema:"kept in the daemon's data folder, for going on after a restart"`
}

// into puts it into a session that is wanted.
func (in *newMore) into(n *supervisor.NewSession) (err error) {
	n.Mode, n.ParentID, n.NativeSessionID, n.Via = in.Mode, in.Parent, in.NativeSessionID, protocol.ViaMCP
	if e := in.Endpoint; e != nil {
		n.Endpoint = &supervisor.Endpoint{URL: e.URL, Username: e.Username, Password: e.Password}
	}
	if n.Budget, err = in.Budget.budget(); err != nil {
		return err
	}
	n.Policy, err = in.Policy.policy()
	return err
}

type createInput struct {
	Agent  string            `json:"agent" enum:"agents" jsonschema:"the agent that works (agent_list)"`
	Cwd    string            `json:"cwd,omitempty" maxLength:"4096" jsonschema:"absolute path of the folder to work in, inside the roots of agent_list; an agent may leave it out: its own"`
	Prompt string            `json:"prompt,omitempty" maxLength:"1048576" jsonschema:"the first message, if there is one already"`
	Images []imageInput      `json:"images,omitempty" maxItems:"8" jsonschema:"pictures of the first message"`
	Notify string            `json:"notify,omitempty" enum:"prompt" jsonschema:"prompt: once the first message is answered you get a prompt with the answer, unless you have read it by then. For an agent, or a session with a parent: that is told"`
	Model  string            `json:"model,omitempty" maxLength:"256" jsonschema:"in the agent's own words (models in agent_list); absent: the agent's own"`
	Title  string            `json:"title,omitempty" maxLength:"500" jsonschema:"what people see in lists; absent: the agent's own, where it gives one"`
	Labels map[string]string `json:"labels,omitempty" jsonschema:"to find it by. At most 64, keys of at most 128 bytes and without a colon, values of at most 1024"`
	newMore
	Key      string `json:"idempotency_key,omitempty" maxLength:"128" jsonschema:"the same key never makes a second session, nor a second turn in it, also when this call is repeated"`
	ClientID string `json:"client_id,omitempty" maxLength:"128" jsonschema:"who asks, for the log"`
	MCP      bool   `json:"mcp,omitempty" jsonschema:"give its agent these tools: it can then start sessions that work for it, and be offered caller_tools. Not every agent can (mcp in agent_list)"`
}

type createOutput struct {
	output.Session
	PromptID       string       `json:"prompt_id,omitempty" jsonschema:"of the first message"`
	LastEventIndex *int         `json:"last_event_index,omitempty" jsonschema:"pass it as since_index to session_events to read what the first message makes"`
	Repeated       bool         `json:"repeated,omitempty" jsonschema:"the idempotency key was used before: this is the session that it made then, as it is now"`
	Became         *output.Fate `json:"became,omitempty" jsonschema:"with repeated: what became of the first message"`
}

func (o *createOutput) Words() string {
	text := "Created: " + o.Line()
	if o.Repeated {
		text = "Created before, with this key: " + o.Line()
	}
	if o.PromptID == "" {
		return text + "\nsession_message gives it work."
	}
	return text + fmt.Sprintf("\nIts first message is %s%s: session_join waits for the answer.", o.PromptID, o.Became.Words())
}

func (s *sessions) addCreate(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_create", Title: "Create a session", Annotations: call.Changes,
		Description: "Starts another coding agent in a session of its own, with a first message or without. Waits a moment for the agent, and says why it could not be started. " +
			"session_message creates a session by itself where there is none.",
	}, s.create)
}

func (s *sessions) create(ctx context.Context, c *call.Call, in *createInput) (*createOutput, error) {
	p := Prompt{Text: in.Prompt, ClientID: cmp.Or(in.ClientID, "mcp"), IdempotencyKey: in.Key, Notify: in.Notify}
	if err := checkNotify(in.Notify); err != nil {
		return nil, err
	}
	if in.Notify != "" && in.Parent == "" && c.Who.Scope != access.Agent {
		return nil, control.NobodyToTell()
	}
	for _, i := range in.Images {
		p.Images = append(p.Images, Image(i))
	}
	want := supervisor.NewSession{
		Agent: in.Agent, Cwd: in.Cwd, Model: in.Model, Title: in.Title, Labels: in.Labels, MCP: in.MCP, Key: supervisor.Key{Name: in.Key},
	}
	if err := in.newMore.into(&want); err != nil {
		return nil, err
	}
	prompted := p.Text != "" || len(p.Images) > 0
	if prompted {
		want.Key.Body = supervisor.BodyOf([]any{in.Prompt, in.Images})
	}
	made, err := s.backend.Create(ctx, want)
	if err != nil {
		return nil, err
	}
	out := &createOutput{Repeated: made.Repeated}
	if prompted {
		r, err := s.backend.Prompt(ctx, made.ID, p)
		if err != nil {
			return nil, s.tell.MadeBefore(err, made.ID)
		}
		out.PromptID, out.LastEventIndex = r.PromptID, new(int(r.Cursor.Seq)-1)
		if out.Became, err = s.fates.of(ctx, made.ID, &r); err != nil {
			return nil, s.tell.MadeBefore(err, made.ID)
		}
	}
	d, err := s.backend.Started(ctx, &made)
	if err != nil {
		return nil, s.tell.MadeBefore(err, made.ID)
	}
	out.Session = output.SessionOf(&d.Summary)
	return out, nil
}
