package raw

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type rawInput struct {
	operation.SessionPath
	From           uint64 `query:"from" example:"40" doc:"Only lines that became this event or later ones. A line that became none counts as what was last before it."`
	To             uint64 `query:"to" example:"44" doc:"Only lines that became this event or earlier ones. 0: no end"`
	Dir            string `query:"dir" enum:"out,in,err,meta,note" doc:"Only what the agent said (out), what it was told (in), its standard error, …"`
	AcceptEncoding string `header:"Accept-Encoding" hidden:"true"`
}

// rawLine is one native line of a session (spec §7.11).
//
// It is written by hand, see rawAnswer.append.
type rawLine struct {
	Line        uint64 `json:"line" doc:"The number of the line in the session's archive, from 1"`
	From        uint64 `json:"from,omitempty" doc:"The first event that the line's batch became; absent where it became none"`
	To          uint64 `json:"to,omitempty" doc:"The last one"`
	Time        int64  `json:"t_ms" doc:"Unix ms"`
	Dir         string `json:"dir" enum:"out,in,err,meta,note" doc:"out: the agent's line; in: a line to the agent; err: of its standard error; meta: a connection begins or ends; note: what is missing"`
	Incarnation uint32 `json:"incarnation" doc:"Which of the session's connections to its agent, from 1"`
	Batch       uint64 `json:"batch,omitempty" doc:"Lines that were taken together have the same one"`
	Data        any    `json:"data" doc:"The line: a JSON object as it was, anything else as a JSON string of it"`
}

const firstLineHeader = "X-Raw-First-Line"

// Memory is that of all large answers. Hold waits until there is room for so many bytes, and gives up after a while with a problem; release must follow.
type Memory interface {
	Hold(ctx context.Context, size int64) (release func(), err error)
}

const (
	// usual is what an answer counts for, in bytes: a block of lines, expanded and as it is stored, the tail, and what is sent at once.
	usual = 1 << 20
	// perByte is how many bytes one of a longer text counts for: it has a long line, which is there in its block, in its record and in what is sent.
	perByte = 4
)

// archives serves the archives of native lines.
type archives struct {
	sup      *access.Gate
	memory   Memory
	encoders *compress.Pool
	log      *zap.Logger
}

// Register serves the archives.
func Register(t *operation.Table, sup *access.Gate, memory Memory, z *compress.Pool, log *zap.Logger) {
	a, registry := &archives{sup, memory, z, log}, t.Schemas()
	one := 1.0
	operation.Register(t, operation.Operation{
		ID: "getSessionRaw", Method: http.MethodGet, Path: "/sessions/{id}/raw", Tag: "log",
		Summary: "Read the native lines of a session",
		Text: "What went over the connections to the session's agent, as it was, oldest first, with the run of events that each line's batch became. " +
			"Of a session that has moved, the lines of the nodes before come first, out of the object store. " +
			"The archive is bounded: X-Raw-First-Line is the number of the oldest line that is kept. The answer has the form of a recording: " +
			"ringmaster import makes a log of it. Nothing is started for it.",
		Errors: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable},
		Responses: map[string]*huma.Response{
			"200": {
				Description: "NDJSON, one RawLine per line",
				Headers: map[string]*huma.Param{
					firstLineHeader: {
						Description: "The number of the oldest line that is kept; 1: none is missing",
						Schema:      &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &one},
					},
					schema.SourceHeader: schema.Source(),
				},
				Content: schema.NDJSON(registry.Schema(reflect.TypeFor[rawLine](), true, "")),
			},
		},
	}, a.serve)
}

func (a *archives) serve(ctx context.Context, in *rawInput) (*huma.StreamResponse, error) {
	coding, ok := compress.Choose(in.AcceptEncoding)
	switch {
	case !ok:
		return nil, compress.NotAcceptable()
	case !protocol.ValidSessionID(in.ID):
		return nil, supervisor.NotFound()
	}
	archive, release, err := a.open(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	r := &rawAnswer{of: a, in: in, archive: archive, coding: coding, release: release}
	return &huma.StreamResponse{Body: r.serve}, nil
}

// open opens an archive with the memory that reading it takes, until release is called.
func (a *archives) open(ctx context.Context, id string) (archive *supervisor.Raw, release func(), err error) {
	release, err = a.memory.Hold(ctx, usual)
	if err != nil {
		return nil, nil, err
	}
	archive, err = a.sup.Raw(ctx, id)
	var largest int64
	if err == nil {
		largest, err = archive.Largest()
	}
	if err == nil && largest <= usual {
		return archive, release, nil
	}
	release() // who waits for more holds nothing
	if err == nil {
		release, err = a.memory.Hold(ctx, perByte*largest)
	}
	if err != nil {
		return nil, nil, err
	}
	return archive, release, nil
}

// rawAnswer is one answer of /raw.
type rawAnswer struct {
	of      *archives
	in      *rawInput
	archive *supervisor.Raw
	coding  compress.Encoding
	release func() // gives back its memory
	at      uint64 // the newest event that a line before became
}

func (r *rawAnswer) serve(hc huma.Context) {
	defer r.release()
	req, w := humago.Unwrap(hc)
	zip, release := r.of.encoders.Take(req.Context(), r.coding)
	defer release()
	h := w.Header()
	h.Set(firstLineHeader, strconv.FormatUint(r.archive.First(), 10))
	if r.archive.IsAway() {
		h.Set(schema.SourceHeader, schema.SourceCore)
	}
	h.Set("Content-Type", schema.NDJSONType)
	h.Add("Vary", "Accept-Encoding")
	if zip != nil {
		h.Set("Content-Encoding", r.coding.Name)
	}
	w.WriteHeader(http.StatusOK)
	if req.Method == http.MethodHead {
		return
	}
	to := answer.LostBy(w)
	if zip != nil {
		zip.Reset(to)
		to = zip
	}
	err := r.send(req.Context(), to)
	if err == nil && zip != nil {
		err = zip.Close()
	}
	if err != nil {
		if req.Context().Err() == nil && !answer.IsLost(err) {
			r.of.log.Error("raw lines ended early", zap.String("session", r.in.ID), zap.Error(err))
		}
		panic(http.ErrAbortHandler) // a cut answer must not look whole
	}
}

// rawBytes is how much is written at once.
const rawBytes = 32 << 10

func (r *rawAnswer) send(ctx context.Context, w io.Writer) error {
	buf := make([]byte, 0, rawBytes)
	for l, err := range r.archive.Lines() {
		if err != nil {
			return err
		}
		if !r.wanted(&l) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			continue
		}
		if buf = appendRaw(buf, &l); len(buf) >= rawBytes {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}

func (r *rawAnswer) wanted(l *supervisor.RawLine) bool {
	from, to := l.From, l.To
	if to == 0 {
		from, to = r.at, r.at
	}
	r.at = to
	return to >= r.in.From && (r.in.To == 0 || from <= r.in.To) && (r.in.Dir == "" || r.in.Dir == l.Dir)
}

// appendRaw puts number and events before the members of the record.
func appendRaw(b []byte, l *supervisor.RawLine) []byte {
	b = append(b, `{"line":`...)
	b = strconv.AppendUint(b, l.Number, 10)
	if l.To != 0 {
		b = append(b, `,"from":`...)
		b = strconv.AppendUint(b, l.From, 10)
		b = append(b, `,"to":`...)
		b = strconv.AppendUint(b, l.To, 10)
	}
	b = append(b, ',')
	return append(append(b, l.Record[1:]...), '\n')
}
