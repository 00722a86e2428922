package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type listInput struct {
	Agent  string            `json:"agent,omitempty"`
	Cwd    string            `json:"cwd,omitempty"`
	Status string            `json:"status,omitempty" jsonschema:"active (not ended), running, idle, completed or failed"`
	Labels map[string]string `json:"labels,omitempty" jsonschema:"all must match"`
	Parent string            `json:"parent_session_id,omitempty" jsonschema:"only those that work for this session"`
	Owner  string            `json:"owner,omitempty"`
	Text   string            `json:"text,omitempty" jsonschema:"part of the title, the folder or the id"`
	Limit  int               `json:"limit,omitempty" jsonschema:"1 to 200; default 50"`
	Cursor string            `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

type listOutput struct {
	Sessions   []sessionOutput `json:"sessions"`
	NextCursor string          `json:"next_cursor,omitempty" jsonschema:"there are more: pass it as cursor"`
	Total      int             `json:"total" jsonschema:"of all that match"`
}

func (s toolset) addSessionList() {
	addTool(s, &sdk.Tool{
		Name: "session_list", Title: "List sessions", Annotations: reads, Description: "Lists sessions, the newest first.",
	}, s.sessionList)
}

func (s *Service) sessionList(ctx context.Context, _ *call, in *listInput) (listOutput, error) {
	if in.Limit < 0 || in.Limit > 200 {
		return listOutput{}, invalid("limit is 1 to 200.", "Leave it out, and use next_cursor.")
	}
	q := supervisor.Query{Agent: in.Agent, Cwd: in.Cwd, Parent: in.Parent, Owner: in.Owner, Labels: in.Labels, Text: in.Text, Limit: in.Limit, After: in.Cursor}
	if q.Limit == 0 {
		q.Limit = 50
	}
	switch in.Status {
	case "":
	case "active":
		q.Active = new(true)
	case "running", "idle", "completed", "failed":
		for _, st := range states {
			if st.ItemStatus() == in.Status {
				q.States = append(q.States, st)
			}
		}
	default:
		return listOutput{}, invalid("There is no such status.", "status is active, running, idle, completed or failed.")
	}
	page, err := s.cfg.Backend.List(ctx, q)
	if err != nil {
		return listOutput{}, err
	}
	out := listOutput{Sessions: slices.Grow([]sessionOutput{}, len(page.Sessions)), NextCursor: page.Next, Total: page.Total}
	for i := range page.Sessions {
		out.Sessions = append(out.Sessions, sessionOf(&page.Sessions[i]))
	}
	return out, nil
}
