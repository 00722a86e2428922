//go:build unix && !linux

package process

import (
	"os"
	"os/signal"
	"syscall"
)

// initiallyIgnored are those of which the runtime tells it.
func initiallyIgnored() (list []os.Signal) {
	for s := syscall.Signal(1); s < 32; s++ {
		if catchable(s) && signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}
