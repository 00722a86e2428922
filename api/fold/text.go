package fold

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type entryTextInput struct {
	operation.SessionPath
	EntryID string `path:"entryId" maxLength:"64" example:"e7" doc:"The entry's id"`
}

func (s *States) registerText(t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "getEntryText", Method: http.MethodGet, Path: "/sessions/{id}/entries/{entryId}/text", Tag: "log",
		Summary: "Read the whole text of an entry that has ended",
		Text: "The text of a message, a thought or a summary, or the output of a tool. Where the log has only the beginning of it (truncated), it is made again of the native lines; " +
			"where these are not kept, 410 raw_gone. At most 64 MiB.",
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusRequestEntityTooLarge},
		Responses: map[string]*huma.Response{"200": {
			Description: "The text", Content: map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: huma.TypeString}}},
		}},
	}, s.text)
}

func (s *States) text(ctx context.Context, in *entryTextInput) (*huma.StreamResponse, error) {
	text, sent, err := s.TextOf(ctx, in.ID, in.EntryID)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer sent()
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(http.StatusOK)
		for len(text) > 0 { // in pieces: the client's deadline is per write
			n := min(len(text), textPiece)
			if _, err := io.WriteString(w, text[:n]); err != nil {
				return
			}
			text = text[n:]
		}
	}}, nil
}

// textPiece is how much of a text a client must take within WriteTimeout.
const textPiece = 32 << 10

// TextOf is the whole text of an entry that has ended. Its memory is counted until sent is called.
func (s *States) TextOf(ctx context.Context, id, entryID string) (text string, sent func(), err error) {
	e, err := s.endedEntry(ctx, id, entryID)
	if err != nil {
		return "", nil, err
	}
	text, cut := protocol.EntryText(e.Data)
	share, err := s.memory.begin(ctx, max(int64(len(text)), cut.Bytes))
	if err != nil {
		return "", nil, err
	}
	if cut.Truncated {
		if text, err = s.wholeText(ctx, id, e); err != nil {
			share.end()
			return "", nil, err
		}
	}
	share.made(len(text))
	return text, share.end, nil
}

// wholeText has the text made again. It is as hard as compressing a log, so only so many are made at once.
func (s *States) wholeText(ctx context.Context, id string, e supervisor.CutEntry) (string, error) {
	release, err := s.encoders.Slot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return s.sup.WholeText(ctx, id, e)
}

var errFound = errors.New("found")

// endedEntry finds an entry's end in the log.
func (s *States) endedEntry(ctx context.Context, id, entryID string) (e supervisor.CutEntry, err error) {
	return reading.Of(ctx, s.door, id, "entry", func(r *session.Reader) (supervisor.CutEntry, error) { return endedEntryOf(ctx, r, entryID) })
}

func endedEntryOf(ctx context.Context, reader *session.Reader, entryID string) (e supervisor.CutEntry, err error) {
	head := reader.Ring.Head()
	since, _, _ := reading.Locate(reader, protocol.Cursor{}, head)
	started := false
	look := func(line []byte) error {
		if t, of := reading.LineHead(line); t != protocol.TypeEntryStart && (t != protocol.TypeEntryEnd || string(of) != entryID) {
			return nil
		}
		ev, err := protocol.Decode(line)
		if err != nil {
			return err
		}
		switch p := ev.Payload.(type) {
		case *protocol.EntryStart:
			started = started || p.EntryID == entryID
		case *protocol.EntryEnd:
			if p.EntryID == entryID {
				e = supervisor.CutEntry{EntryID: entryID, Type: p.EntryType, Data: p.Data}
				return errFound
			}
		default:
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	}
	err = reading.EachLine(reader.Log, since, head, look)
	var gone *store.GoneError
	for errors.As(err, &gone) && since < gone.Oldest-1 && gone.Oldest <= head { // the beginning went meanwhile
		since = gone.Oldest - 1
		err = reading.EachLine(reader.Log, since, head, look)
	}
	if err == nil && reader.Damage != nil {
		return e, operation.Damaged("The end of the entry is not in what can be read of the log: "+reader.Damage.String()+".", reader.Damage.Hint)
	}
	switch {
	case errors.Is(err, errFound):
		return e, nil
	case err != nil && !errors.As(err, &gone):
		return e, err
	case started:
		return e, protocol.NewProblem(protocol.CodeConflict, "The entry has not ended.", protocol.TermReadLog+" tells when it has.")
	}
	detail := "The session has no such entry."
	if oldest, _ := reader.Log.Bounds(); oldest > 1 {
		detail = fmt.Sprintf("The session has no such entry, or it ended before event %d, the oldest one that is kept.", oldest)
	}
	return e, protocol.NewProblem(protocol.CodeNotFound, detail, protocol.TermReadLog+" has the entries.")
}
