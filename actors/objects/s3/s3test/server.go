// Package s3test has S3 servers for tests: versitygw, on a loopback port and in a folder that goes with it. It keeps plain files, does what S3 says of
// conditions and signatures, and can be killed. tools/objects.sh installs it.
package s3test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Env names the program. Tests that need it are skipped where it names none.
const Env = "RINGMASTER_TEST_VERSITYGW"

// What every server has.
const (
	ID     = "ringmaster"
	Secret = "unguessable-secret" //nolint:gosec // of a server that lasts as long as a test
	Bucket = "sessions"
	Region = "eu-test-1"
	Domain = "s3.test" // a bucket is at BUCKET.Domain, too
)

// Server is a private server. Its methods are for one goroutine.
type Server struct {
	program string
	folder  string
	port    int
	run     *exec.Cmd      // a shell around the server, which ends it with this process; nil: it does not run
	hold    io.WriteCloser // the shell's standard input: the server lives as long as it is open
}

// guard ends the server when its standard input ends: with this process, however that ends.
const guard = `"$@" & server=$!; read -r _; kill -KILL $server 2>/dev/null; wait $server 2>/dev/null`

// Start makes a server with an empty bucket, which goes with the test. The test is skipped where there is no program for it.
func Start(t testing.TB) *Server {
	t.Helper()
	program := os.Getenv(Env)
	if program == "" {
		t.Skip(Env + " names no versitygw: tools/objects.sh installs it and runs this test")
	}
	s := &Server{program: program, folder: t.TempDir()}
	t.Cleanup(s.Kill)
	for _, dir := range []string{"data/" + Bucket, "meta"} {
		if err := os.MkdirAll(filepath.Join(s.folder, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// Endpoint is where the server is, without TLS.
func (s *Server) Endpoint() string { return fmt.Sprintf("http://%s", s.Address()) }

// Address is host and port.
func (s *Server) Address() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// Folder has the bucket's objects as files.
func (s *Server) Folder() string { return filepath.Join(s.folder, "data", Bucket) }

// Kill ends the server at once, in the middle of whatever it does, and waits for its end.
func (s *Server) Kill() {
	if s.run == nil {
		return
	}
	_ = s.hold.Close()
	_ = s.run.Wait() // it was killed
	s.run = nil
}

// Restart begins a life of the server, on the port of the lives before, and waits until it answers.
func (s *Server) Restart(ctx context.Context) error {
	s.Kill()
	if s.port == 0 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s.port = l.Addr().(*net.TCPAddr).Port
		_ = l.Close()
	}
	said, err := os.OpenFile(filepath.Join(s.folder, "said"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer said.Close()
	s.run = exec.Command("sh", "-c", guard, "sh", s.program, "--port", s.Address(), "--access", ID, "--secret", Secret, "--region", Region,
		"--virtual-domain", Domain, "--quiet", "posix", "--sidecar", filepath.Join(s.folder, "meta"), filepath.Join(s.folder, "data"))
	s.run.Stdout, s.run.Stderr = said, said
	s.run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.hold, err = s.run.StdinPipe(); err != nil {
		return err
	}
	if err := s.run.Start(); err != nil {
		s.run = nil
		return err
	}
	for ctx.Err() == nil {
		var c net.Conn
		if c, err = (&net.Dialer{}).DialContext(ctx, "tcp", s.Address()); err == nil {
			return c.Close()
		}
	}
	text, _ := os.ReadFile(said.Name())
	return fmt.Errorf("the server does not answer: %w: %s", errors.Join(err, ctx.Err()), text)
}
