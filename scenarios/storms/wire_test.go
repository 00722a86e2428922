package storms

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"
)

// wire is a client's connection on which HTTP is spoken by hand: when it reads, how little it takes and how it leaves is the
// client's. It can be opened again and again; its buffers stay.
type wire struct {
	d      *daemon
	room   int    // bytes of the receive buffer; 0: as the system has it
	secret string // the token; empty: the daemon's own

	conn net.Conn
	in   *bufio.Reader // of the connection
	body *bufio.Reader // of the answer
}

func newWire(d *daemon) *wire {
	return &wire{d: d, in: bufio.NewReaderSize(nil, 4<<10), body: bufio.NewReaderSize(nil, 16<<10)}
}

// dial connects.
func (w *wire) dial(ctx context.Context) error {
	dialer := net.Dialer{Timeout: 30 * time.Second}
	if w.room > 0 {
		dialer.Control = func(_, _ string, c syscall.RawConn) error {
			var failed error
			err := c.Control(func(fd uintptr) {
				failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, w.room)
			})
			return errors.Join(err, failed)
		}
	}
	conn, err := dialer.DialContext(ctx, "tcp", w.d.address)
	w.conn = conn
	return err
}

// head is the beginning of a request, with the token; more are further lines of its header.
func (w *wire) head(method, path string, more ...string) []byte {
	b := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, path, w.d.address, cmp.Or(w.secret, w.d.secret))
	for _, line := range more {
		b = append(append(b, line...), "\r\n"...)
	}
	return append(b, "\r\n"...)
}

func (w *wire) send(b []byte) error {
	_, err := w.conn.Write(b)
	return err
}

// answer reads the header of the answer.
func (w *wire) answer(within time.Duration) (*http.Response, error) {
	if err := w.conn.SetReadDeadline(time.Now().Add(within)); err != nil {
		return nil, err
	}
	w.in.Reset(w.conn)
	res, err := http.ReadResponse(w.in, nil)
	if err != nil {
		return nil, err
	}
	w.body.Reset(res.Body)
	return res, nil
}

// get asks for a path and reads the answer as far as the end of its header.
func (w *wire) get(ctx context.Context, path string, within time.Duration) error {
	if err := w.dial(ctx); err != nil {
		return err
	}
	if err := w.send(w.head(http.MethodGet, path)); err != nil {
		return err
	}
	res, err := w.answer(within)
	if err == nil && res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(w.body)
		err = fmt.Errorf("%s: %s: %s", path, res.Status, text)
	}
	return err
}

var (
	nameID   = []byte("id: ")
	nameData = []byte("data: ")
)

// frame reads the next frame of a stream that has data. The data are valid until the next call.
func (w *wire) frame() (id uint64, data []byte, err error) {
	for {
		line, err := w.body.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		line = line[:len(line)-1]
		switch {
		case bytes.HasPrefix(line, nameID):
			if id, err = strconv.ParseUint(string(line[len(nameID):]), 10, 64); err != nil {
				return 0, nil, err
			}
		case bytes.HasPrefix(line, nameData):
			return id, line[len(nameData):], nil
		}
	}
}

// leave closes the connection, in order or as a client that crashes.
func (w *wire) leave(rudely bool) {
	if w.conn == nil {
		return
	}
	if tcp, ok := w.conn.(*net.TCPConn); ok && rudely {
		_ = tcp.SetLinger(0)
	}
	_ = w.conn.Close()
	w.conn = nil
}

// closed waits until the daemon has closed the connection, and says when it had not; what it says first does not matter.
func (w *wire) closed(within time.Duration) error {
	if err := w.conn.SetReadDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, w.conn)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("the connection is open after %v", within)
	}
	return nil
}
