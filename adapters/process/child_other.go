//go:build unix && !linux

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

// child is an agent's process until it is reaped.
type child struct {
	cmd *exec.Cmd
	end ending
}

func newChild(cmd *exec.Cmd) child { return child{cmd: cmd} }

// awaitDeath cannot wait without reaping here: the agent's end is noticed by its reaping.
func (c *child) awaitDeath() {
	err := c.cmd.Wait()
	if _, isExit := errors.AsType[*exec.ExitError](err); isExit {
		err = nil
	}
	c.end.err = err
	if state := c.cmd.ProcessState; state != nil {
		c.end.status, _ = state.Sys().(syscall.WaitStatus)
	}
}

func (*child) stir() {}

func (c *child) reap() ending { return c.end }

func noCore(int) {}
