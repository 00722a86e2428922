package merged

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

type postInput struct {
	Accept string `header:"Accept" hidden:"true"`
	Body   resource.StreamRequest
}

// Streams serves merged streams.
type Streams struct{ Config }

// New makes what serves merged streams.
func New(c Config) *Streams { return &Streams{c} }

// getInput is the request as a browser's EventSource can make it.
type getInput struct {
	Accept      string   `header:"Accept" hidden:"true"`
	Session     []string `query:"session,explode" maxItems:"64" example:"[\"0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11:42\"]" doc:"ID or ID:CURSOR; may be repeated"`
	Label       []string `query:"label,explode" maxItems:"64" example:"[\"team:core\"]" doc:"KEY:VALUE: follow the sessions with all of these labels; may be repeated"`
	Agent       string   `query:"agent" maxLength:"64" doc:"Follow the sessions of this agent"`
	Owner       string   `query:"owner" maxLength:"128" doc:"Follow the sessions of this owner"`
	Under       string   `query:"under" maxLength:"36" doc:"Follow the sessions that work for this one, directly or for one that does"`
	All         bool     `query:"all" doc:"Follow every session within reach"`
	View        string   `query:"view" enum:"full,settled,status,items" default:"full" doc:"As in streamSessions"`
	Begin       string   `query:"begin" enum:"oldest,newest" default:"oldest" doc:"As in streamSessions"`
	Roster      bool     `query:"roster" doc:"As in streamSessions"`
	LastEventID string   `header:"Last-Event-ID" doc:"SESSION/CURSOR: where that session goes on. The others begin where the address says: what they repeat is known by its number"`
}

// Register serves merged streams.
func (m *Streams) Register(t *operation.Table) {
	content := schema.NDJSON(schema.MergedLine(t.Schemas(), signals))
	content[schema.EventStream] = &huma.MediaType{Schema: schema.MergedMessage(t.Schemas(), signals)}
	responses := map[string]*huma.Response{
		"200": {Description: "Server-sent events whose data is a MergedMessage; to clients that accept NDJSON and no event streams lines, each a MergedLine", Content: content},
	}
	operation.Register(t, operation.Operation{
		ID: "streamSessions", Method: http.MethodPost, Path: "/stream", Tag: "log",
		Summary: "Follow many sessions over one connection",
		Text: "Everything that follows the cursors, then what happens, of every session that is named or selected, with nothing lost or doubled; sessions that come to match join by themselves. " +
			"The id of a frame is SESSION/CURSOR and its data is the log's own line. Sessions take turns of 64 KiB: one that floods does not hold up others. " +
			"roster sends the sessions' summaries first, then each change of them. Every 15 s a heartbeat says how far the sessions were sent. " +
			"Who reconnects sends the cursors that it has.",
		Errors: []int{http.StatusNotAcceptable}, MaxBody: 1 << 20, Reads: true, Stream: true, Endless: true, Responses: responses,
	}, func(ctx context.Context, in *postInput) (*huma.StreamResponse, error) {
		return m.open(ctx, &in.Body, in.Accept)
	})
	operation.Register(t, operation.Operation{
		ID: "streamSessionsByAddress", Method: http.MethodGet, Path: "/stream", Tag: "log",
		Summary: "Follow some sessions over one connection, for EventSource",
		Text:    "streamSessions with a short list in the address.",
		Errors:  []int{http.StatusBadRequest, http.StatusNotAcceptable}, Stream: true, Endless: true, Responses: responses,
	}, func(ctx context.Context, in *getInput) (*huma.StreamResponse, error) {
		r, err := in.request()
		if err != nil {
			return nil, err
		}
		return m.open(ctx, r, in.Accept)
	})
}

func (in *getInput) request() (*resource.StreamRequest, error) {
	r := &resource.StreamRequest{View: resource.StreamView(in.View), Begin: resource.StreamBegin(in.Begin), Roster: in.Roster}
	if len(in.Session) > 0 {
		r.Sessions = map[string]string{}
	}
	for _, s := range in.Session {
		id, cursor, _ := strings.Cut(s, ":")
		r.Sessions[id] = cursor
	}
	if id, cursor, ok := strings.Cut(in.LastEventID, "/"); ok {
		if _, named := r.Sessions[id]; named || protocol.ValidSessionID(id) {
			if r.Sessions == nil {
				r.Sessions = map[string]string{}
			}
			r.Sessions[id] = cursor
		}
	}
	labels, err := selection.Labels(in.Label)
	if err != nil {
		return nil, err
	}
	if in.All || in.Agent != "" || in.Owner != "" || in.Under != "" || len(in.Label) > 0 {
		r.Select = &resource.Selector{Agent: in.Agent, Owner: in.Owner, Under: in.Under, Labels: labels}
	}
	return r, nil
}

// formOf is the form that a client accepts. EventSource asks for event streams; who asks for nothing gets these too.
func formOf(accept string) (form, bool) {
	best, found := sse, accept == ""
	for part := range strings.SplitSeq(accept, ",") {
		media, params, _ := strings.Cut(part, ";")
		if strings.ReplaceAll(params, " ", "") == "q=0" {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(media)) {
		case schema.NDJSONType:
			if !found {
				best = ndjson
			}
			found = true
		case schema.EventStream, "text/*", "*/*", "application/*":
			found = true
		}
	}
	return best, found
}

func (m *Streams) open(ctx context.Context, r *resource.StreamRequest, accept string) (*huma.StreamResponse, error) {
	f, ok := formOf(accept)
	if !ok {
		return nil, compress.NotAcceptable()
	}
	want, err := wishOf(r)
	if err != nil {
		return nil, err
	}
	list, err := m.Gate.Roster(ctx, slices.Collect(maps.Keys(want.cursors))...)
	if err != nil {
		return nil, err
	}
	leave, ok := m.Streams.Enter(access.Of(ctx))
	if !ok {
		return m.noRoom(f)
	}
	s := newStream(&m.Config, want, f, list)
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		answer.Lasts(w, func() {
			defer leave()
			s.serve(w, r)
		})
	}}, nil
}

// noRoom answers a stream that there is no room for: of frames as /sessions/{id}/stream does (spec §7.7), and with a problem who reads lines.
func (m *Streams) noRoom(f form) (*huma.StreamResponse, error) {
	m.Refused()
	if f.lines {
		return nil, protocol.NewProblem(protocol.CodeOverloaded, "Too many streams are open.", "Use the streams that there are, or come back later.")
	}
	return m.NoRoom(), nil
}

// signals are what a merged stream says besides events.
var signals = []schema.Signal{
	{Tag: protocol.TypeSession, Of: resource.SessionChanged{}, Doc: "A session as it is now."},
	{Tag: protocol.TypeRosterComplete, Of: resource.RosterComplete{}, Doc: "Every session that was there at the start was told of."},
	{Tag: protocol.TypeSessionGone, Of: resource.SessionGone{}, Doc: "The session is followed no more."},
	{
		Tag: protocol.TypeReset, Of: resource.SessionReset{},
		Doc: "The cursor is not of this session's log: what the client holds of it is void. It follows from its oldest event.",
	},
	{Tag: protocol.TypeOver, Of: resource.SessionOver{}, Doc: "The session has ended, and everything was sent."},
	{Tag: protocol.TypeDamage, Of: resource.SessionDamage{}, Doc: "The session's log ends here because what follows cannot be read (protocol/spec.md §7.12)."},
	{
		Tag: protocol.TypeOverflow, Of: resource.SessionOverflow{},
		Doc: "A part of a text beyond what the log keeps of it (protocol/spec.md §7.18), in the view full. It has no number and is not in the log.",
	},
	{Tag: protocol.TypeRefused, Of: resource.SessionRefused{}, Doc: "The session cannot be read now. It is tried again."},
	{Tag: protocol.TypeItem, Of: resource.SessionItem{}, Doc: "A six-field item (protocol/spec.md §8), in the view items."},
	{Tag: protocol.TypeHeartbeat, Of: resource.StreamHeartbeat{}, Doc: "The connection lives, and the sessions that have moved were sent so far."},
}
