package guard

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// ownPeer says that the other end of a unix socket runs as this process's user, and which process it was that connected; 0: one that cannot be
// seen from here.
func ownPeer(c *net.UnixConn) (own bool, pid int) {
	raw, err := c.SyscallConn()
	if err != nil {
		return false, 0
	}
	err = raw.Control(func(fd uintptr) {
		cred, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		if own = err == nil && int64(cred.Uid) == int64(os.Geteuid()); own {
			pid = int(cred.Pid)
		}
	})
	return err == nil && own, pid
}
