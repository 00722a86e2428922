package fake

import (
	"bytes"
	"context"
	"net/http"
	"sync"

	"github.com/coder/websocket"
)

// socket is the face of a program that is spoken to over a websocket, the newest that was opened. Its goroutines are those of its
// server, which ends with it.
type socket struct {
	log   stderrLines
	queue *queue
	conns *listener

	mu   sync.Mutex
	open *websocket.Conn
}

func (s *socket) stderr(line string) { s.log.add(line) }
func (s *socket) cut()               { s.conns.cut() }

// write says each line in a message. What nobody listens to is lost.
func (s *socket) write(text []byte) {
	s.mu.Lock()
	ws := s.open
	s.mu.Unlock()
	if ws == nil {
		return
	}
	for line := range bytes.Lines(text) {
		_ = ws.Write(context.Background(), websocket.MessageText, bytes.TrimSpace(line)) // ends with the connection
	}
}

// ServeHTTP serves a websocket until it is lost.
func (s *socket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // the caller was told
	}
	defer func() { _ = ws.CloseNow() }() // it may have been cut
	ws.SetReadLimit(-1)
	s.mu.Lock()
	s.open = ws
	s.mu.Unlock()
	for {
		_, line, err := ws.Read(r.Context())
		if err != nil {
			break
		}
		s.queue.push(heard{line: line})
	}
	s.mu.Lock()
	if s.open == ws {
		s.open = nil
	}
	s.mu.Unlock()
}
