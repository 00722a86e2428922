package process

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// cgroups are the control groups of agents: one for each instance below this process's own group, and below that one for each agent. Controllers
// are not switched on in them, so that limits hold as before, and this process may stay where it is.
type cgroups struct {
	folder string // this process's group
	path   string // the same as /proc/PID/cgroup has it

	mu      sync.Mutex
	made    map[mark]bool // instances that may have a group
	refused bool          // no process can be begun in a group here
}

// findCgroups finds out whether groups can be made and used; nil: they cannot.
func findCgroups() *cgroups {
	folder, own := ownCgroup()
	if folder == "" || unix.Access(filepath.Join(folder, "cgroup.procs"), unix.W_OK) != nil { // of which what is begun further down leaves
		return nil
	}
	trial, err := os.MkdirTemp(folder, cgroupPrefix+"trial-*") // nothing else tells
	if err != nil {
		return nil
	}
	_ = os.Remove(trial)
	tidyCgroups(folder, time.Now().Add(-leftAfter))
	return &cgroups{folder: folder, path: own, made: map[mark]bool{}}
}

// leftAfter is how old a group is in which an agent that is being begun is long since.
const leftAfter = time.Minute

// tidyCgroups removes groups from before a time in which nothing runs: those of daemons that were killed, and not started again.
func tidyCgroups(folder string, before time.Time) {
	instances, _ := filepath.Glob(filepath.Join(folder, cgroupPrefix+"*"))
	for _, instance := range instances {
		for _, below := range append(cgroupsBelow(instance), instance) {
			if info, err := os.Stat(below); err == nil && info.ModTime().Before(before) {
				_ = unix.Rmdir(below) // the system refuses where something runs, or further groups are
			}
		}
	}
}

// ownCgroup is the group of this process in the hierarchy of version 2, beside which there may be those of version 1: its folder, and its path as
// /proc/PID/cgroup has it. Empty: there is none, or it is not mounted.
func ownCgroup() (folder, own string) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", ""
	}
	if own = pathOfCgroup("self"); own == "" {
		return "", ""
	}
	pid := strconv.Itoa(os.Getpid())
	for _, folder := range cgroupFolders(string(mounts), own) {
		procs, err := os.ReadFile(filepath.Join(folder, "cgroup.procs"))
		if err == nil && bytes.Contains(append([]byte{'\n'}, procs...), []byte("\n"+pid+"\n")) { // namespaces may call another group the same
			return folder, own
		}
	}
	return "", ""
}

// cgroupFolders are where a group is by /proc/self/mountinfo (proc_pid_mountinfo(5)).
func cgroupFolders(mounts, own string) (list []string) {
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		fields := strings.Fields(before)
		if kind, _, _ := strings.Cut(after, " "); kind != "cgroup2" || len(fields) < 5 {
			continue
		}
		root, point := fields[3], fields[4]
		if below, err := filepath.Rel(root, own); err == nil && filepath.IsLocal(below) && !strings.Contains(root+own, "/..") { // of another namespace
			list = append(list, filepath.Join(point, below))
		}
	}
	return list
}

// pathOfCgroup is the group of a process in the hierarchy of version 2, from this process's own point of view (cgroups(7)).
func pathOfCgroup(pid string) string {
	text, err := os.ReadFile("/proc/" + pid + "/cgroup")
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(text) {
		if p, ok := bytes.CutPrefix(line, []byte("0::")); ok {
			return string(bytes.TrimSuffix(p, []byte("\n")))
		}
	}
	return ""
}

// cgroupOf is the group of a process, if it is one of agents.
func cgroupOf(pid int) string {
	p := pathOfCgroup(strconv.Itoa(pid))
	for rest := p; ; {
		var ok bool
		if _, rest, ok = strings.Cut(rest, "/"+cgroupPrefix); !ok {
			return ""
		}
		instance, _, _ := strings.Cut(rest, "/")
		if _, err := strconv.ParseUint(instance, 16, 32); err == nil && len(instance) == len(cgroupName(0))-len(cgroupPrefix) { // not a unit of systemd
			return p
		}
	}
}

// agentCgroups is the pattern of the names of agents' groups.
const agentCgroups = "agent-*"

// add makes a group for an agent; nil: there is none for it.
func (g *cgroups) add(marker string) *cgroup {
	if g == nil || marker == "" {
		return nil
	}
	instance := instanceMark(marker)
	g.mu.Lock()
	refused := g.refused
	g.made[instance] = true
	g.mu.Unlock()
	if refused {
		return nil
	}
	parent := g.of(instance)
	folder, err := os.MkdirTemp(parent.folder, agentCgroups)
	if errors.Is(err, os.ErrNotExist) {
		_ = os.Mkdir(parent.folder, 0o700) // another agent's start may have done so
		folder, err = os.MkdirTemp(parent.folder, agentCgroups)
	}
	if err != nil {
		return nil
	}
	return &cgroup{folder: folder, path: path.Join(parent.path, filepath.Base(folder))}
}

// used says that agents begin in groups, as far as is known.
func (g *cgroups) used() bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.refused
}

// refusals say that processes are not begun in groups here, ever: an old kernel, a filter of system calls, a group of threads.
var refusals = []error{unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.EOPNOTSUPP}

// blame takes note of an error that an agent's start has failed with in its group, and not without it.
func (g *cgroups) blame(err error) {
	if slices.ContainsFunc(refusals, func(r error) bool { return errors.Is(err, r) }) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.refused = true
	}
}

// of is the group of an instance.
func (g *cgroups) of(instance mark) *cgroup {
	name := cgroupName(instance)
	return &cgroup{folder: filepath.Join(g.folder, name), path: path.Join(g.path, name)}
}

// place says of the processes of a table which group they are in, and adds those that have begun since. To ask each process of the machine would take
// half as long as the table.
func (g *cgroups) place(table []found) []found {
	if g == nil {
		return table
	}
	g.mu.Lock()
	made := slices.Collect(maps.Keys(g.made))
	g.mu.Unlock()
	if len(made) == 0 {
		return table
	}
	at := make(map[int]int, len(table))
	for i, f := range table {
		at[f.pid] = i
	}
	for _, instance := range made {
		for _, pid := range pidsBelow(g.of(instance).folder) {
			if i, known := at[pid]; known {
				table[i].cgroup = cgroupOf(pid)
			} else if f, ok := look(pid); ok {
				table = append(table, f)
			}
		}
	}
	return table
}

// grouped says so of all processes, also of those in groups that an earlier daemon has made elsewhere. The table may be others' too.
func grouped(table []found) []found {
	table = slices.Clone(table)
	for i := range table {
		table[i].cgroup = cgroupOf(table[i].pid)
	}
	return table
}

// remove removes an instance's group with those of all its agents, and ends what is in them.
func (g *cgroups) remove(instance mark) {
	if g != nil {
		g.of(instance).end()
	}
}

func (g *cgroups) removeAll() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for instance := range g.made {
		g.remove(instance)
	}
}

// cgroup is one group. Agents may make further ones in theirs, and one of the same user may leave it.
type cgroup struct {
	folder string
	path   string // as /proc/PID/cgroup has it
}

// begin has a command be born in the group.
func (c *cgroup) begin(cmd *exec.Cmd, start func() error) error {
	if c == nil {
		return start()
	}
	dir, err := os.Open(c.folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(dir.Fd())
	return start()
}

// holds says that a process is in the group.
func (c *cgroup) holds(f found) bool {
	return c != nil && (f.cgroup == c.path || strings.HasPrefix(f.cgroup, c.path+"/"))
}

// members are the live processes in the group.
func (c *cgroup) members() (list []found) {
	for _, pid := range pidsBelow(c.folder) {
		if f, ok := look(pid); ok && c.holds(f) { // the pid may be another one's by now
			list = append(list, f)
		}
	}
	return list
}

func pidsBelow(folder string) (list []int) {
	procs, _ := os.ReadFile(filepath.Join(folder, "cgroup.procs"))
	for line := range strings.FieldsSeq(string(procs)) {
		pid, _ := strconv.Atoi(line)
		list = append(list, pid)
	}
	for _, below := range cgroupsBelow(folder) {
		list = append(list, pidsBelow(below)...)
	}
	return list
}

// removeAgain is after how many milliseconds a group is removed again that was not empty, if the system has not told before that it is.
const removeAgain = 20

// end kills what is left in the group, and removes it. It takes sweepGrace at most.
func (c *cgroup) end() {
	if c == nil {
		return
	}
	deadline := time.Now().Add(sweepGrace)
	for !removeCgroup(c.folder, deadline) && time.Now().Before(deadline) {
		events, err := os.Open(filepath.Join(c.folder, "cgroup.events"))
		if err != nil {
			return
		}
		_, _ = events.Read(make([]byte, 256)) // what changes from here on is told
		c.kill()
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(events.Fd()), Events: unix.POLLPRI}}, removeAgain)
		_ = events.Close()
	}
}

// kill sends SIGKILL to all in the group, also to what is being begun. Kernels before 5.14 do that for one process at a time only.
func (c *cgroup) kill() {
	if os.WriteFile(filepath.Join(c.folder, "cgroup.kill"), []byte("1"), 0) == nil {
		return
	}
	for _, f := range c.members() {
		if h, ok := open(f); ok {
			h.signal(unix.SIGKILL)
			h.close()
		}
	}
}

// removeCgroup removes a group and those below it, if nothing runs there.
func removeCgroup(folder string, deadline time.Time) bool {
	err := unix.Rmdir(folder)
	if errors.Is(err, unix.EBUSY) {
		for _, below := range cgroupsBelow(folder) {
			if !removeCgroup(below, deadline) || time.Now().After(deadline) {
				return false
			}
		}
		err = unix.Rmdir(folder)
	}
	return err == nil || errors.Is(err, unix.ENOENT)
}

func cgroupsBelow(folder string) (list []string) {
	var st unix.Stat_t
	if err := unix.Stat(folder, &st); err != nil || st.Nlink <= 2 { // it has only files
		return nil
	}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	return list
}
