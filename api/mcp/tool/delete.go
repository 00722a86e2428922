package tool

import (
	"context"
	"fmt"
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

type deleteOutput struct {
	SessionID string `json:"session_id"`
	Deleted   bool   `json:"deleted"`
}

func (o deleteOutput) Words() string { return "Deleted: " + o.SessionID + "." }

func (s *sessions) addDelete(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_delete", Title: "Delete a session", Annotations: call.Destroys,
		Description: "Removes a session with its log, for good, and the sessions of its sub-agents and of those that its agent made; ends them first where they have not ended. session_end leaves the log.",
	}, func(ctx context.Context, _ *call.Call, in *namedOnce) (deleteOutput, error) {
		if err := problem.CheckID(in.SessionID); err != nil {
			return deleteOutput{}, err
		}
		return deleteOutput{in.SessionID, true}, s.backend.Delete(ctx, in.SessionID)
	})
}

type cleanupInput struct {
	MaxAgeHours *float64          `json:"max_age_hours,omitempty" minimum:"0" jsonschema:"only sessions whose newest event is older than so many hours; default 24; 0: all that have ended"`
	Agent       string            `json:"agent,omitempty" enum:"agents" jsonschema:"only sessions of this agent"`
	Cwd         string            `json:"cwd,omitempty" maxLength:"4096" jsonschema:"only sessions that work in this folder"`
	Labels      map[string]string `json:"labels,omitempty" jsonschema:"only sessions with all of these"`
	Under       string            `json:"under,omitempty" jsonschema:"only those that work for this session, directly or for one that does"`
	DryRun      bool              `json:"dry_run,omitempty" jsonschema:"only say which sessions it would be"`
	call.Once
}

// About is for calls with a key.
func (in *cleanupInput) About() call.About {
	return call.About{LookAt: "session_list", Reads: in.DryRun}
}

type cleanupOutput struct {
	Deleted    int      `json:"deleted" jsonschema:"so many sessions were removed"`
	HasMore    bool     `json:"has_more" jsonschema:"there are more: call again"`
	SessionIDs []string `json:"session_ids" jsonschema:"those that were removed, or that would be"`
	Failed     []string `json:"failed,omitempty" jsonschema:"those that could not be removed, and why"`
}

func (o *cleanupOutput) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Deleted: %d sessions.", o.Deleted)
	if o.Deleted == 0 && len(o.SessionIDs) > 0 {
		fmt.Fprintf(&b, " It would be these %d.", len(o.SessionIDs))
	}
	if o.HasMore {
		b.WriteString(" There are more: call again.")
	}
	for _, id := range o.SessionIDs {
		b.WriteString("\n" + id)
	}
	for _, why := range o.Failed {
		b.WriteString("\nnot deleted: " + why)
	}
	return b.String()
}

// maxCleanup is how many sessions one call removes: clients give up on calls that take long.
const maxCleanup = 100

func (s *sessions) addCleanup(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_cleanup", Title: "Remove old sessions", Annotations: call.Destroys,
		Description: "Removes sessions that have ended, with their logs, for good: those that are old, at most 100 in one call. A session that has not ended is never removed.",
	}, s.cleanup)
}

func (s *sessions) cleanup(ctx context.Context, _ *call.Call, in *cleanupInput) (*cleanupOutput, error) {
	age := 24.0
	if in.MaxAgeHours != nil {
		if age = *in.MaxAgeHours; age < 0 || age > maxAgeHours {
			return nil, problem.Invalid("max_age_hours is 0 or more.", "Leave it out for a day.")
		}
	}
	before := s.now().Add(-time.Duration(age * float64(time.Hour)))
	out := &cleanupOutput{SessionIDs: []string{}}
	q := supervisor.Query{Agent: in.Agent, Cwd: in.Cwd, Labels: in.Labels, Under: in.Under, Active: new(false), Limit: 1000}
	var old []session.Summary
	for more := true; more; {
		page, err := s.backend.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Sessions {
			if x := &page.Sessions[i]; x.Node == "" && (age == 0 || x.Updated.Before(before)) { // another node's are its own to remove
				old = append(old, *x)
			}
		}
		q.After = page.Next
		more = page.Next != ""
	}
	if in.DryRun {
		out.HasMore = len(old) > maxCleanup
		for i := range old[max(0, len(old)-maxCleanup):] {
			out.SessionIDs = append(out.SessionIDs, old[max(0, len(old)-maxCleanup)+i].ID)
		}
		return out, nil
	}
	for i := len(old) - 1; i >= 0; i-- { // the oldest first
		if len(out.SessionIDs)+len(out.Failed) == maxCleanup || ctx.Err() != nil {
			out.HasMore = true
			break
		}
		id := old[i].ID
		err := s.backend.DeleteListed(ctx, &old[i])
		switch {
		case err == nil:
			out.SessionIDs = append(out.SessionIDs, id)
		case problem.Of(err).Code == protocol.CodeSessionNotFound: // it went with the session above it, or somebody else removed it
		default:
			out.Failed = append(out.Failed, id+": "+protocol.HeadJSON(s.tell.Tool("session_cleanup", err).Error(), output.MaxLine/2))
		}
	}
	out.Deleted = len(out.SessionIDs)
	return out, nil
}

const maxAgeHours = 1e6
