package api

import (
	"context"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// sendPiece is how much of a file goes to a client in one call: what it must take within WriteTimeout.
const sendPiece = 1 << 20

// answer is the outermost http.ResponseWriter. It arms a deadline before every write, so that a client which stops reading
// is let go and a stream may last for ever (http.Server's own WriteTimeout is for whole answers), and it counts.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	armed   time.Time       // the last deadline that was set
	route   *guard.Route    // nil: turned away
	until   context.Context // done when the caller's token is no longer valid: nothing more is sent; nil: never
	status  int             // 0: nothing sent yet
	bytes   int64
	rest    func() // the part of a handler that lasts; nil: there is none
}

// lasts has the part of a handler that lasts run when the handler has returned: the frames of huma and of the router are 2.5 KiB, and under those of a
// stream that waits they make its stack 16 KiB instead of 8.
func lasts(w http.ResponseWriter, rest func()) {
	if a, ok := w.(*answer); ok {
		a.rest = rest
		return
	}
	rest()
}

// goOn runs what lasts of a handler that has returned.
func goOn(w http.ResponseWriter) {
	if a, ok := w.(*answer); ok && a.rest != nil {
		a.rest()
	}
}

// Unwrap is for http.ResponseController.
func (w *answer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// arm gives the client the write timeout from now; seven eighths of it at least, so that a fast stream does not move the
// deadline with every write. Writers without deadlines (of tests) need none.
func (w *answer) arm() {
	now := time.Now()
	if now.Add(w.timeout).Sub(w.armed) > w.timeout/8 {
		w.armed = now.Add(w.timeout)
		_ = w.control.SetWriteDeadline(w.armed)
	}
}

func (w *answer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.arm()
	w.ResponseWriter.WriteHeader(status)
}

// revoked says that the caller may have no more of a stream; any other answer it cuts, which must not look whole.
func (w *answer) revoked() error {
	switch {
	case w.until == nil || w.until.Err() == nil:
		return nil
	case w.route.Stream:
		return &streamWriteError{errRevoked}
	}
	panic(http.ErrAbortHandler)
}

func (w *answer) Write(b []byte) (int, error) {
	if err := w.revoked(); err != nil {
		return 0, err
	}
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.arm()
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom lets net/http send files by sendfile, piece by piece, with a deadline for each.
func (w *answer) ReadFrom(src io.Reader) (sum int64, err error) {
	to, ok := w.ResponseWriter.(io.ReaderFrom)
	if !ok {
		return io.Copy(writeOnly{w}, src)
	}
	if w.status == 0 {
		w.status = http.StatusOK
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
		w.arm()
		n, err := to.ReadFrom(piece)
		sum += n
		w.bytes += n
		whole.N -= n
		if err != nil || n < want {
			return sum, err
		}
	}
	return sum, nil
}

// Flush sends what is buffered; huma and the log writer look for it.
func (w *answer) Flush() {
	w.arm()
	_ = w.control.Flush()
}

type writeOnly struct{ io.Writer }

func noteRoute(w http.ResponseWriter, rt *guard.Route) {
	if a, ok := w.(*answer); ok {
		a.route = rt
	}
}

// pattern is the route's, for logs and metrics.
func (w *answer) pattern() string {
	if w.route == nil {
		return "none"
	}
	return w.route.Pattern
}

// answers is the outermost handler: request id, safe headers, recovery, access log, metrics.
func (a *API) answers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(inner http.ResponseWriter, r *http.Request) {
		w := &answer{ResponseWriter: inner, control: http.NewResponseController(inner), timeout: a.cfg.WriteTimeout}
		id := a.cfg.NewID()
		h := w.Header()
		r = r.WithContext(access.WithRequest(r.Context(), id))
		h.Set("X-Request-Id", id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store")
		start := a.cfg.Now()
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler { //nolint:errorlint // net/http panics with this very value
					a.done(w, r, id, start)
					panic(p)
				}
				// Only the place: a panic's value may hold what a user wrote.
				a.log.Error("handler panicked", zap.String("request", id), zap.String("route", w.pattern()), zap.ByteString("stack", debug.Stack()))
				if w.status != 0 {
					a.done(w, r, id, start)
					panic(http.ErrAbortHandler) // a whole-looking half answer would be worse
				}
				writeProblem(w, internalProblem())
			}
			w.arm() // for what net/http sends after the handler
			a.done(w, r, id, start)
		}()
		next.ServeHTTP(w, r)
	})
}

// done counts and logs one request: nothing of what the client wrote, no path and no query, only the pattern. All are counted. Those that
// need no token, because they are refused or tell little, are logged at a bounded rate: otherwise anybody who reaches the port fills a disk.
func (a *API) done(w *answer, r *http.Request, id string, start time.Time) {
	failpoint.Hit("api/afterAnswer")
	took := a.cfg.Now().Sub(start)
	a.metrics.request(w.pattern(), w.route != nil && w.route.Stream, w.status, w.bytes, took)
	log := a.log
	if w.route == nil || w.route.Open {
		log = a.strangers
	}
	if ce := log.Check(zap.InfoLevel, "request"); ce != nil {
		ce.Write(zap.String("request", id), zap.String("method", knownMethod(r.Method)), zap.String("route", w.pattern()),
			zap.Int("status", w.status), zap.Int64("bytes", w.bytes), zap.Duration("took", took))
	}
}

func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}

// timedBody gives a client so long to send its body. The deadline is taken away again when the body has been read: net/http
// would end a handler that works longer.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
	timeout time.Duration
	armed   bool
}

func newTimedBody(w http.ResponseWriter, body io.ReadCloser, timeout time.Duration) io.ReadCloser {
	return &timedBody{ReadCloser: body, control: http.NewResponseController(w), timeout: timeout}
}

func (b *timedBody) Read(p []byte) (int, error) {
	if !b.armed {
		b.armed = true
		_ = b.control.SetReadDeadline(time.Now().Add(b.timeout))
	}
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.disarm()
	}
	return n, err
}

// Close reads what is left, up to a limit of net/http: still within the deadline.
func (b *timedBody) Close() error {
	err := b.ReadCloser.Close()
	b.disarm()
	return err
}

func (b *timedBody) disarm() {
	if b.armed {
		_ = b.control.SetReadDeadline(time.Time{})
	}
}

// restTime is how long a client may take to send a body that nobody has read.
const restTime = 2 * time.Second

// boundRest is for the end of a handler: net/http reads what is left of the body before it sends the answer, and without a deadline
// a client that was turned away could make it wait for ever.
func boundRest(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(restTime))
}
