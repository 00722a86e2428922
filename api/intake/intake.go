package intake

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A body is taken in before its handler works: in pieces of memory that are counted, and not in one that doubles, so that what unfinished
// bodies cost is what the daemon, and each principal, has for them.
const (
	firstPiece = 4 << 10
	bodyPiece  = 64 << 10
)

var bodyPieces = sync.Pool{New: func() any { return new([bodyPiece]byte) }}

// heldBody is a body that has come whole. Its memory goes as it is read; its share is the request's, to whose end what was made of it
// may live.
type heldBody struct {
	pieces [][]byte
	pooled []*[bodyPiece]byte // of pieces but the first
	at     int                // read of the first
}

// Whole says that the body is here: reading it waits for nobody.
func (*heldBody) Whole() {}

// EachPiece hands on what was not read yet, without reading it.
func (h *heldBody) EachPiece(take func([]byte)) {
	at := h.at
	for _, p := range h.pieces {
		take(p[at:])
		at = 0
	}
}

func (h *heldBody) Read(p []byte) (n int, err error) {
	for n < len(p) && len(h.pieces) > 0 {
		some := copy(p[n:], h.pieces[0][h.at:])
		n, h.at = n+some, h.at+some
		if h.at == len(h.pieces[0]) {
			h.drop()
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// drop lets go of the first piece.
func (h *heldBody) drop() {
	if cap(h.pieces[0]) > firstPiece {
		bodyPieces.Put(h.pooled[0])
		h.pooled = h.pooled[1:]
	}
	h.pieces, h.at = h.pieces[1:], 0
}

// Close drops what was not read.
func (h *heldBody) Close() error {
	for len(h.pieces) > 0 {
		h.drop()
	}
	return nil
}

// Bodies takes bodies in.
type Bodies struct {
	bytes   *access.Shares
	timeout time.Duration // for a client to send a body
}

// New makes an intake for so many bytes of bodies at once; timeout is for a client to send one.
func New(most int64, timeout time.Duration) *Bodies {
	return &Bodies{access.NewShares(most, bodyFloor), timeout}
}

// Taken is how many bytes there are of all bodies.
func (i *Bodies) Taken() int64 { return i.bytes.Taken() }

// Take takes the body of a request in. done must follow at the request's end, whatever came of it.
func (i *Bodies) Take(w http.ResponseWriter, r *http.Request, in guard.Admission) (done func(), no *guard.Rejection) {
	t := &taking{bytes: i.bytes, who: in.Who, limit: guard.BodyLimit(in), body: newTimedBody(w, r.Body, i.timeout), held: &heldBody{}}
	if no = t.all(); no != nil {
		if no.Problem.Status != http.StatusRequestTimeout {
			BoundRest(w)
		}
		_ = t.body.Close() // what is left of it: else net/http waits for that
		return t.done, no
	}
	r.Body = t.held
	return t.done, nil
}

// taking is one body that comes.
type taking struct {
	bytes  *access.Shares
	who    *access.Principal
	limit  int64 // bytes
	body   io.ReadCloser
	held   *heldBody
	limits limits
	size   int64 // that came
	share  int64 // of the bodies', that it takes
}

func (t *taking) done() {
	_ = t.held.Close()
	t.bytes.Give(t.who, t.share)
}

func (t *taking) all() *guard.Rejection {
	for {
		piece := t.piece()
		if piece == nil {
			return guard.Reject("bodies", protocol.CodeOverloaded, "Too much is being sent at once.",
				"Send large requests one after the other; try again in a moment.")
		}
		n, err := 0, error(nil)
		for n < len(piece) && err == nil {
			var some int
			some, err = t.body.Read(piece[n:])
			n += some
		}
		t.held.pieces[len(t.held.pieces)-1] = piece[:n]
		t.size += int64(n)
		switch {
		case t.size > t.limit:
			return guard.TooLong(t.limit)
		case t.limits.take(piece[:n]) != nil:
			return badBody("It is nested too deep or has too many values.")
		case err == nil:
		case errors.Is(err, io.EOF):
			return nil
		case isTimeout(err):
			return &guard.Rejection{Reason: "body", Problem: operation.WithStatus(http.StatusRequestTimeout, protocol.CodeInvalidRequest,
				"The body did not come in time.", "Send the body at once.")}
		default:
			return badBody("It is not framed as HTTP wants it, or its connection ended.")
		}
	}
}

// piece gives memory for what comes next; nil: there is none for this principal.
func (t *taking) piece() []byte {
	need := int64(firstPiece)
	if len(t.held.pieces) > 0 {
		need = bodyPiece
	}
	if !t.bytes.Take(t.who, need) {
		return nil
	}
	t.share += need
	if need == firstPiece {
		t.held.pieces = append(t.held.pieces, make([]byte, firstPiece))
	} else {
		pooled := bodyPieces.Get().(*[bodyPiece]byte)
		t.held.pooled = append(t.held.pooled, pooled)
		t.held.pieces = append(t.held.pieces, pooled[:])
	}
	return t.held.pieces[len(t.held.pieces)-1]
}

func badBody(why string) *guard.Rejection {
	return &guard.Rejection{Reason: "body", Problem: operation.WithStatus(http.StatusBadRequest, protocol.CodeInvalidRequest,
		"The body cannot be read. "+why, operation.LookUp)}
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// bodyFloor is what each principal is sure of, whatever others send: small requests.
const bodyFloor = 1 << 20
