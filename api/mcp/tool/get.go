package tool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// named is the input of tools that need a session and nothing else.
type named struct {
	SessionID string `json:"session_id" jsonschema:"the session, as session_message or session_list gives it"`
}

// About is for calls with a key.
func (in *named) About() call.About { return call.About{Session: in.SessionID} }

// namedOnce names a session that something is done with.
type namedOnce struct {
	named
	call.Once
}

type getInput struct {
	SessionID string `json:"session_id" jsonschema:"the session, as session_message or session_list gives it"`
	RequestID string `json:"request_id,omitempty" jsonschema:"of what is open, show this request alone, with more of its text"`
}

type getOutput struct {
	output.Session
	Policy        *protocol.Policy `json:"policy,omitempty" jsonschema:"what answers approvals; absent: a person is asked"`
	PromptsTotal  int              `json:"prompts_total" jsonschema:"so many prompts wait; session_prompts has them all"`
	RequestsTotal int              `json:"requests_total" jsonschema:"so many requests are open"`
	Requests      []output.Request `json:"requests" jsonschema:"that wait for session_answer, or for caller_tool_response: the first of them, where there are many"`
	Prompts       []output.Prompt  `json:"prompts" jsonschema:"that wait: the first of them"`
	Usage         usageOutput      `json:"usage" jsonschema:"of all requests to models, added up"`
	CostUSD       float64          `json:"cost_usd" jsonschema:"as the agent says, or as the daemon estimates by its prices"`
	EstimatedUSD  float64          `json:"estimated_usd,omitempty" jsonschema:"the part of the cost that is an estimate"`
	ToolCalls     int64            `json:"tool_calls" jsonschema:"that have ended"`
	Children      int64            `json:"children" jsonschema:"sessions that were made to work for it"`
	WorkMs        int64            `json:"work_ms" jsonschema:"milliseconds at work, up to the newest event"`
	Budget        *budgetInput     `json:"budget,omitempty" jsonschema:"what it may use; absent: no limits of its own"`
	Marks         []mark           `json:"marks,omitempty" jsonschema:"limits that are near or reached, of its own budget and of those above it"`
	RulesLeftOut  int              `json:"rules_left_out,omitempty" jsonschema:"so many rules more the policy has"`
}

type usageOutput struct {
	InputTokens  int64 `json:"input_tokens" jsonschema:"all input, cached included"`
	CachedTokens int64 `json:"cached_input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	TotalTokens  int64 `json:"total_tokens"`
}

func usageOf(u protocol.Usage) usageOutput {
	return usageOutput{u.InputTokens, u.CachedInputTokens, u.OutputTokens, u.TotalTokens}
}

func (o *getOutput) Words() string {
	var b strings.Builder
	b.WriteString(o.Line() + "\n")
	if p := o.Policy; p != nil {
		fmt.Fprintf(&b, "policy: mode %s, %d rules\n", cmp.Or(string(p.Mode), "ask"), len(p.Rules)+o.RulesLeftOut)
	}
	if o.RequestsTotal > 0 {
		fmt.Fprintf(&b, "%d requests are open:\n", o.RequestsTotal)
	}
	for i := range o.Requests {
		o.Requests[i].Lines(&b)
	}
	if o.PromptsTotal > 0 {
		fmt.Fprintf(&b, "%d prompts wait:\n", o.PromptsTotal)
	}
	for i := range o.Prompts {
		o.Prompts[i].Line(&b)
	}
	fmt.Fprintf(&b, "used: %d tokens in (%d of them cached), %d out, %.4f USD\n", o.Usage.InputTokens, o.Usage.CachedTokens, o.Usage.OutputTokens, o.CostUSD)
	writeMarks(&b, o.Marks)
	return b.String()
}

func (s *sessions) addGet(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_get", Title: "Look at a session", Annotations: call.Reads,
		Description: "Shows a session: what it is, what it does, which prompts wait, what somebody has to answer, and what it has used. What its agent said is in session_join and session_events.",
	}, func(ctx context.Context, _ *call.Call, in *getInput) (*getOutput, error) {
		if err := problem.CheckID(in.SessionID); err != nil {
			return nil, err
		}
		d, err := s.door.Describe(ctx, in.SessionID)
		if err != nil {
			return nil, err
		}
		if in.RequestID != "" {
			d.Requests = slices.DeleteFunc(slices.Clone(d.Requests), func(r protocol.RequestOpened) bool { return r.RequestID != in.RequestID })
			if len(d.Requests) == 0 {
				return nil, &protocol.Problem{
					Code: protocol.CodeRequestNotFound, Detail: "No such request is open.", Hint: "Leave request_id out: session_get lists what is open.",
				}
			}
			d.Queue = nil
		}
		return look(&d), nil
	})
}

// look shows a session with as much of what waits as a result holds.
func look(d *session.Description) *getOutput {
	view := func(prompts, requests, text int) func() *getOutput {
		return func() *getOutput {
			o := &getOutput{
				Session: output.SessionOf(&d.Summary), PromptsTotal: len(d.Queue), RequestsTotal: len(d.Requests),
				Requests: output.RequestsOf(d.Requests[:min(requests, len(d.Requests))]),
				Prompts:  output.PromptsOf(d.Queue[:min(prompts, len(d.Queue))], min(text, output.MaxLine)),
				Usage:    usageOf(d.Usage()), CostUSD: d.Cost, EstimatedUSD: float64(d.Spent.EstimatedMicros) / 1e6,
				ToolCalls: d.Spent.ToolCalls, Children: d.Spent.Children, WorkMs: d.Spent.WorkMs,
				Budget: budgetOf(&d.Summary), Marks: marksOf(&d.Summary, prompts),
			}
			for i := range o.Requests {
				o.Requests[i].Shorten(text)
			}
			if p := d.Policy; p != nil {
				rules := min(requests, len(p.Rules))
				short := *p
				short.Rules, o.Policy, o.RulesLeftOut = p.Rules[:rules:rules], &short, len(p.Rules)-rules
			}
			if text < output.MinText {
				o.Session.Shorten(4 * text)
			}
			return o
		}
	}
	return output.FirstThatFits(view(20, 20, 4096), view(10, 10, 1024), view(5, 10, 256), view(2, 3, 128), view(0, 1, 64), view(0, 1, 32), view(0, 1, 8))
}
