package mcp

import (
	"context"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

const (
	logTemplate   = "session://{id}/log{?since}"
	stateTemplate = "session://{id}/state{?at}"
	maxLogPage    = 24 << 10 // bytes of lines in one read of a log, but for one line that is longer: hosts show it to their models
	maxCompleted  = 100      // ids that a completion offers
)

// resources are the logs and states of sessions.
type resources struct {
	door    *control.Door
	tell    *problem.Teller
	backend Backend
}

// add registers templates, not one resource for each session: that would tell every client of every session.
func (s *resources) add(to *sdk.Server) {
	to.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "session_log", Title: "Log of a session", URITemplate: logTemplate, MIMEType: "application/x-ndjson",
		Description: "The log of a session, one event per line, after the cursor since; at most 24 KiB at once, or one event that is longer: while _meta.has_more is true, read on with _meta.cursor as since. Updates tell that there is more.",
	}, s.readLog)
	to.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "session_state", Title: "State of a session", URITemplate: stateTemplate, MIMEType: "application/json",
		Description: "What a session's log says up to the cursor at, or up to now, folded: turns, entries with their texts, requests, queue, usage, status. At most 24 KiB: where _meta.cut is true, texts have only their beginning and lists only their end.",
	}, s.readState)
}

// sessionURI takes session://ID/WHAT?QUERY apart.
func sessionURI(uri string) (id, what string, values url.Values, ok bool) {
	rest, ok := strings.CutPrefix(uri, "session://")
	if !ok {
		return "", "", nil, false
	}
	rest, query, _ := strings.Cut(rest, "?")
	id, what, ok = strings.Cut(rest, "/")
	if !ok || !protocol.ValidSessionID(id) || what != "log" && what != "state" {
		return "", "", nil, false
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", "", nil, false
	}
	return id, what, values, true
}

func (s *resources) readLog(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	id, what, query, ok := sessionURI(r.Params.URI)
	if !ok || what != "log" {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	f, err := feed.Open(ctx, s.door, id, "mcp")
	if err != nil {
		return nil, s.tell.Resource(r.Params.URI, err)
	}
	defer f.Close()
	meta := sdk.Meta{}
	if since := query.Get("since"); since != "" {
		c, err := protocol.ParseCursor(since)
		if err != nil {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		at, ok := f.After(c)
		if f.At = at; !ok { // a cursor that is not of this log: everything, and the client is told
			meta["reset"] = true
		}
	}
	newest, at := f.Head(), f.At
	var b []byte
	if _, err := f.Read(ctx, func(e *protocol.Event) bool {
		whole := len(b)
		if b = protocol.AppendLine(b, e); whole > 0 && len(b) > maxLogPage {
			b = b[:whole]
			return false
		}
		at = e.Seq
		return len(b) < maxLogPage
	}); err != nil {
		return nil, s.tell.Resource(r.Params.URI, err)
	}
	meta["cursor"], meta["newest"] = f.Reader.Cursor(at).String(), f.Reader.Cursor(max(newest, at)).String()
	meta["has_more"] = at < newest
	if d := f.Reader.Damage; d != nil && at >= newest {
		meta["damage"] = d
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
		URI: r.Params.URI, MIMEType: "application/x-ndjson", Text: string(b), Meta: meta,
	}}}, nil
}

// complete offers the ids of sessions, the newest first.
func (s *resources) complete(ctx context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	out := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	if r.Params.Ref == nil || r.Params.Ref.Type != "ref/resource" || r.Params.Argument.Name != "id" {
		return out, nil
	}
	page, err := s.backend.List(ctx, supervisor.Query{Limit: 1000})
	if err != nil {
		return nil, s.tell.Method("completion/complete", err)
	}
	for i := range page.Sessions {
		if id := page.Sessions[i].ID; strings.HasPrefix(id, r.Params.Argument.Value) {
			out.Completion.Total++
			if len(out.Completion.Values) < maxCompleted {
				out.Completion.Values = append(out.Completion.Values, id)
			}
		}
	}
	out.Completion.HasMore = out.Completion.Total > len(out.Completion.Values) || page.Next != ""
	return out, nil
}

func (s *resources) readState(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	id, what, query, ok := sessionURI(r.Params.URI)
	if !ok || what != "state" {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	read := func(reader *session.Reader) (*sdk.ReadResourceResult, error) {
		return s.stateOf(ctx, r.Params.URI, query.Get("at"), reader)
	}
	result, err := reading.Framed(ctx, s.door, id, "mcp", read)
	if err != nil {
		return nil, s.tell.Resource(r.Params.URI, err)
	}
	return result, nil
}

// stateOf is the state of a reader's session behind a cursor; "": of now.
func (s *resources) stateOf(ctx context.Context, uri, cursor string, reader *session.Reader) (*sdk.ReadResourceResult, error) {
	at := reader.Newest()
	if cursor != "" {
		c, err := protocol.ParseCursor(cursor)
		seq, ok := reader.Behind(c, reader.Ring.Head())
		if err != nil || !ok {
			return nil, problem.Invalid("The cursor is not of this log.", "Leave at out for the state of now.")
		}
		at = seq
	}
	whole, left, err := s.backend.State(ctx, reader, at, StateBounds{firstText, firstItems})
	if err != nil {
		return nil, err
	}
	body, cut := boundedState(whole, left)
	meta := sdk.Meta{"cursor": reader.Cursor(at).String()}
	if cut {
		meta["cut"] = true
	}
	if d := reader.Damage; d != nil {
		meta["damage"] = d
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
		URI: uri, MIMEType: "application/json", Text: string(body), Meta: meta,
	}}}, nil
}
