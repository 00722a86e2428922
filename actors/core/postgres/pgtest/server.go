// Package pgtest has PostgreSQL servers for tests: private ones, made of the programs that are installed, on a loopback port and in a folder that goes with
// them. They sync what they commit, as those of operators do, and can be killed.
package pgtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/server"
)

// Role is the superuser of a private server, who needs no password. Locked is a role that needs one: Password.
const (
	Role     = "ringmaster"
	Locked   = "locked"
	Password = "unguessable-secret" //nolint:gosec // of a database that lasts as long as a test
)

// Server is a private server. Its methods are for one goroutine.
type Server struct {
	programs server.Programs
	folder   string
	port     int
	run      *exec.Cmd      // a shell around the server, which ends it with this process; nil: it does not run
	hold     io.WriteCloser // the shell's standard input: the server lives as long as it is open
	gone     chan struct{}  // closed when no process of the server is left
}

// guard ends the server when its standard input ends: with this process, however that ends.
const guard = `"$@" & server=$!; read -r _; kill -QUIT $server 2>/dev/null; wait $server`

// Start makes a server with empty databases and starts it.
func Start(ctx context.Context) (*Server, error) {
	programs, err := server.Find(ctx, 0)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	s := &Server{programs: programs, folder: folder}
	if err = s.make(ctx); err == nil {
		err = s.Restart()
	}
	if err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// make makes the server's folder.
func (s *Server) make(ctx context.Context) error {
	if err := handOver(s.folder); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, s.programs.Path("initdb"),
		"-D", s.data(), "-U", Role, "--auth=trust", "--no-locale", "-E", "UTF8", "--no-sync")
	cmd.Dir, cmd.SysProcAttr = s.folder, server.As()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	rules := "host replication " + Role + " 127.0.0.1/32 trust\nhost all " + Locked + " 127.0.0.1/32 scram-sha-256\nhost all " + Role + " 127.0.0.1/32 trust\n"
	return os.WriteFile(filepath.Join(s.data(), "pg_hba.conf"), []byte(rules), 0o644) //nolint:gosec // another user reads it
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// Restart starts the server that Crash has killed, and waits until it takes connections.
func (s *Server) Restart() error {
	if s.port == 0 {
		var err error
		if s.port, err = Port(); err != nil {
			return err
		}
	}
	args := []string{"-c", guard, "guard", s.programs.Path("postgres"), "-D", s.data()}
	for _, setting := range []string{
		"port=" + strconv.Itoa(s.port), "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=on", "shared_buffers=64MB", "max_connections=100",
	} {
		args = append(args, "-c", setting)
	}
	cmd := exec.Command("/bin/sh", args...) // it ends with its input
	cmd.Dir, cmd.SysProcAttr = s.folder, server.As()
	hold, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.run, s.hold, s.gone = cmd, hold, make(chan struct{})
	ready := make(chan error, 1)
	go drain(said, ready, s.gone)
	if err := <-ready; err != nil {
		return errors.Join(err, s.end())
	}
	return nil
}

// drain reads what the server says, which ends with its last process, and tells when it is ready.
func drain(said io.Reader, ready chan<- error, gone chan<- struct{}) {
	defer close(gone)
	lines := bufio.NewScanner(said)
	var last []string
	for lines.Scan() {
		line := lines.Text()
		if strings.Contains(line, "ready to accept ") && strings.HasSuffix(line, "connections") {
			ready <- nil
			_, _ = io.Copy(io.Discard, said)
			return
		}
		last = append(last, line)
	}
	ready <- errors.New("the server has ended: " + strings.Join(last, "\n"))
}

// Crash kills the server's first process, as `kill -9` does; the others end when they find out. It waits for the last one.
func (s *Server) Crash() error {
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	return s.end()
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() {
	_ = s.end() // it was told to go at once, and says so
	_ = os.RemoveAll(s.folder)
}

func (s *Server) end() error {
	if s.run == nil {
		return nil
	}
	err := s.hold.Close()
	<-s.gone
	_ = s.run.Wait() // the status of what was killed
	s.run = nil
	return err
}

// URL is the address of one of the server's databases for its superuser.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", Role, s.port, database)
}

// Save keeps a copy of what a server has that Crash has killed, for Restore.
func (s *Server) Save() error {
	return s.copy(s.data(), s.saved())
}

// Restore has a server that Crash has killed be what it was at Save, as one has that is restored from a backup.
func (s *Server) Restore() error {
	return s.copy(s.saved(), s.data())
}

func (s *Server) saved() string { return filepath.Join(s.folder, "saved") }

func (s *Server) copy(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
