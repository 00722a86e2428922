package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// child is an agent's process until it is reaped. What began it is not kept: its environment alone may be large.
type child struct {
	pid  int
	ends *os.File // a pidfd in the runtime's poller: whoever waits for it holds no thread; nil: there is none (before Linux 5.4, in some sandboxes)
}

// lookAgain is how often a child is looked at whose stderr has ended: that it dies is then a matter of moments, and should a system not tell of it,
// it is seen all the same.
const lookAgain = time.Second

// newChild takes over what was started. cmd must not be used afterwards. The pidfd is a copy of that of os/exec, which makes one only where all of them
// works: to ask for one ourselves would have systems refuse the start that know no pidfds.
func newChild(cmd *exec.Cmd) child {
	c := child{pid: cmd.Process.Pid}
	_ = cmd.Process.WithHandle(func(pidfd uintptr) { // fails without one
		fd, err := unix.FcntlInt(pidfd, unix.F_DUPFD_CLOEXEC, 0)
		switch {
		case err != nil:
		case unix.SetNonblock(fd, true) == nil: // else the file would not come into the poller
			c.ends = os.NewFile(uintptr(fd), "pidfd")
		default:
			_ = unix.Close(fd)
		}
	})
	_ = cmd.Process.Release()
	return c
}

// awaitDeath returns when the child has ended, and leaves it unreaped.
func (c *child) awaitDeath() {
	if c.ends != nil {
		seen := c.watch()
		_ = c.ends.Close()
		if seen {
			return
		}
	}
	for unix.Waitid(unix.P_PID, c.pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// watch waits in the poller; false: it cannot.
func (c *child) watch() bool {
	raw, err := c.ends.SyscallConn()
	if err != nil {
		return false
	}
	for {
		err = raw.Read(func(uintptr) bool { return c.dead() })
		switch {
		case err == nil, c.dead():
			return true
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return false
		}
		c.stir()
	}
}

// stir has a child looked at now and then that is about to end.
func (c *child) stir() {
	if c.ends != nil {
		_ = c.ends.SetReadDeadline(time.Now().Add(lookAgain)) // fails when its death was seen
	}
}

// dead says that the child has ended, or that it is nobody's any more.
func (c *child) dead() bool {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, c.pid, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
		if err != unix.EINTR {
			return err != nil || info.Signo != 0
		}
	}
}

// reap takes the dead child's status; it does not wait.
func (c *child) reap() ending {
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(c.pid, &status, 0, nil)
		if err != unix.EINTR {
			return ending{status: syscall.WaitStatus(status), err: err}
		}
	}
}

// noCore keeps a crashing agent from writing core files into the user's project.
func noCore(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}
