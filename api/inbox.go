package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

type inboxInput struct {
	State string   `query:"state" enum:"open" default:"open" doc:"There is one state: what is resolved is in the sessions' logs"`
	Kind  []string `query:"kind,explode" maxItems:"4" doc:"Only requests of one of these kinds: approval, question, elicitation, caller_tool; may be repeated"`
	Agent string   `query:"agent" maxLength:"64" doc:"Only of sessions of this agent"`
	Owner string   `query:"owner" maxLength:"128" doc:"Only of sessions of this owner"`
	Under string   `query:"under" maxLength:"36" doc:"Only of sessions that work for this one, directly or for one that does"`
	Label []string `query:"label,explode" maxItems:"64" example:"[\"team:core\"]" doc:"KEY:VALUE: only of sessions with this label; may be repeated, all must match"`
	Limit int      `query:"limit" minimum:"1" maximum:"1000" default:"200" doc:"Requests, at most"`
}

// registerInbox serves what all sessions wait for. It asks no session: the list of sessions has it.
func registerInbox(t *operation.Table, gate *access.Gate) {
	operation.Register(t, operation.Operation{
		ID: "listOpenRequests", Method: http.MethodGet, Path: "/requests", Tag: "control",
		Summary: "Read what all sessions wait for",
		Text: "The open requests of every session within reach, the longest waiting first. A request that also stands in the log of a root session is told once, as that of the session that asks. " +
			"answerRequest of that session answers it. streamSessions with roster says when to ask again.",
	}, func(ctx context.Context, in *inboxInput) (*struct{ Body resource.Inbox }, error) {
		q := supervisor.Query{Agent: in.Agent, Owner: in.Owner}
		labels, err := labelsOf(in.Label)
		if err != nil {
			return nil, err
		}
		q.Labels = labels
		list, err := gate.Roster(ctx)
		if err != nil {
			return nil, err
		}
		all, revision := list.Asking()
		box := resource.Inbox{Requests: []resource.InboxRequest{}, Revision: list.Name(revision)}
		for _, x := range all {
			if !list.Within(x) || !q.Matches(x.About()) || in.Under != "" && !list.Under(x, in.Under) {
				continue
			}
			for i := range x.About().Open {
				r := &x.About().Open[i]
				if r.SessionID == "" && (len(in.Kind) == 0 || slices.Contains(in.Kind, string(r.Kind))) {
					box.Requests = append(box.Requests, inboxRow(x, r))
				}
			}
		}
		box.Total = len(box.Requests)
		slices.SortFunc(box.Requests, func(a, b resource.InboxRequest) int {
			return cmp.Or(a.OpenedAt.Compare(b.OpenedAt), cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.Cursor, b.Cursor))
		})
		box.Requests = box.Requests[:min(len(box.Requests), in.Limit)]
		return &struct{ Body resource.Inbox }{box}, nil
	})
}

func inboxRow(x *roster.Session, r *protocol.OpenRequest) resource.InboxRequest {
	s := x.About()
	return resource.InboxRequest{
		SessionID: x.ID, Agent: s.Agent, Cwd: s.Cwd, Title: s.Title, FirstPrompt: s.FirstPrompt, Owner: s.Owner, Labels: s.Labels,
		OpenedAt: time.UnixMilli(r.Time).UTC(), Cursor: protocol.Cursor{Epoch: s.Epoch, Seq: r.Seq}.String(), Request: r.RequestOpened,
	}
}

// labelsOf reads label filters of the form KEY:VALUE; nil: there are none.
func labelsOf(filters []string) (map[string]string, error) {
	var labels map[string]string
	for _, l := range filters {
		k, v, ok := strings.Cut(l, ":")
		if !ok || k == "" {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "A label filter has no key.", "Write it KEY:VALUE.")
		}
		if labels == nil {
			labels = map[string]string{}
		}
		labels[k] = v
	}
	return labels, nil
}
