package peer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// called is the route of calls: all of them change something.
var called = &guard.Route{Changes: true, Keys: guard.KeysKept}

// maxAnswer bounds what a call is answered with.
const maxAnswer = 8 << 20

// Call carries out a change that is no request of HTTP, as the principal of the context, where another node has the session, and says whether it did: path is
// the one behind the session's. in is its body, nil: none; out, where it is not nil, gets the answer's. Without a key the call has one of its own, so that
// it can be sent again when the connection is lost; its caller cannot. An agent's principal reaches sessions of its own family alone, which are where it is.
func (f *Forwarder) Call(ctx context.Context, id, method, path string, in any, key string, out any) (done bool, err error) {
	who := access.Of(ctx)
	if f == nil || who == nil || who.Scope == access.Agent || !protocol.ValidSessionID(id) {
		return false, nil
	}
	node := f.node(ctx, id, called.Changes)
	if node == "" {
		return false, nil
	}
	r := (&http.Request{Method: method, URL: &url.URL{Path: "/sessions/" + id + path}, Header: http.Header{}}).WithContext(ctx)
	content := &body{}
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return true, err
		}
		content.pieces, content.size = [][]byte{text}, int64(len(text))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Idempotency-Key", cmp.Or(key, uuid.NewString()))
	w := &recorder{header: http.Header{}}
	c := &carriage{
		Forwarder: f, w: w, r: r, in: guard.Admission{Route: called, Who: who}, id: id, at: "/sessions/" + id, body: content, closing: context.Background(),
		key: keyed{once: true, known: key != "", moves: key != ""}, // of a caller's alone: those are of prompts
	}
	switch done = c.counted(node); {
	case !done:
		return false, nil
	case c.isCut, w.text.Len() > maxAnswer:
		return true, c.lost(node, false)
	case w.status >= http.StatusBadRequest:
		p := new(protocol.Problem)
		if json.Unmarshal(w.text.Bytes(), p) != nil || p.Code == "" {
			return true, c.lost(node, false)
		}
		return true, p
	case out == nil:
		return true, nil
	}
	return true, json.Unmarshal(w.text.Bytes(), out)
}

// recorder takes an answer in.
type recorder struct {
	header http.Header
	status int
	text   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(p []byte) (int, error) {
	if w.text.Len() > maxAnswer {
		return len(p), nil // it is too long already
	}
	return w.text.Write(p)
}
