//go:build unix

package daemon

import "syscall"

// keptDescriptors are enough for the files of a thousand sessions, the pipes of their agents and the readers that lag.
const keptDescriptors = 8192

// maxConnections is how many connections leave descriptors for everything else: half of them, or more where there are many.
func maxConnections() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	all := int(min(limit.Cur, 1<<30))
	return all - min(all/2, keptDescriptors)
}
