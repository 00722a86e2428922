package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type listInput struct {
	Agent  string            `json:"agent,omitempty" enum:"agents" jsonschema:"only sessions of this agent"`
	Cwd    string            `json:"cwd,omitempty" maxLength:"4096" jsonschema:"only sessions that work in this folder"`
	Status string            `json:"status,omitempty" enum:"active,ended,running,idle,completed,failed" jsonschema:"active: not ended; ended: completed or failed"`
	States []string          `json:"states,omitempty" enum:"states" maxItems:"20" jsonschema:"only sessions in one of these states, which are the status in detail"`
	Labels map[string]string `json:"labels,omitempty" jsonschema:"only sessions with all of these"`
	Parent string            `json:"parent_session_id,omitempty" jsonschema:"only those that work for this session"`
	Under  string            `json:"under,omitempty" jsonschema:"only those that work for this session, directly or for one that does"`
	Owner  string            `json:"owner,omitempty" maxLength:"128" jsonschema:"only those of this owner"`
	Text   string            `json:"text,omitempty" maxLength:"200" jsonschema:"part of the title, the folder or the id"`
	Limit  int               `json:"limit,omitempty" minimum:"1" maximum:"200" jsonschema:"at most so many; default 50. A page has fewer where they are long"`
	Cursor string            `json:"cursor,omitempty" maxLength:"500" jsonschema:"next_cursor of the page before"`
}

type listOutput struct {
	NextCursor string           `json:"next_cursor,omitempty" jsonschema:"there are more: pass it as cursor"`
	HasMore    bool             `json:"has_more" jsonschema:"there are more: pass next_cursor as cursor"`
	Total      int              `json:"total" jsonschema:"of all that match"`
	Sessions   []output.Session `json:"sessions" jsonschema:"newest first"`
}

func (o *listOutput) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d sessions, newest first", len(o.Sessions), o.Total)
	if o.HasMore {
		fmt.Fprintf(&b, "; for more: cursor %s", o.NextCursor)
	}
	b.WriteString(".\n")
	for i := range o.Sessions {
		b.WriteString(o.Sessions[i].Line() + "\n")
	}
	return b.String()
}

func (s *sessions) addList(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_list", Title: "List sessions", Annotations: call.Reads,
		Description: "Lists sessions of coding agents, the newest first: their ids, what each does, and where.",
	}, s.list)
}

func (s *sessions) list(ctx context.Context, _ *call.Call, in *listInput) (*listOutput, error) {
	if in.Limit < 0 || in.Limit > 200 {
		return nil, problem.Invalid("limit is 1 to 200.", "Leave it out, and use next_cursor.")
	}
	q := supervisor.Query{
		Agent: in.Agent, Cwd: in.Cwd, Parent: in.Parent, Under: in.Under, Owner: in.Owner, Labels: in.Labels, Text: in.Text, Limit: in.Limit, After: in.Cursor,
	}
	if q.Limit == 0 {
		q.Limit = 50
	}
	if err := in.states(&q); err != nil {
		return nil, err
	}
	for {
		page, err := s.backend.List(ctx, q)
		if err != nil {
			return nil, err
		}
		out := &listOutput{NextCursor: page.Next, HasMore: page.Next != "", Total: page.Total, Sessions: []output.Session{}}
		size := 0
		for i := range page.Sessions {
			o := output.SessionOf(&page.Sessions[i])
			if size += output.SizeOf(&o) + 1; size > output.MaxResult-output.MaxLine && i > 0 {
				break
			}
			out.Sessions = append(out.Sessions, o)
		}
		if len(out.Sessions) == len(page.Sessions) {
			return out, nil
		}
		q.Limit = len(out.Sessions) // once more, for the cursor of a page that is as long
	}
}

// states puts what is asked of the sessions' states into a query.
func (in *listInput) states(q *supervisor.Query) error {
	switch in.Status {
	case "":
	case "active", "ended":
		q.Active = new(in.Status == "active")
	case "running", "idle", "completed", "failed":
		for _, st := range output.States {
			if st.ItemStatus() == in.Status {
				q.States = append(q.States, st)
			}
		}
	default:
		return problem.Invalid("There is no such status.", "status is active, ended, running, idle, completed or failed.")
	}
	if len(in.States) == 0 {
		return nil
	}
	if q.States != nil {
		return problem.Invalid("status and states ask for the same.", "Give one of them.")
	}
	for _, name := range in.States {
		st := protocol.State(name)
		if !slices.Contains(output.States, st) {
			return problem.Invalid(fmt.Sprintf("There is no state %.40q.", name), "States are "+strings.Join(output.WordsOf(output.States), ", ")+".")
		}
		q.States = append(q.States, st)
	}
	return nil
}
