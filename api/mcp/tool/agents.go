package tool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// agents are those that the daemon has.
type agents struct{ backend Backend }

type agentsInput struct {
	Agent  string `json:"agent,omitempty" enum:"agents" jsonschema:"this agent alone, with more of its models"`
	Cwd    string `json:"cwd,omitempty" jsonschema:"a folder inside the roots: what the agents have there of their own is listed as well"`
	Cursor string `json:"cursor,omitempty" jsonschema:"with agent: next_cursor of the call before, for further models"`
}

type agentsOutput struct {
	NextCursor string        `json:"next_cursor,omitempty" jsonschema:"there are more models: pass it as cursor, with agent"`
	HasMore    bool          `json:"has_more,omitempty" jsonschema:"there are more models than these: call with agent, and then with cursor"`
	Roots      []string      `json:"roots" jsonschema:"sessions may work inside these folders: cwd is one of them or a folder below"`
	Agents     []agentOutput `json:"agents"`

	NativeSessions []nativeOutput `json:"native_sessions,omitempty" jsonschema:"with cwd: sessions of the agents' own, the newest first, at most 20"`
}

type nativeOutput struct {
	Agent   string `json:"agent"`
	ID      string `json:"native_session_id" jsonschema:"give it to session_create, with agent and cwd, to go on with it"`
	Title   string `json:"title,omitempty"`
	Updated string `json:"updated" jsonschema:"RFC 3339"`
}

type agentOutput struct {
	Name        string         `json:"name" jsonschema:"give it as agent"`
	Available   bool           `json:"available" jsonschema:"sessions can be created with it"`
	Version     string         `json:"version,omitempty"`
	Problem     string         `json:"problem,omitempty" jsonschema:"why it cannot be used"`
	Hint        string         `json:"hint,omitempty" jsonschema:"what mends it"`
	Steer       bool           `json:"steer" jsonschema:"takes messages into a running turn"`
	Images      bool           `json:"images" jsonschema:"takes images in messages"`
	Questions   bool           `json:"questions" jsonschema:"may ask something"`
	MCP         bool           `json:"mcp" jsonschema:"can be given these tools (mcp), and so be offered caller_tools"`
	Attach      bool           `json:"attach" jsonschema:"can be attached to where it runs already (endpoint)"`
	Resume      bool           `json:"resume" jsonschema:"goes on with its own sessions (native_session_id)"`
	SubAgents   bool           `json:"sub_agents" jsonschema:"has sub-agents, which are sessions of their own"`
	Approvals   []string       `json:"approvals" jsonschema:"the answers to approvals that it takes"`
	SetModel    bool           `json:"set_model" jsonschema:"its model can be changed while it runs (session_change)"`
	SetMode     bool           `json:"set_mode" jsonschema:"so can its mode"`
	ModelsKnown bool           `json:"models_known" jsonschema:"false: no session of it has told since the daemon was started; leave model out, or give one that you know"`
	Models      []choiceOutput `json:"models,omitempty" jsonschema:"what model may be, as a session of it has told"`
	ModelsTotal int            `json:"models_total,omitempty" jsonschema:"so many models it has told of"`
	AllModels   bool           `json:"all_models,omitempty" jsonschema:"it takes no others"`
	ModesKnown  bool           `json:"modes_known" jsonschema:"false: likewise of modes"`
	Modes       []choiceOutput `json:"modes,omitempty" jsonschema:"what mode may be; it takes no others"`
}

type choiceOutput struct {
	ID    string `json:"id" jsonschema:"in the agent's own words"`
	Label string `json:"label,omitempty" jsonschema:"for people"`
}

func (o *agentsOutput) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cwd may be inside: %s\n", strings.Join(o.Roots, ", "))
	for i := range o.Agents {
		a := &o.Agents[i]
		if !a.Available {
			fmt.Fprintf(&b, "%s: cannot be used: %s %s\n", a.Name, a.Problem, a.Hint)
			continue
		}
		var can []string
		for _, x := range []struct {
			is   bool
			word string
		}{
			{a.Steer, "steer"},
			{a.Images, "images"},
			{a.Questions, "questions"},
			{a.MCP, "mcp"},
			{a.Attach, "endpoint"},
			{a.Resume, "native_session_id"},
			{a.SubAgents, "sub-agents"},
			{a.SetModel, "another model while it runs"},
			{a.SetMode, "another mode while it runs"},
		} {
			if x.is {
				can = append(can, x.word)
			}
		}
		fmt.Fprintf(&b, "%s %s: %s; approvals: %s\n", a.Name, a.Version, strings.Join(can, ", "), cmp.Or(strings.Join(a.Approvals, ", "), "none"))
		writeChoices(&b, "models", a.ModelsKnown, a.Models, a.ModelsTotal)
		writeChoices(&b, "modes", a.ModesKnown, a.Modes, len(a.Modes))
	}
	for _, n := range o.NativeSessions {
		fmt.Fprintf(&b, "%s has %s: %s, of %s\n", n.Agent, n.ID, n.Title, n.Updated)
	}
	switch {
	case o.NextCursor != "":
		fmt.Fprintf(&b, "More models: call again with agent and cursor %s.\n", o.NextCursor)
	case o.HasMore:
		b.WriteString("More models of an agent: call again with agent.\n")
	}
	return b.String()
}

func writeChoices(b *strings.Builder, what string, known bool, list []choiceOutput, total int) {
	if !known {
		fmt.Fprintf(b, "  %s: not known yet\n", what)
		return
	}
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	fmt.Fprintf(b, "  %s: %s", what, cmp.Or(strings.Join(ids, ", "), "none"))
	if more := total - len(list); more > 0 {
		fmt.Fprintf(b, " and %d more", more)
	}
	b.WriteByte('\n')
}

func (s *agents) addList(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "agent_list", Title: "List the coding agents", Annotations: call.Reads,
		Description: "Lists the coding agents that can work for you, with all that session_create and session_message need: names, folders (roots), models, modes, and what each can do.",
	}, s.list)
}

// list lists the agents and, of a folder, the newest of what they have there of their own.
func (s *agents) list(ctx context.Context, c *call.Call, in *agentsInput) (*agentsOutput, error) {
	out, err := s.only(ctx, c, in)
	if err != nil || in.Cwd == "" {
		return out, err
	}
	list, err := s.backend.NativeSessions(ctx, in.Agent, in.Cwd)
	if err != nil {
		return nil, err
	}
	for _, n := range list[:min(len(list), maxNative)] {
		out.NativeSessions = append(out.NativeSessions, nativeOutput{Agent: n.Agent, ID: n.ID, Title: n.Title, Updated: n.Updated.UTC().Format(time.RFC3339)})
	}
	return out, nil
}

// maxNative is how many sessions of the agents' own are listed.
const maxNative = 20

func (s *agents) only(ctx context.Context, _ *call.Call, in *agentsInput) (*agentsOutput, error) {
	if in.Cursor != "" && in.Agent == "" {
		return nil, problem.Invalid("cursor goes with agent.", "Give agent as well.")
	}
	list, err := s.backend.Agents(ctx)
	if err != nil {
		return nil, err
	}
	roots, err := s.backend.Roots(ctx)
	if err != nil {
		return nil, err
	}
	if in.Agent == "" {
		few := roots[:min(len(roots), 10)]
		return output.FirstThatFits(agentsView(list, roots, 30), agentsView(list, roots, 10), agentsView(list, few, 3), agentsView(list, few, 0)), nil
	}
	i := slices.IndexFunc(list, func(a supervisor.AgentInfo) bool { return a.Name == in.Agent })
	if i < 0 {
		return nil, &protocol.Problem{
			Code: protocol.CodeAgentNotFound, Detail: "There is no agent of this name.", Hint: "Leave agent out: agent_list lists all.",
		}
	}
	return oneAgent(&list[i], roots, in.Cursor)
}

// agentsView shows agents with so many models and modes of each.
func agentsView(list []supervisor.AgentInfo, roots []string, n int) func() *agentsOutput {
	return func() *agentsOutput {
		o := &agentsOutput{Roots: append([]string{}, roots...), Agents: []agentOutput{}}
		for i := range list {
			a := agentOf(&list[i], list[i].Offers.Models, n)
			o.HasMore = o.HasMore || len(a.Models) < a.ModelsTotal
			o.Agents = append(o.Agents, a)
		}
		return o
	}
}

// oneAgent shows an agent with as many of its models as a result holds, from one on.
func oneAgent(info *supervisor.AgentInfo, roots []string, from string) (*agentsOutput, error) {
	models, first := info.Offers.Models, 0
	if from != "" {
		if first = slices.IndexFunc(models, func(c session.Choice) bool { return c.ID == from }); first < 0 {
			return nil, problem.Invalid("The model that the page begins with is not offered any more.", "Leave cursor out, to begin with the first.")
		}
	}
	o := &agentsOutput{Roots: append([]string{}, roots...)}
	for n := 256; ; n /= 2 {
		o.NextCursor = ""
		o.Agents = []agentOutput{agentOf(info, models[first:], n)}
		if end := first + n; end < len(models) {
			o.NextCursor = models[end].ID
		}
		if o.HasMore = o.NextCursor != ""; n <= 1 || output.SizeOf(o) <= output.MaxResult {
			return o, nil
		}
	}
}

func agentOf(info *supervisor.AgentInfo, models []session.Choice, n int) agentOutput {
	c, i, offers := &info.Capabilities, &info.Installation, &info.Offers
	return agentOutput{
		Name: info.Name, Available: i.Program != "" && i.Problem == "", Version: i.Version, Problem: i.Problem, Hint: i.Hint,
		Steer: c.Steer, Images: c.Images, Questions: c.Questions, MCP: c.MCP, Attach: c.Attach, Resume: c.Resume, SubAgents: c.SubAgents,
		Approvals: append([]string{}, c.Approvals...), SetModel: c.Models, SetMode: c.Modes,
		ModelsKnown: offers.KnownModels, Models: choicesOf(models, n), ModelsTotal: len(offers.Models), AllModels: offers.AllModels,
		ModesKnown: offers.KnownModes, Modes: choicesOf(offers.Modes, max(n, 10)),
	}
}

func choicesOf(list []session.Choice, n int) (out []choiceOutput) {
	for _, c := range list[:min(n, len(list))] {
		o := choiceOutput{ID: c.ID, Label: output.Brief(c.Label, output.MaxLine)}
		if o.Label == o.ID {
			o.Label = ""
		}
		out = append(out, o)
	}
	return out
}
