package bench

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A choir is one process that speaks for hundreds of agents. Five hundred programs with timers of their own cost more than the daemon that is measured,
// and fill the processors. So each agent is a process as ever, with its own pipes, and hands these to the choir, which sleeps and writes for all.

// choirEnv names the socket where a choir is found. Variables that begin as the daemon's own are kept from agents.
const choirEnv = "BENCH_CHOIR"

// startChoir starts one for the daemons that this test starts from now on.
func startChoir(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	hall := filepath.Join(dir, "hall")
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "choir"))
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "choir"), hall)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1)) // it listens
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(choirEnv, hall)
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// sing is the choir's process.
func sing(hall string) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: hall, Net: "unix"})
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString("!")
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			panic(err)
		}
		go speakFor(c)
	}
}

// speakFor is one agent, until its process has gone.
func speakFor(c *net.UnixConn) {
	pid, rights := make([]byte, 4), make([]byte, syscall.CmsgSpace(2*4))
	_, n, _, _, err := c.ReadMsgUnix(pid, rights)
	if err != nil {
		panic(err)
	}
	messages, err := syscall.ParseSocketControlMessage(rights[:n])
	if err != nil {
		panic(err)
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		panic(err)
	}
	for _, fd := range fds { // so that whoever waits for them holds no thread
		_ = syscall.SetNonblock(fd, true)
	}
	stdin, stdout := os.NewFile(uintptr(fds[0]), "stdin"), os.NewFile(uintptr(fds[1]), "stdout")
	go func() {
		_, _ = io.Copy(io.Discard, c) // the process lives as long
		stdin.Close()
		stdout.Close()
	}()
	converse(stdin, stdout, int(binary.BigEndian.Uint32(pid)))
	c.Close()
}

// lend is an agent whose voice is the choir's. It ends with its standard input, which the choir tells of.
func lend(hall string) {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: hall, Net: "unix"})
	if err != nil {
		panic(err)
	}
	pid := binary.BigEndian.AppendUint32(nil, uint32(os.Getpid()))
	if _, _, err := c.WriteMsgUnix(pid, syscall.UnixRights(0, 1), nil); err != nil {
		panic(err)
	}
	_, _ = c.Read(pid)
}
