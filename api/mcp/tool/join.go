package tool

import (
	"context"
	"fmt"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/join"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type joinInput struct {
	SessionIDs []string `json:"session_ids,omitempty" maxItems:"64" jsonschema:"the sessions to wait for, 64 at most; an agent may leave it out: all its sessions that are at work"`
	PromptID   string   `json:"prompt_id,omitempty" jsonschema:"with one session: wait until this prompt is over, and give its answer and no other's"`
	Wait       string   `json:"wait,omitempty" jsonschema:"all (the default): until each has come to rest, or one needs an answer of yours; any: until the first has"`
	WaitMs     *int     `json:"wait_ms,omitempty" minimum:"0" maximum:"110000" jsonschema:"so many milliseconds at most, up to 110000; default 55000; 0 only looks"`
}

const (
	defaultJoin = 55 * time.Second
	maxJoin     = 110 * time.Second // less than what agents are told that a call may take
)

func (s *messages) addJoin(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_join", Title: "Wait for sessions", Annotations: call.Reads,
		Description: "Waits until all sessions, or any, have come to rest: idle with nothing in the queue, ended, or in need of an answer, for which nothing waits longer. " +
			"Gives the status, the final text and the error of each, and what it asks. Call it again while done is false.",
	}, s.join)
}

func (s *messages) join(ctx context.Context, c *call.Call, in *joinInput) (*join.Output, error) {
	wait, err := in.check()
	if err != nil {
		return nil, err
	}
	ids := in.SessionIDs
	if len(ids) == 0 {
		if ids, err = s.ownWork(ctx, c.Who); err != nil {
			return nil, err
		}
	}
	ask, err := s.waits.Inquire(ctx, c)
	if err != nil {
		return nil, err
	}
	defer call.Waiting(ctx, c.CallToolRequest, fmt.Sprintf("waiting for %d sessions", len(ids)))()
	list := make([]*join.Joined, 0, len(ids))
	defer func() {
		for _, j := range list {
			j.Close()
		}
	}()
	for _, id := range ids {
		j, err := s.waits.Open(ctx, ask, id, in.PromptID)
		if err != nil {
			return nil, err
		}
		list = append(list, j)
	}
	if err := join.AwaitAll(ctx, list, in.Wait == "any", wait); err != nil {
		return nil, err
	}
	out := &join.Output{Sessions: make([]join.SessionOutput, len(list))}
	rest := 0
	for i, j := range list {
		if !j.Resting {
			if err := j.Look(ctx); err != nil {
				return nil, err
			}
		}
		s.waits.Waive(ctx, j)
		if out.Sessions[i] = j.Output(); j.Resting {
			rest++
		}
	}
	out.Done = rest == len(list) || in.Wait == "any" && rest > 0
	if in.Wait != "any" || !slices.ContainsFunc(list, (*join.Joined).Done) {
		for _, j := range list {
			if !j.Gone {
				ask.Want(j.Feed.ID, j.Told.Requests)
			}
		}
	}
	out.Shorten()
	return out, ask.Required()
}

func (in *joinInput) check() (time.Duration, error) {
	if in.Wait != "" && in.Wait != "all" && in.Wait != "any" {
		return 0, problem.Invalid("There is no such wait.", "wait is all or any.")
	}
	if len(in.SessionIDs) > output.MaxFamily {
		return 0, problem.Invalid(fmt.Sprintf("That are more than %d sessions.", output.MaxFamily), "Wait for some of them first.")
	}
	if in.PromptID != "" && len(in.SessionIDs) != 1 {
		return 0, problem.Invalid("prompt_id goes with one session.", "Give session_ids with the session that the prompt is of, alone.")
	}
	for i, id := range in.SessionIDs {
		if err := problem.CheckID(id); err != nil {
			return 0, err
		}
		if slices.Contains(in.SessionIDs[:i], id) {
			return 0, problem.Invalid("A session is named twice.", "Name each once.")
		}
	}
	switch {
	case in.WaitMs == nil:
		return defaultJoin, nil
	case *in.WaitMs < 0:
		return 0, problem.Invalid("wait_ms is 0 or more.", "Leave it out to wait as long as usual.")
	}
	return min(time.Duration(*in.WaitMs)*time.Millisecond, maxJoin), nil
}

// ownWork are the sessions that an agent has made and that are at work; where none is, those that have not ended.
func (s *messages) ownWork(ctx context.Context, who *access.Principal) ([]string, error) {
	if who.Scope != access.Agent {
		return nil, problem.Invalid("No session is named.", "Give session_ids; session_list lists the sessions.")
	}
	page, err := s.backend.List(ctx, supervisor.Query{Parent: who.Session, Active: new(true), Limit: output.MaxFamily})
	if err != nil {
		return nil, err
	}
	var all, busy []string
	for i := range page.Sessions {
		x := &page.Sessions[i]
		all = append(all, x.ID)
		if x.Status.State.Busy() || x.Status.State == protocol.StateStarting {
			busy = append(busy, x.ID)
		}
	}
	switch {
	case len(busy) > 0:
		return busy, nil
	case len(all) == 0:
		return nil, problem.Invalid("No session works for you that has not ended.",
			"session_list has those that have; session_message or session_create starts one.")
	}
	return all, nil
}
