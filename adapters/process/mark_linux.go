package process

import "golang.org/x/sys/unix"

// give marks a process that has just begun.
func (m mark) give(pid int) {
	var limit unix.Rlimit
	if m == 0 || unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) != nil || limit.Max < uint64(m) {
		return
	}
	limit.Cur = uint64(m)
	_ = unix.Prlimit(pid, unix.RLIMIT_LOCKS, &limit, nil)
}

// giveBelow marks an agent that has just begun. On a busy machine it may have begun others by now.
func (m mark) giveBelow(pid int) {
	m.give(pid)
	for _, f := range below(lineage(), func(f found) bool { return f.parent == pid }) {
		m.give(f.pid)
	}
}

// markOf reads the mark of a process, also of a dead one. Only our own user's can be read.
func markOf(pid int) mark {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return 0
	}
	return mark(limit.Cur)
}
