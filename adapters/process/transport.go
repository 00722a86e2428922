package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// DefaultWaitDelay is how long what an agent left behind may take to end after the agent's own death.
const DefaultWaitDelay = 2 * time.Second

// Transport starts agents as child processes. The zero value is ready to use; it is safe for concurrent use.
type Transport struct {
	// WaitDelay is how long Output may stay open, and processes of the agent may live, after the agent's death; zero
	// means DefaultWaitDelay.
	WaitDelay time.Duration
}

// Start starts the program of launch in a process group of its own. The agent gets launch.Env and nothing else: a nil
// Env is an empty one, never the daemon's. The value of adapters.MarkerEnv in it is the agent's marker. ctx counts only
// until the start. Errors are of type *StartError, or that of ctx.
func (t Transport) Start(ctx context.Context, launch adapters.Launch) (adapters.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, err := locate(launch.Path, launch.Dir)
	if err != nil {
		return nil, err
	}
	pipes, err := openPipes()
	if err != nil {
		return nil, &StartError{Op: "pipe", Path: path, Hint: "the daemon is out of file descriptors", Err: err}
	}
	b, err := agents.bear(markerIn(launch.Env), func() *exec.Cmd {
		return &exec.Cmd{
			Path:        path,
			Args:        append([]string{launch.Path}, launch.Args...),
			Dir:         launch.Dir,
			Env:         append([]string{}, launch.Env...),
			Stdin:       pipes.stdin.read,
			Stdout:      pipes.stdout.write,
			Stderr:      pipes.stderr.write,
			SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
		}
	})
	pipes.closeChildEnds()
	if err != nil {
		pipes.closeOurEnds()
		return nil, execError(path, err)
	}
	noCore(b.cmd.Process.Pid)

	delay := t.WaitDelay
	if delay <= 0 {
		delay = DefaultWaitDelay
	}
	return newConn(b, pipes, delay), nil
}

// pipe is one pipe between us and an agent.
type pipe struct{ read, write *os.File }

type pipes struct{ stdin, stdout, stderr pipe }

func openPipes() (p pipes, err error) {
	for _, one := range []*pipe{&p.stdin, &p.stdout, &p.stderr} {
		if one.read, one.write, err = os.Pipe(); err != nil {
			p.closeChildEnds()
			p.closeOurEnds()
			return pipes{}, err
		}
	}
	return p, nil
}

// closeChildEnds closes what the child has got copies of: only then the pipes end when the child does.
func (p pipes) closeChildEnds() {
	closeAll(p.stdin.read, p.stdout.write, p.stderr.write)
}

func (p pipes) closeOurEnds() {
	closeAll(p.stdin.write, p.stdout.read, p.stderr.read)
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}
