package intake

import (
	"io"
	"net/http"
	"time"
)

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

// BoundRest is for the end of a handler: net/http reads what is left of the body before it sends the answer, and without a deadline
// a client that was turned away could make it wait for ever.
func BoundRest(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(restTime))
}
