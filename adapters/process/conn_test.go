package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// soon is far above what anything here takes and below the test's own limit.
const soon = 20 * time.Second

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// marker is one that no other test has.
func marker(t testing.TB) string {
	return fmt.Sprintf("test-%d/%s/1", os.Getpid(), t.Name())
}

// start starts a child; whatever happens it is gone after the test.
func start(t testing.TB, transport Transport, mode string, env ...string) *Conn {
	t.Helper()
	env = append(env, childEnv+"="+mode, adapters.MarkerEnv+"="+marker(t), noExitDelay)
	conn, err := transport.Start(t.Context(), adapters.Launch{Path: self(t), Dir: t.TempDir(), Env: env})
	if err != nil {
		t.Fatal(err)
	}
	c := conn.(*Conn)
	t.Cleanup(func() {
		c.Stop(0)
		_, _ = io.Copy(io.Discard, c.Output())
		<-c.done
		gone(t, c.id.PID)
	})
	return c
}

// finish reads the output to its end and returns it with the exit.
func finish(t testing.TB, c *Conn) (string, adapters.Exit) {
	t.Helper()
	out, err := io.ReadAll(c.Output())
	if err != nil {
		t.Fatalf("output ended with %v", err)
	}
	return string(out), c.Wait()
}

// firstLine reads one line and leaves the rest.
func firstLine(t testing.TB, c *Conn) string {
	t.Helper()
	var line []byte
	one := make([]byte, 1)
	for {
		if _, err := c.Output().Read(one); err != nil {
			t.Fatalf("output ended after %q: %v", line, err)
		}
		if one[0] == '\n' {
			return string(line)
		}
		line = append(line, one[0])
	}
}

// noLooks keeps agents that are begun from now on from being looked at until it is given back: one that speaks has that done with all a second later, in
// whichever test.
func noLooks(t *testing.T) (back func()) {
	t.Helper()
	for end := time.Now().Add(2 * watchSeldom); !agents.watching.CompareAndSwap(false, true); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("a look is due for ever")
		}
	}
	agents.mu.Lock()   // a look that has just begun knows by then whom it is about
	agents.mu.Unlock() //nolint:staticcheck // nothing is to be done in it
	return func() { agents.watching.Store(false) }
}

// gone fails when the process does not end; the kernel tells nobody but its parent.
func gone(t testing.TB, pid int) {
	t.Helper()
	for end := time.Now().Add(soon); time.Now().Before(end); runtime.Gosched() {
		if _, ok := look(pid); !ok {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

func TestExits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, child string
		stop        time.Duration // grace; zero: not stopped
		out         string
		want        adapters.Exit
	}{
		{"status 0", "exit:0", 0, "bye\n", adapters.Exit{}},
		{"status 1", "exit:1", 0, "bye\n", adapters.Exit{Code: 1}},
		{"own SIGTERM", "signal:15", 0, "bye\n", adapters.Exit{Code: -1, Signal: "terminated"}},
		{"own SIGKILL", "signal:9", 0, "bye\n", adapters.Exit{Code: -1, Signal: "killed"}},
		{"own SIGHUP", "signal:1", 0, "bye\n", adapters.Exit{Code: -1, Signal: "hangup"}},
		{"half a line", "half-line", 0, "whole\n{\"type\":\"ag", adapters.Exit{}},
		{"stopped, ends with stdin", "echo", soon, "ready\n", adapters.Exit{Requested: true}},
		{"stopped, stdout closed before", "close-stdout", soon, "", adapters.Exit{Code: 3, Requested: true}},
		{
			"stopped, ends with SIGTERM", "deaf", 8 * time.Second, "ready\n",
			adapters.Exit{Code: -1, Signal: "terminated", Requested: true},
		},
		{
			"stopped, ends with SIGKILL", "stubborn", 200 * time.Millisecond, "ready\n",
			adapters.Exit{Code: -1, Signal: "killed", Requested: true},
		},
		{"killed at once", "stubborn", -1, "ready\n", adapters.Exit{Code: -1, Signal: "killed", Requested: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := start(t, Transport{}, tt.child)
			var head string
			if tt.stop != 0 {
				if tt.out != "" {
					head = firstLine(t, c) + "\n"
				}
				c.Stop(tt.stop)
			}
			out, exit := finish(t, c)
			if head+out != tt.out {
				t.Errorf("output %q, want %q", head+out, tt.out)
			}
			if exit.Stderr = nil; fmt.Sprint(exit) != fmt.Sprint(tt.want) {
				t.Errorf("exit %+v, want %+v", exit, tt.want)
			}
		})
	}
}

func TestStopIsIdempotentAndHurries(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{}, "stubborn")
	firstLine(t, c)
	began := time.Now()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { c.Stop(time.Hour) })
	}
	wg.Wait()
	c.Stop(50 * time.Millisecond) // a later one that leaves less time
	c.Stop(time.Hour)             // and one that must not give it back
	_, exit := finish(t, c)
	if exit.Signal != "killed" || !exit.Requested {
		t.Errorf("exit %+v", exit)
	}
	if took := time.Since(began); took > soon {
		t.Errorf("took %v", took)
	}
	c.Stop(0) // after its end: nothing to do, nobody to hit
}

func TestStopAfterTheEndWasNotRequested(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{}, "exit:7")
	_, exit := finish(t, c)
	c.Stop(0)
	if exit.Requested || exit.Code != 7 {
		t.Errorf("exit %+v", exit)
	}
}

func TestWhatIsLeftBehind(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, kind string }{
		{"in the group", ""},
		{"in the group, without marker", "m"},
		{"in the group, holds stdout", "h"},
		{"in the group, holds stdout, ignores SIGTERM", "ht"},
		{"own session", "s"},
		{"own session, ignores SIGTERM", "st"},
		{"own session, holds stdout, ignores SIGTERM", "sht"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := start(t, Transport{WaitDelay: 300 * time.Millisecond}, "parent:"+tt.kind)
			out, exit := finish(t, c)
			if !exit.Clean() {
				t.Errorf("exit %+v", exit)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(out))
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := look(pid); ok {
				t.Errorf("grandchild %d survived Wait", pid)
			}
		})
	}
}

// A process that left the group and lost marker and mark cannot be found where orphans are not adopted; the output ends all the same, with what it holds.
// It runs alone, and nothing is looked at meanwhile: the stranger is no stranger if its parent lives by then.
func TestOutputEndsThoughAStrangerHoldsIt(t *testing.T) {
	defer noLooks(t)()
	c := start(t, Transport{WaitDelay: 100 * time.Millisecond}, "parent:shmu")
	<-c.done // nobody has read yet
	out, err := io.ReadAll(c.Output())
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatalf("what the agent said was lost: %q", out)
	}
	if exit := c.Wait(); !exit.Clean() {
		t.Errorf("exit %+v", exit)
	}
	if _, ok := look(pid); !ok {
		t.Error("the stranger was ended: the test does not test what it says")
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	gone(t, pid)
}

// The agent ends while its reader is late: a full pipe of output is still delivered after WaitDelay.
func TestLateReaderLosesNothing(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{WaitDelay: 50 * time.Millisecond}, "big-line:50000")
	<-c.done
	out, exit := finish(t, c)
	if want := strings.Repeat("x", 50000) + "\nafter\n"; out != want {
		t.Errorf("%d bytes, want %d", len(out), len(want))
	}
	if !exit.Clean() {
		t.Errorf("exit %+v", exit)
	}
}

// An agent blocks in its writes while nobody reads: the kernel's own back pressure.
func TestBackPressure(t *testing.T) {
	t.Parallel()
	const size = 10 << 20
	c := start(t, Transport{}, "big-line:"+strconv.Itoa(size))
	framer := NewFramer(c.Output(), size+1)
	frame, err := framer.Next()
	if err != nil || len(frame.Line) != size {
		t.Fatalf("%d bytes, %v", len(frame.Line), err)
	}
	if frame, err = framer.Next(); err != nil || string(frame.Line) != "after" {
		t.Errorf("%q, %v", frame.Line, err)
	}
	c.Wait()
}

func TestStderrFloodIsDrainedAndBounded(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{}, "stderr:200000")
	_, exit := finish(t, c)
	if exit.Code != 1 || len(exit.Stderr) != stderrLines {
		t.Fatalf("code %d, %d lines", exit.Code, len(exit.Stderr))
	}
	if last := exit.Stderr[stderrLines-1]; last != "line 199999" {
		t.Errorf("last line %q", last)
	}
	if len(c.stderr.buf) > stderrBytes {
		t.Errorf("kept %d bytes", len(c.stderr.buf))
	}
}

func TestInput(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{}, "echo")
	firstLine(t, c)
	if _, err := io.WriteString(c.Input(), "hello\n"); err != nil {
		t.Fatal(err)
	}
	if got := firstLine(t, c); got != "hello" {
		t.Errorf("got %q", got)
	}
	if err := c.Input().Close(); err != nil {
		t.Error(err)
	}
	if err := c.Input().Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	if _, exit := finish(t, c); !exit.Clean() || exit.Requested {
		t.Errorf("exit %+v", exit)
	}
	if _, err := io.WriteString(c.Input(), "late\n"); err == nil {
		t.Error("a write to an agent that is gone succeeded")
	}
}

// A write that blocks because the agent does not read ends when the agent is stopped.
func TestStopFreesABlockedWriter(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{}, "deaf")
	firstLine(t, c)
	failed := make(chan error, 1)
	go func() {
		for {
			if _, err := c.Input().Write(make([]byte, 64<<10)); err != nil {
				failed <- err
				return
			}
		}
	}()
	c.Stop(time.Minute)
	if err := <-failed; err == nil {
		t.Error("no error")
	}
	c.Stop(0)
	finish(t, c)
}

func TestStartState(t *testing.T) {
	t.Parallel()
	// Another agent's pipes are open meanwhile: none may leak into this one.
	other := start(t, Transport{}, "echo")
	firstLine(t, other)
	c := start(t, Transport{}, "state")
	out, exit := finish(t, c)
	if !exit.Clean() {
		t.Fatalf("exit %+v", exit)
	}
	for _, want := range []string{
		"fd0 nonblock=false", "fd1 nonblock=false", "fd2 nonblock=false", "leader=true", "cwd=/",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, end := range []*os.File{other.input.file, other.output.file, other.errOut.file} {
		raw, err := end.SyscallConn() // not Fd: it would make the pipe blocking
		if err != nil {
			t.Fatal(err)
		}
		_ = raw.Control(func(fd uintptr) {
			// The pipe is named by its inode, the same at both ends.
			if pipe, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err == nil && strings.Contains(out, pipe) {
				t.Errorf("%s of another agent leaked into\n%s", pipe, out)
			}
		})
	}
	if id, ok := c.Process(); !ok || id.PID == 0 || id.StartTime == 0 || id.Marker != marker(t) {
		t.Errorf("process %+v", id)
	}
}

func TestNilEnvironmentIsEmpty(t *testing.T) {
	t.Setenv(childEnv, "environ") // inherited only if the rule is broken: then the child prints it
	conn, err := Transport{}.Start(t.Context(), adapters.Launch{Path: "/usr/bin/env", Dir: t.TempDir()})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no /usr/bin/env")
	}
	if err != nil {
		t.Fatal(err)
	}
	out, _ := finish(t, conn.(*Conn))
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "PWD=") {
			t.Errorf("inherited %q", line)
		}
	}
}

func TestStartErrors(t *testing.T) { // not beside tests that fork: a child has their files open for writing until its exec
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain", "x", 0o600)
	tests := []struct {
		name, path, dir string
		op              string
		is              error
		hint            string
	}{
		{"no path", "", dir, "find", fs.ErrNotExist, "no program"},
		{"not in PATH", "no-such-agent", dir, "find", nil, "install the agent"},
		{"missing", filepath.Join(dir, "missing"), dir, "exec", fs.ErrNotExist, "install the agent"},
		{"not executable", plain, dir, "exec", fs.ErrPermission, "executable"},
		{"a folder", dir, dir, "exec", fs.ErrPermission, "executable"},
		{"no program", write("garbage", "\x01\x02\x03", 0o700), dir, "exec", syscall.ENOEXEC, "this machine"},
		{"no interpreter", write("script", "#!/no/such/interpreter\n", 0o700), dir, "exec", fs.ErrNotExist, "interpreter"},
		{"missing cwd", self(t), filepath.Join(dir, "nowhere"), "chdir", fs.ErrNotExist, "must exist"},
		{"cwd is a file", self(t), plain, "chdir", syscall.ENOTDIR, "must be a folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Transport{}.Start(t.Context(), adapters.Launch{Path: tt.path, Dir: tt.dir})
			se, ok := errors.AsType[*StartError](err)
			if !ok {
				t.Fatalf("error %v is no *StartError", err)
			}
			if se.Op != tt.op || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(se.Error(), tt.hint) {
				t.Errorf("op %s, %v", se.Op, se)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Transport{}).Start(ctx, adapters.Launch{Path: self(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled start: %v", err)
	}
}

// The context counts only until the start.
func TestConnectionOutlivesTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	conn, err := Transport{}.Start(ctx, adapters.Launch{Path: self(t), Env: []string{childEnv + "=echo", noExitDelay}})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	r := bufio.NewReader(conn.Output())
	if line, err := r.ReadString('\n'); err != nil || line != "ready\n" {
		t.Errorf("%q, %v", line, err)
	}
	_ = conn.Input().Close()
	_, _ = io.Copy(io.Discard, r)
	if exit := conn.Wait(); !exit.Clean() {
		t.Errorf("exit %+v", exit)
	}
}

// Not parallel: it counts the process's descriptors.
func TestNoDescriptorLeaks(t *testing.T) {
	defer noLooks(t)() // which opens descriptors
	count := func() int {
		dir, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc")
		}
		return len(dir)
	}
	run := func() {
		for _, child := range []string{"exit:0", "half-line", "parent:s", "stderr:10"} {
			c := start(t, Transport{}, child)
			finish(t, c)
		}
		_, _ = Transport{}.Start(t.Context(), adapters.Launch{Path: "/no/such/program"})
	}
	run() // what the runtime itself opens once
	before := count()
	for range 5 {
		run()
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	parent := []string{"PATH=/bin", "HOME=/h", "RINGMASTER_TOKEN=secret", "RINGMASTER_MARKER=outer/1/1", "AWS_KEY=k", "AWS_ID=i", "EMPTY=", "junk", "=x"}
	tests := []struct {
		name   string
		policy EnvPolicy
		marker string
		want   []string
	}{
		{"all but our own", EnvPolicy{}, "i/s/1", []string{"PATH=/bin", "HOME=/h", "AWS_KEY=k", "AWS_ID=i", "EMPTY=", "RINGMASTER_MARKER=i/s/1"}},
		{"denied", EnvPolicy{Deny: []string{"AWS_*", "HOME"}}, "", []string{"PATH=/bin", "EMPTY="}},
		{"allowed", EnvPolicy{Allow: []string{"PATH", "AWS_*", "RINGMASTER_*"}, Deny: []string{"AWS_KEY"}}, "", []string{"PATH=/bin", "AWS_ID=i"}},
		{"nothing", EnvPolicy{Deny: []string{"*"}}, "", []string{}},
	}
	for _, tt := range tests {
		if got := Environment(parent, tt.policy, tt.marker); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
