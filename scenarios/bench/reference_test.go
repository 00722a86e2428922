package bench

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// serveReference is the least that this can cost: reference PI AGENTS [FOLDER] starts so many agents, keeps what each says in a
// file of the folder, if there is one, and serves
//
//	GET  /N/stream  what the agent N says from now on, a frame per line, as many frames per write as there are
//	POST /N/prompt  gives it a prompt
//	GET  /file      the file named by the query's path
//
// Its first line of output is its address.
func serveReference() {
	n, err := strconv.Atoi(os.Args[2])
	file := func(i int) string {
		if len(os.Args) < 4 {
			return ""
		}
		return filepath.Join(os.Args[3], strconv.Itoa(i))
	}
	agents := make([]*shared, n)
	for i := range agents {
		if err == nil {
			agents[i], err = startShared(os.Args[1], file(i))
		}
	}
	mux := http.NewServeMux()
	agent := func(r *http.Request) *shared {
		i, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || i >= len(agents) {
			panic(http.ErrAbortHandler)
		}
		return agents[i]
	}
	mux.HandleFunc("GET /{n}/stream", func(w http.ResponseWriter, r *http.Request) { agent(r).stream(w, r) })
	mux.HandleFunc("POST /{n}/prompt", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		fmt.Fprintf(agent(r).in, `{"id":"1","type":"prompt","message":%q}`+"\n", text)
	})
	mux.HandleFunc("GET /file", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Clean(r.URL.Query().Get("path")))
	})
	var l net.Listener
	if err == nil {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("http://%s\n", l.Addr())
	go func() { // ends with the one who started it
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Fprintln(os.Stderr, http.Serve(l, mux))
}

// shared is the log of one agent.
type shared struct {
	in      io.Writer
	journal disk.Writer // what was said, before it is shown; nil: nowhere
	dirty   bool        // it is synced within 100 ms, as the daemon's journals are; guarded by mu

	mu      sync.Mutex
	log     []byte
	grown   chan struct{} // closed when the log has grown
	readers int
}

func startShared(pi, file string) (*shared, error) {
	cmd := exec.Command(pi)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &shared{in: in, grown: make(chan struct{})}
	if file != "" {
		if s.journal, err = disk.OS().Create(file); err != nil {
			return nil, err
		}
	}
	go s.read(bufio.NewReaderSize(out, 64<<10))
	return s, cmd.Start()
}

// read takes the agent's lines, all that are there at once.
func (s *shared) read(lines *bufio.Reader) {
	var frames []byte
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		frames = append(append(append(frames, "data: "...), line...), '\n')
		if lines.Buffered() > 0 && len(frames) < 64<<10 {
			continue
		}
		if s.journal != nil {
			if _, err := s.journal.Write(frames); err != nil {
				return
			}
		}
		s.mu.Lock()
		if s.journal != nil && !s.dirty {
			s.dirty = true
			time.AfterFunc(100*time.Millisecond, s.sync)
		}
		if s.readers == 0 && len(s.log) > 64<<20 {
			s.log = s.log[:0] // nobody misses it
		}
		s.log = append(s.log, frames...)
		close(s.grown)
		s.grown = make(chan struct{})
		s.mu.Unlock()
		frames = frames[:0]
	}
}

func (s *shared) sync() {
	s.mu.Lock()
	s.dirty = false
	s.mu.Unlock()
	_ = s.journal.Sync()
}

func (s *shared) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	s.mu.Lock()
	at := len(s.log)
	s.readers++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.readers--
		s.mu.Unlock()
	}()
	_, _ = io.WriteString(w, ": reference\n\n")
	_ = control.Flush()
	for {
		s.mu.Lock()
		frames, grown := s.log[at:], s.grown
		s.mu.Unlock()
		if len(frames) == 0 {
			select {
			case <-grown:
				continue
			case <-r.Context().Done():
				return
			}
		}
		frames = frames[:min(len(frames), 256<<10)]
		if _, err := w.Write(frames); err != nil || control.Flush() != nil {
			return
		}
		at += len(frames)
	}
}
