//go:build unix && !linux

package process

import (
	"syscall"
	"time"
)

// handle is a process that is signalled by its pid, after its start time was compared.
type handle struct{ found }

func open(f found) (handle, bool) {
	h := handle{found: f}
	return h, h.same()
}

func (h handle) same() bool {
	now, ok := startTime(h.pid)
	return ok && now == h.start
}

func (h handle) signal(sig syscall.Signal) {
	if h.same() {
		_ = syscall.Kill(h.pid, sig)
	}
}

func (h handle) close() {}

func awaitEnds(targets []handle, deadline time.Time) {
	for _, h := range targets {
		for h.same() && time.Now().Before(deadline) {
			time.Sleep(5 * time.Millisecond)
		}
	}
}
