package reading

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Of gives what read makes of a session's log. Where that is not as it was written, the session looks at it anew, and so does read, once.
func Of[T any](ctx context.Context, door *control.Door, id, name string, read func(*session.Reader) (T, error)) (v T, err error) {
	return of(ctx, door.Join, id, name, read)
}

// Framed is Of for what needs the frame of the log's fold.
func Framed[T any](ctx context.Context, door *control.Door, id, name string, read func(*session.Reader) (T, error)) (v T, err error) {
	return of(ctx, door.Frame, id, name, read)
}

func of[T any](
	ctx context.Context, join func(ctx context.Context, id, name string) (*session.Reader, error), id, name string, read func(*session.Reader) (T, error),
) (v T, err error) {
	for again := false; ; again = true {
		reader, err := join(ctx, id, name)
		if err != nil {
			return v, err
		}
		v, err := read(reader)
		reader.Leave() // files and ring stay readable; nobody is told what this reader has
		if err == nil || again || !reader.Doubt(ctx, err) {
			return v, err
		}
	}
}

// BadCursor is the answer to what is no cursor.
func BadCursor() error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, "This is no cursor.", "A cursor is SEQ or EPOCH.SEQ, as events, answers and streams give it.")
}

// Locate checks a cursor against a log whose newest event to be shown is head (spec §2.3). A cursor at the start is good in every epoch
// and means the oldest event that is kept. ok is false when the cursor is not of this log; reset then says what is.
func Locate(r *session.Reader, c protocol.Cursor, head uint64) (since uint64, reset protocol.Reset, ok bool) {
	oldest, _ := r.Log.Bounds()
	reset = protocol.Reset{Epoch: r.Ring.Epoch(), Oldest: oldest, Newest: head}
	at, good := r.Behind(c, head)
	if c.Start() {
		return oldest - 1, reset, true
	}
	if good && at+1 >= oldest {
		return at, reset, true
	}
	if agree, known := r.Agree(c.Epoch); known && c.Seq > agree && agree+1 >= oldest { // beyond the end of its own epoch nothing vouches for what is before
		reset.Common = agree
	}
	return oldest - 1, reset, false
}

// Cursor reads a cursor; the empty text is the start.
func Cursor(text string) (protocol.Cursor, error) {
	if text == "" {
		return protocol.Cursor{Epoch: 1}, nil
	}
	c, err := protocol.ParseCursor(text)
	if err != nil {
		return c, BadCursor()
	}
	return c, nil
}

// TagMatches compares weakly, as RFC 9110 wants for If-None-Match.
func TagMatches(have, tag string) bool {
	return slices.ContainsFunc(strings.Split(have, ","), func(t string) bool {
		t = strings.TrimPrefix(strings.TrimSpace(t), "W/")
		return t == tag || t == "*"
	})
}

// SetHeaders says of which log an answer is, and up to which event.
func SetHeaders(h http.Header, r *session.Reader, epoch, version uint64) {
	if r.Away {
		h.Set("X-Session-Source", "core")
	}
	h.Set("X-Session-Epoch", strconv.FormatUint(epoch, 10))
	h.Set("X-Session-Version", strconv.FormatUint(version, 10))
}
