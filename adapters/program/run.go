package program

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
)

// ownPrefix begins the daemon's own variables: they may carry its token and its address.
const ownPrefix = "RINGMASTER_"

// maxSaid bounds what is kept of a program's output, in bytes.
const maxSaid = 64 << 10

// waitDelay is how long what a program left behind may hold its output open.
const waitDelay = 500 * time.Millisecond

// run runs a program to its end and returns what it said on both outputs.
func run(ctx context.Context, path string, args []string) (string, error) {
	var said head
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = environment(os.Environ())
	cmd.Stdout, cmd.Stderr = &said, &said
	err := toEnd(ctx, cmd)
	return string(said.kept), err
}

// Ask runs an agent's program in a folder, with the environment that the agent would get, to its end, or to that of ctx. It returns what the
// program said on its standard output, at most 64 KiB.
func Ask(ctx context.Context, path, dir string, env []string, args ...string) ([]byte, error) {
	var said head
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env, cmd.Stdout = dir, env, &said
	err := toEnd(ctx, cmd)
	return said.kept, err
}

func toEnd(ctx context.Context, cmd *exec.Cmd) error {
	cmd.WaitDelay = waitDelay
	// Launchers (node shims) start others: the group is ended, not the program alone.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endGroup := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = endGroup
	err := process.Run(cmd)
	switch {
	case errors.Is(err, exec.ErrWaitDelay):
		// It ended well, and something that it started did not: as long as that lives, the group's id is nobody else's.
		_ = endGroup()
		err = nil
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return err
}

func environment(daemon []string) []string {
	env := make([]string, 0, len(daemon))
	for _, v := range daemon {
		if !strings.HasPrefix(v, ownPrefix) {
			env = append(env, v)
		}
	}
	return env
}

// head keeps the beginning of what is written to it. One goroutine writes: os/exec sees to that for equal outputs.
type head struct{ kept []byte }

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), maxSaid-len(h.kept))]...)
	return len(p), nil
}
