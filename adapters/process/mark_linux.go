package process

import "golang.org/x/sys/unix"

// bear has this process carry the mark, so that what it begins is born with it: an agent may fork twice before anybody could mark it. restore must follow,
// and nothing else may be begun in between.
func (m mark) bear() (restore func()) {
	var own unix.Rlimit
	if m == 0 || unix.Getrlimit(unix.RLIMIT_LOCKS, &own) != nil || own.Max < uint64(m) {
		return func() {}
	}
	borne := unix.Rlimit{Cur: uint64(m), Max: own.Max}
	if unix.Prlimit(0, unix.RLIMIT_LOCKS, &borne, nil) != nil {
		return func() {}
	}
	return func() { _ = unix.Prlimit(0, unix.RLIMIT_LOCKS, &own, nil) } // it was this a moment ago
}

// bearable says that this process may carry any mark.
func bearable() bool {
	var own unix.Rlimit
	return unix.Getrlimit(unix.RLIMIT_LOCKS, &own) == nil && own.Max >= uint64(maxMark)
}

// markOf reads the mark of a process, also of a dead one. Only our own user's can be read.
func markOf(pid int) mark {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return 0
	}
	return mark(limit.Cur)
}
