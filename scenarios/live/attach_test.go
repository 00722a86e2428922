package live

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// server is an agent that somebody else runs, and that sessions are attached to.
type server struct {
	*world
	env  []string
	args []string
	cmd  *exec.Cmd
	out  *bufio.Scanner
}

// serve runs the agent's program in the daemon's folder until the row is over. It is not the daemon's: it may not end with it.
func (w *world) serve(env []string, args ...string) *server {
	w.Helper()
	s := &server{world: w, env: env, args: args}
	s.start()
	w.server = s
	w.Cleanup(func() {
		if _, alive := look(fmt.Sprintf("/proc/%d", s.cmd.Process.Pid)); !alive {
			w.Error("the server that sessions were attached to has ended")
		}
		s.kill()
	})
	return s
}

func (s *server) start() {
	s.Helper()
	s.cmd = exec.Command(s.agent.program(), s.args...)
	s.cmd.Dir, s.cmd.Env = s.daemon.cwd, append(os.Environ(), s.env...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		s.Fatal(err)
	}
	s.out = bufio.NewScanner(out)
}

func (s *server) kill() {
	s.Helper()
	if err := syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		s.Error(err)
	}
	var exit *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		s.Error(err)
	}
}

// attachOpenCode starts a server with a password.
func attachOpenCode(w *world) setting {
	_, port, _ := strings.Cut(w.freeAddress(), ":") // with 0 two that start at once would want the same
	s := w.serve([]string{"OPENCODE_SERVER_PASSWORD=heron"}, "serve", "--hostname", "127.0.0.1", "--port", port)
	listening := regexp.MustCompile(`listening on (http://\S+)`)
	for s.out.Scan() {
		if m := listening.FindStringSubmatch(s.out.Text()); m != nil {
			return with("endpoint", map[string]string{"url": m[1], "username": "opencode", "password": "heron"})
		}
	}
	w.Fatalf("the server does not listen: %v", s.out.Err())
	return nil
}

func (w *world) freeAddress() string {
	w.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil { // free again, and nobody else takes ports here
		w.Fatal(err)
	}
	return address
}

// attachCodexPort starts a server that speaks over a websocket.
func attachCodexPort(w *world) setting {
	address := w.freeAddress()
	w.serve(nil, "app-server", "--listen", "ws://"+address)
	eventually(w, "the server", func() bool {
		resp, err := http.Get("http://" + address + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	return with("endpoint", map[string]string{"url": "ws://" + address})
}

// attachCodexSocket starts a server that speaks over a unix socket.
func attachCodexSocket(w *world) setting {
	dir, err := os.MkdirTemp("", "live") // sockets want short paths
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			w.Error(err)
		}
	})
	path := filepath.Join(dir, "codex.sock")
	w.serve(nil, "app-server", "--listen", "unix://"+path)
	eventually(w, "the server", func() bool {
		c, err := net.Dial("unix", path)
		if err != nil {
			return false
		}
		return c.Close() == nil
	})
	return with("endpoint", map[string]string{"url": "unix://" + path})
}
