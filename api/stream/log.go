package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// damageHeader says in words where a log ends and why, where that is not its end.
const damageHeader = "X-Session-Damage"

// minCompressed is the size in bytes below which a log is sent as it is.
const minCompressed = 1 << 10

type logInput struct {
	operation.SessionPath
	Since          string `query:"since" example:"42" doc:"A cursor: only what follows it. Without it, everything."`
	View           string `query:"view" enum:"full,settled" default:"full" doc:"settled leaves out the deltas of closed entries; the numbers stay"`
	Format         string `query:"format" enum:"ndjson" default:"ndjson" doc:"There is one format"`
	AcceptEncoding string `header:"Accept-Encoding" hidden:"true"`
	IfNoneMatch    string `header:"If-None-Match" doc:"The ETag of what the client has"`
}

func (l *Logs) registerLog(t *operation.Table) {
	headers := schema.SessionHeaders()
	headers["ETag"] = &huma.Param{Description: "Names exactly these bytes", Schema: &huma.Schema{Type: huma.TypeString}}
	headers[damageHeader] = &huma.Param{Description: "What is damaged, for people; absent: nothing", Schema: &huma.Schema{Type: huma.TypeString}}
	operation.Register(t, operation.Operation{
		ID: "getSessionLog", Method: http.MethodGet, Path: "/sessions/{id}/log", Tag: "log",
		Summary: "Read a session's log, whole or as a patch",
		Text: "One event per line, compressed with zstd or gzip as Accept-Encoding allows. The newest event is fixed before the first byte is sent: " +
			"X-Session-Version. A patch appended to what it continues is byte for byte the whole log. " +
			"A cursor that is not of this log gets 410 cursor_reset. " +
			"Where the log is damaged its last line is a DamageMessage, which is no event and not to be kept. " +
			"It is for who keeps the bytes: generated clients read readSessionEvents, which gives the same event by event.",
		Errors: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable, http.StatusGone},
		Responses: map[string]*huma.Response{
			"200": {
				Description: "NDJSON, one SessionEvent per line; where X-Session-Damage is sent, the last line is a DamageMessage",
				Headers:     headers,
				Content:     schema.NDJSON(schema.SessionEvent(t.Schemas())),
			},
			"304": {Description: "The client has these bytes"},
		},
	}, l.whole)
}

func (l *Logs) whole(ctx context.Context, in *logInput) (*huma.StreamResponse, error) {
	cursor, err := reading.Cursor(in.Since)
	if err != nil {
		return nil, err
	}
	coding, ok := compress.Choose(in.AcceptEncoding)
	if !ok {
		return nil, compress.NotAcceptable()
	}
	x, err := reading.Of(ctx, l.Door, in.ID, "log", func(r *session.Reader) (*logAnswer, error) { return l.answer(in, r, cursor, coding) })
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: x.serve}, nil
}

// answer is of what a reader can read.
func (l *Logs) answer(in *logInput, reader *session.Reader, cursor protocol.Cursor, coding compress.Encoding) (*logAnswer, error) {
	head := reader.Ring.Head()
	since, reset, ok := reading.Locate(reader, cursor, head)
	if !ok {
		return nil, protocol.CursorReset(reset)
	}
	part, err := reader.Log.Range(since, head)
	if err == nil {
		err = part.Whole()
	}
	var gone *store.GoneError
	if errors.As(err, &gone) {
		reset.Oldest = gone.Oldest
		return nil, protocol.CursorReset(reset)
	}
	if err != nil {
		return nil, err
	}
	if part.Size() < minCompressed && coding.Identity {
		coding.Name = ""
	}
	x := &logAnswer{
		logs: l, id: in.ID, reader: reader, part: part, since: since, head: head, epoch: reset.Epoch,
		settled: in.View == "settled", coding: coding, have: in.IfNoneMatch,
	}
	if reader.Damage != nil {
		x.damage = append(protocol.AppendDamage(nil, reader.Damage), '\n')
	}
	return x, nil
}

// logAnswer is one answer of /log.
type logAnswer struct {
	logs    *Logs
	id      string
	reader  *session.Reader
	part    store.Range
	since   uint64
	head    uint64
	epoch   uint64
	settled bool
	coding  compress.Encoding
	have    string // If-None-Match
	damage  []byte // the line that says why the log ends where it does; nil: that is its end
}

// isExact says that the size of a range is known: not where its end comes from the session's node, ahead of Core.
func isExact(r store.Range) bool {
	x, ok := r.(interface{ IsExact() bool })
	return !ok || x.IsExact()
}

func (l *logAnswer) serve(hc huma.Context) {
	r, w := humago.Unwrap(hc)
	defer l.part.Close()
	zip, release := l.logs.Encoders.Take(r.Context(), l.coding)
	defer release()
	h := w.Header()
	reading.SetHeaders(h, l.reader, l.epoch, l.head)
	if l.damage != nil {
		h.Set(damageHeader, l.reader.Damage.String())
	}
	tag := l.tag(zip)
	h.Set("ETag", tag)
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // it may be kept, and must be asked for again
	if reading.TagMatches(l.have, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", schema.NDJSONType)
	if zip != nil {
		h.Set("Content-Encoding", l.coding.Name)
	} else if !l.settled && isExact(l.part) {
		h.Set("Content-Length", strconv.FormatInt(l.part.Size()+int64(len(l.damage)), 10))
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	failpoint.Hit("stream/beforeLog")
	if err := l.send(r.Context(), w, zip); err != nil {
		if r.Context().Err() == nil && !answer.IsLost(err) {
			l.logs.Log.Error("log ended early", zap.String("session", l.id), zap.Error(err))
		}
		panic(http.ErrAbortHandler) // a cut log must not look whole
	}
}

// tag names the bytes of this answer: epoch, range, view and encoding.
func (l *logAnswer) tag(zip compress.Compressor) string {
	b := append(make([]byte, 0, 48), '"')
	b = strconv.AppendUint(b, l.epoch, 10)
	b = append(b, '.')
	b = strconv.AppendUint(b, l.since, 10)
	b = append(b, '-')
	b = strconv.AppendUint(b, l.head, 10)
	if l.settled {
		b = append(b, "-settled"...)
	}
	if l.damage != nil {
		b = append(b, "-damaged"...)
	}
	if zip != nil {
		b = append(b, '-')
		b = append(b, l.coding.Name...)
	}
	return string(append(b, '"'))
}

func (l *logAnswer) send(ctx context.Context, w http.ResponseWriter, zip compress.Compressor) error {
	to := answer.LostBy(w)
	if zip != nil {
		zip.Reset(to)
		to = zip
	}
	var err error
	switch {
	case l.settled:
		err = writeSettled(to, l.reader.Log, l.since, l.head)
	case zip != nil:
		lines := &wholeLines{to: to}
		_, err = io.Copy(lines, readOnly{l.part})
	default:
		_, err = l.part.WriteTo(w)
		err = wrapWrite(err)
	}
	if err != nil && l.reader.Doubt(ctx, err) && (l.settled || zip != nil) { // else its length was announced
		l.damage, err = l.found(ctx, err)
	}
	if err == nil && l.damage != nil {
		_, err = to.Write(l.damage)
	}
	if zip != nil && err == nil {
		err = zip.Close()
	}
	return err
}

// found is the line that says what the session has found, which has looked at its journal because of err; the error stays where that was nothing.
func (l *logAnswer) found(ctx context.Context, err error) ([]byte, error) {
	reader, joinErr := l.logs.Door.Join(ctx, l.id, "log")
	if joinErr != nil {
		return nil, err
	}
	defer reader.Leave()
	if reader.Damage == nil {
		return nil, err
	}
	return append(protocol.AppendDamage(nil, reader.Damage), '\n'), nil
}

// wholeLines hands on whole lines only, so that something can follow where the rest of one cannot be read.
type wholeLines struct {
	to   io.Writer
	rest []byte
}

func (w *wholeLines) Write(b []byte) (int, error) {
	n := bytes.LastIndexByte(b, '\n') + 1
	if n > 0 {
		for _, part := range [][]byte{w.rest, b[:n]} {
			if _, err := w.to.Write(part); err != nil {
				return 0, err
			}
		}
		w.rest = w.rest[:0]
	}
	w.rest = append(w.rest, b[n:]...)
	return len(b), nil
}

// readOnly hides WriteTo: the journal would hand the compressor one file at a time in small pieces.
type readOnly struct{ io.Reader }

// wrapWrite marks what is no error of the journal's own as one of the client's side.
func wrapWrite(err error) error {
	var damage *store.DamageError
	var read *store.ReadError
	var gone *store.GoneError
	var changed *store.ChangedError
	if err == nil || errors.As(err, &damage) || errors.As(err, &read) || errors.As(err, &gone) || errors.As(err, &changed) {
		return err
	}
	return answer.Lost(err)
}
