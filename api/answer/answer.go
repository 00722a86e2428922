package answer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// sendPiece is how much of a file goes to a client in one call: what it must take within WriteTimeout.
const sendPiece = 1 << 20

// Writer is the outermost http.ResponseWriter. It arms a deadline before every write, so that a client which stops reading
// is let go and a stream may last for ever (http.Server's own WriteTimeout is for whole answers), and it counts.
type Writer struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	armed   time.Time       // the last deadline that was set
	Route   *guard.Route    // nil: turned away
	Until   context.Context // done when the caller's token is no longer valid: nothing more is sent; nil: never
	Status  int             // 0: nothing sent yet
	Bytes   int64
	rest    func() // the part of a handler that lasts; nil: there is none
}

// New makes the writer of one answer; timeout is for a client to take what one write holds.
func New(w http.ResponseWriter, timeout time.Duration) *Writer {
	return &Writer{ResponseWriter: w, control: http.NewResponseController(w), timeout: timeout}
}

// Lasts has the part of a handler that lasts run when the handler has returned: the frames of huma and of the router are 2.5 KiB, and under those of a
// stream that waits they make its stack 16 KiB instead of 8.
func Lasts(w http.ResponseWriter, rest func()) {
	if a, ok := w.(*Writer); ok {
		a.rest = rest
		return
	}
	rest()
}

// GoOn runs what lasts of a handler that has returned.
func GoOn(w http.ResponseWriter) {
	if a, ok := w.(*Writer); ok && a.rest != nil {
		a.rest()
	}
}

// Safe sets the headers of every answer.
func Safe(h http.Header, id string) {
	h.Set("X-Request-Id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
}

// Unwrap is for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Arm gives the client the write timeout from now; seven eighths of it at least, so that a fast stream does not move the
// deadline with every write. Writers without deadlines (of tests) need none.
func (w *Writer) Arm() {
	now := time.Now()
	if now.Add(w.timeout).Sub(w.armed) > w.timeout/8 {
		w.armed = now.Add(w.timeout)
		_ = w.control.SetWriteDeadline(w.armed)
	}
}

// WriteHeader sends the status, and notes the first one.
func (w *Writer) WriteHeader(status int) {
	if w.Status == 0 {
		w.Status = status
	}
	w.Arm()
	w.ResponseWriter.WriteHeader(status)
}

// ErrRevoked ends what is sent to a caller whose token is void.
var ErrRevoked = errors.New("the token is no longer valid")

// revoked says that the caller may have no more of a stream; any other answer it cuts, which must not look whole.
func (w *Writer) revoked() error {
	switch {
	case w.Until == nil || w.Until.Err() == nil:
		return nil
	case w.Route.Stream:
		return Lost(ErrRevoked)
	}
	panic(http.ErrAbortHandler)
}

func (w *Writer) Write(b []byte) (int, error) {
	if err := w.revoked(); err != nil {
		return 0, err
	}
	if w.Status == 0 {
		w.Status = http.StatusOK
	}
	w.Arm()
	n, err := w.ResponseWriter.Write(b)
	w.Bytes += int64(n)
	return n, err
}

// ReadFrom lets net/http send files by sendfile, piece by piece, with a deadline for each.
func (w *Writer) ReadFrom(src io.Reader) (sum int64, err error) {
	to, ok := w.ResponseWriter.(io.ReaderFrom)
	if !ok {
		return io.Copy(writeOnly{w}, src)
	}
	if w.Status == 0 {
		w.Status = http.StatusOK
	}
	whole, limited := src.(*io.LimitedReader) // net/http looks for a file behind one limit, not behind two
	if !limited {
		whole = &io.LimitedReader{R: src, N: 1<<63 - 1}
	}
	for whole.N > 0 {
		piece := &io.LimitedReader{R: whole.R, N: min(whole.N, sendPiece)}
		want := piece.N
		if err := w.revoked(); err != nil {
			return sum, err
		}
		w.Arm()
		n, err := to.ReadFrom(piece)
		sum += n
		w.Bytes += n
		whole.N -= n
		if err != nil || n < want {
			return sum, err
		}
	}
	return sum, nil
}

// Flush sends what is buffered; huma and the log writer look for it.
func (w *Writer) Flush() {
	w.Arm()
	_ = w.control.Flush()
}

type writeOnly struct{ io.Writer }

// NoteRoute says to whose route an answer belongs; until then the request has been turned away.
func NoteRoute(w http.ResponseWriter, rt *guard.Route) {
	if a, ok := w.(*Writer); ok {
		a.Route = rt
	}
}

// Pattern is the route's, for logs and metrics.
func (w *Writer) Pattern() string {
	if w.Route == nil {
		return "none"
	}
	return w.Route.Pattern
}

// writeError says that a client did not take a frame: it left, or it stopped reading for WriteTimeout.
type writeError struct{ err error }

func (e *writeError) Error() string { return "write: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// Lost marks an error as one of the client's side, which nobody needs to hear of.
func Lost(err error) error { return &writeError{err} }

// IsLost says that the client has not taken what was sent.
func IsLost(err error) bool {
	var write *writeError
	return errors.As(err, &write)
}

// LostBy marks the errors of a writer as those of the client's side.
func LostBy(w io.Writer) io.Writer { return &sender{w} }

type sender struct{ w io.Writer }

func (s *sender) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	if err != nil {
		err = Lost(err)
	}
	return n, err
}
