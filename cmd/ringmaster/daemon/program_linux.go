package daemon

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// leaveProgram takes what only the start has used of the program's file out of the daemon's memory: the pages stay in the system's cache, and come back
// where they are touched. Mappings that were changed are left alone, as a debugger's breakpoints are.
func leaveProgram() {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range unchanged(string(maps), self) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED) // what the system refuses stays
	}
}

// mapping is a part of the address space.
type mapping struct{ from, to uintptr }

// unchanged are the mappings of a file that cannot be written to and have nothing but what is in the file, from a text as proc_pid_smaps(5) has it.
func unchanged(maps, file string) (list []mapping) {
	var m mapping
	ours := false
	for line := range strings.Lines(maps) {
		line = strings.TrimSuffix(line, "\n")
		if size, is := strings.CutPrefix(line, "Anonymous:"); is {
			if ours && strings.TrimSpace(size) == "0 kB" {
				list = append(list, m)
			}
			ours = false
			continue
		}
		place, rest, _ := strings.Cut(line, " ")
		from, to, is := strings.Cut(place, "-")
		if !is {
			continue // a member of the mapping
		}
		first, err := strconv.ParseUint(from, 16, 64)
		behind, err2 := strconv.ParseUint(to, 16, 64)
		m = mapping{uintptr(first), uintptr(behind)}
		ours = err == nil && err2 == nil && behind > first && (strings.HasPrefix(rest, "r-xp ") || strings.HasPrefix(rest, "r--p ")) &&
			strings.HasSuffix(rest, " "+file)
	}
	return list
}
