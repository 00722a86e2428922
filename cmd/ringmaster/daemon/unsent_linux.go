package daemon

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxUnsent is how much of an answer the system takes off a handler's hands before the client has room for it, in bytes. Left to
// itself it takes 2.5 MiB on loopback, for each client that does not read; with this one it takes little more than this. What is
// under way to a client that reads is not bounded by it.
const maxUnsent = 48 << 10

// boundUnsent is for net.ListenConfig: connections inherit it from their listener.
func boundUnsent(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, maxUnsent)
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("bound what is unsent: %w", err)
	}
	return nil
}
