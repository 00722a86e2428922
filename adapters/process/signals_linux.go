package process

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// initiallyIgnored reads the mask of ignored signals (proc_pid_status(5)).
func initiallyIgnored() (list []os.Signal) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil
	}
	_, rest, _ := bytes.Cut(text, []byte("\nSigIgn:"))
	word, _, _ := bytes.Cut(rest, []byte("\n"))
	mask, _ := strconv.ParseUint(string(bytes.TrimSpace(word)), 16, 64)
	for s := syscall.Signal(1); s < 32; s++ {
		if mask&(1<<(s-1)) != 0 && catchable(s) {
			list = append(list, s)
		}
	}
	return list
}
