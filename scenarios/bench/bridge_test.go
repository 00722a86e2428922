package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
)

// serveBridge is what stands between agents and a broker: bridge PI AGENTS WIRE ADDRESS starts so many agents and publishes what each of them says,
// a message a line, as many lines per write as there are. POST /N/prompt gives the agent N a prompt. Its first line of output is its address.
func serveBridge() {
	n, err := strconv.Atoi(os.Args[2])
	w := wires[os.Args[3]]
	agents := make([]io.Writer, n)
	for i := range agents {
		if err == nil {
			agents[i], err = bridge(os.Args[1], w, os.Args[4], topic(i))
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{n}/prompt", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		i, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || i >= len(agents) {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprintf(agents[i], `{"id":"1","type":"prompt","message":%q}`+"\n", text)
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

// topic is where the agent i is heard.
func topic(i int) string { return "s." + strconv.Itoa(i) }

// bridge starts one agent, and gives what takes its prompts.
func bridge(pi string, w wire, address, topic string) (io.Writer, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	to := &speaker{conn: conn}
	if err := to.write([]byte(w.hello)); err != nil {
		return nil, err
	}
	go to.answers()
	cmd := exec.Command(pi)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	go func() { // ends with the agent
		var frames []byte
		for lines := bufio.NewReaderSize(out, 64<<10); ; {
			line, err := lines.ReadSlice('\n')
			if err != nil {
				return
			}
			frames = w.publish(frames, topic, bytes.TrimSuffix(line, []byte("\n")))
			if lines.Buffered() > 0 && len(frames) < 64<<10 {
				continue
			}
			if err := to.write(frames); err != nil {
				fmt.Fprintln(os.Stderr, "bridge:", err)
				return
			}
			frames = frames[:0]
		}
	}()
	return in, cmd.Start()
}

// speaker is a connection that publishes.
type speaker struct {
	mu   sync.Mutex
	conn net.Conn
}

func (s *speaker) write(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.conn.Write(b)
	return err
}

// answers takes what the broker says, and tells one that asks that somebody is there.
func (s *speaker) answers() {
	buf := make([]byte, 64<<10)
	for {
		n, err := s.conn.Read(buf)
		if err != nil {
			return
		}
		if bytes.Contains(buf[:n], []byte("PING\r\n")) {
			_ = s.write([]byte("PONG\r\n"))
		}
	}
}
