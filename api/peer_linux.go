package api

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// ownPeer says that the other end of a unix socket runs as this process's user.
func ownPeer(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	own := false
	err = raw.Control(func(fd uintptr) {
		cred, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		own = err == nil && int64(cred.Uid) == int64(os.Geteuid())
	})
	return err == nil && own
}
