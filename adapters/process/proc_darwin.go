package process

import "golang.org/x/sys/unix"

const zombie = 5 // SZOMB of sys/proc.h

// startTime returns when a process started, in microseconds since 1970.
func startTime(pid int) (uint64, bool) {
	f, ok := look(pid)
	return f.start, ok
}

func ancestor(pid int) (found, bool) { return look(pid) }

// look returns a live process, without its marker.
func look(pid int) (found, bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return found{}, false
	}
	return describeProc(p)
}

// list returns all live processes, without their markers.
func list() []found {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var out []found
	for i := range all {
		if f, ok := describeProc(&all[i]); ok {
			out = append(out, f)
		}
	}
	return out
}

// lineage returns all live processes.
func lineage() []found { return list() }

func describeProc(p *unix.KinfoProc) (found, bool) {
	at := p.Proc.P_starttime
	return found{
		pid:    int(p.Proc.P_pid),
		parent: int(p.Eproc.Ppid),
		group:  int(p.Eproc.Pgid),
		start:  uint64(at.Sec)*1e6 + uint64(at.Usec),
	}, p.Proc.P_stat != zombie
}
