package process

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"golang.org/x/sys/unix"
)

// maxEnviron bounds what is read of a process's environment; the kernel's own limit is far above what is in use.
const maxEnviron = 4 << 20

// startTime returns when a process started, in clock ticks since boot.
func startTime(pid int) (uint64, bool) {
	f, _, ok := stat(pid)
	return f.start, ok
}

// ancestor returns a process without its marker, alive or dead.
func ancestor(pid int) (found, bool) {
	f, _, ok := stat(pid)
	return f, ok
}

// look returns a live process.
func look(pid int) (found, bool) {
	f, zombie, ok := stat(pid)
	if !ok || zombie {
		return found{}, false
	}
	f.marker, f.mark, f.cgroup = markerOf(pid), markOf(pid), cgroupOf(pid)
	return f, true
}

// list returns all live processes, without their control groups.
func list() []found {
	var out []found
	for _, pid := range pids() {
		if f, zombie, ok := stat(pid); ok && !zombie {
			f.marker, f.mark = markerOf(pid), markOf(pid)
			out = append(out, f)
		}
	}
	return out
}

// lineage returns all processes, those too that are dead and not reaped, without their markers and control groups: a tenth of the work of list.
func lineage() []found {
	var out []found
	for _, pid := range pids() {
		if f, zombie, ok := stat(pid); ok {
			f.dead = zombie
			f.mark = markOf(pid)
			out = append(out, f)
		}
	}
	return out
}

func pids() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// stat reads /proc/PID/stat (proc_pid_stat(5)).
func stat(pid int) (f found, zombie, ok bool) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return found{}, false, false
	}
	// The second field is the program's name in parentheses; it may hold anything, parentheses too.
	fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
	const state, parent, group, start = 0, 1, 2, 19 // fields 3, 4, 5 and 22
	if len(fields) <= start {
		return found{}, false, false
	}
	f.pid = pid
	f.parent, _ = strconv.Atoi(string(fields[parent]))
	f.group, _ = strconv.Atoi(string(fields[group]))
	f.start, err = strconv.ParseUint(string(fields[start]), 10, 64)
	zombie = fields[state][0] == 'Z' || fields[state][0] == 'X'
	return f, zombie, err == nil
}

// markerOf reads the marker from a process's environment, as it was at its exec. Only our own user's can be read.
func markerOf(pid int) string {
	file, err := os.Open("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	defer file.Close()
	env, _ := io.ReadAll(io.LimitReader(file, maxEnviron))
	name := []byte(adapters.MarkerEnv + "=")
	if !bytes.Contains(env, name) {
		return ""
	}
	marker := ""
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if m, ok := bytes.CutPrefix(v, name); ok {
			marker = string(m)
		}
	}
	return marker
}

// handle is a process that cannot turn into another one while it is open.
type handle struct {
	found
	fd int // a pidfd; -1 on kernels without them (before 5.3)
}

// open makes a handle of a process if it is still the same.
func open(f found) (handle, bool) {
	fd, err := unix.PidfdOpen(f.pid, 0)
	switch {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
		fd = -1 // the start time is checked at each signal instead
	case err != nil:
		return handle{}, false
	}
	h := handle{found: f, fd: fd}
	// The pidfd is of whoever has the pid now; the start time tells who that is.
	if !h.same() {
		h.close()
		return handle{}, false
	}
	return h, true
}

func (h handle) same() bool {
	now, ok := startTime(h.pid)
	return ok && now == h.start
}

func (h handle) signal(sig syscall.Signal) {
	if h.fd >= 0 {
		_ = unix.PidfdSendSignal(h.fd, sig, nil, 0)
		return
	}
	if h.same() {
		_ = syscall.Kill(h.pid, sig)
	}
}

func (h handle) close() {
	if h.fd >= 0 {
		_ = unix.Close(h.fd)
	}
}

// awaitEnds returns when all targets have ended, at the latest at the deadline.
func awaitEnds(targets []handle, deadline time.Time) {
	for _, h := range targets {
		for h.fd >= 0 {
			left := time.Until(deadline)
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(h.fd), Events: unix.POLLIN}}, max(0, int(left.Milliseconds())+1))
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if n > 0 {
				break
			}
			return
		}
		for h.fd < 0 {
			_, zombie, ok := stat(h.pid)
			if !ok || zombie || !h.same() {
				break
			}
			if !time.Now().Before(deadline) {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}
