package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
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
			"answerRequest of that session answers it. One answer has at most 16 MiB of texts; total counts all. " +
			"streamSessions with roster says when to ask again.",
	}, func(ctx context.Context, in *inboxInput) (*struct{ Body resource.Inbox }, error) {
		labels, err := selection.Labels(in.Label)
		if err != nil {
			return nil, err
		}
		chosen, err := selection.Of(&resource.Selector{Agent: in.Agent, Owner: in.Owner, Under: in.Under, Labels: labels})
		if err != nil {
			return nil, err
		}
		list, err := gate.Roster(ctx)
		if err != nil {
			return nil, err
		}
		all, revision := list.Asking()
		box := resource.Inbox{Requests: []resource.InboxRequest{}, Revision: list.Name(revision)}
		for _, x := range all {
			if !list.Within(x) || !chosen.Has(list, x) {
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
		box.Requests = box.Requests[:fitting(box.Requests[:min(len(box.Requests), in.Limit)])]
		return &struct{ Body resource.Inbox }{box}, nil
	})
}

// maxInbox is how many bytes of texts one answer has: a request may have half a mebibyte of each of its texts, and clients read an answer as a whole.
const maxInbox = 16 << 20

// fitting is how many of the requests one answer has; the first one in any case.
func fitting(list []resource.InboxRequest) int {
	size := 0
	for i := range list {
		r := &list[i].Request
		if size += len(r.Subject) + len(r.Text) + len(r.Diff) + len(r.Arguments); size > maxInbox && i > 0 {
			return i
		}
	}
	return len(list)
}

func inboxRow(x *roster.Session, r *protocol.OpenRequest) resource.InboxRequest {
	s := x.About()
	return resource.InboxRequest{
		SessionID: x.ID, Agent: s.Agent, Cwd: s.Cwd, Title: s.Title, FirstPrompt: s.FirstPrompt, Owner: s.Owner, Labels: s.Labels,
		OpenedAt: time.UnixMilli(r.Time).UTC(), Cursor: protocol.Cursor{Epoch: s.Epoch, Seq: r.Seq}.String(), Request: r.RequestOpened,
	}
}
