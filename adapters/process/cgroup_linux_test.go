package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// everything is a way of hiding that leaves nothing to know a process by but its control group: environment, limits, session, process group, streams
// and parents are others.
const everything = `(env -i "PATH=$PATH" setsid bash -c 'ulimit -S -x unlimited; cd /; (setsid LOOP <&- >&- 2>&- &); exit' <&- >&- 2>&- &)`

// withGroups skips a test where no groups can be made.
func withGroups(t *testing.T) {
	t.Helper()
	t.Parallel()
	if findCgroups() == nil {
		t.Skip("no control group can be made below that of this process: there is no cgroup v2, or it is not delegated")
	}
}

// What an agent's tools have begun ends with it, however it hides, and also while another agent is alive that it could be of.
func TestGroupOfAnAgentEnds(t *testing.T) {
	withGroups(t)
	for way := range hidings() {
		for end := range ends {
			t.Run(way+", "+end, func(t *testing.T) {
				t.Parallel()
				apart(t, "grouped:"+way+"|"+end)
			})
		}
	}
}

func hidings() map[string]string {
	all := map[string]string{"everything": everything}
	for way, script := range ways {
		all[way] = script
	}
	return all
}

// What nothing but its group tells of is asked to end before it is made to.
func TestGroupIsAskedFirst(t *testing.T) { withGroups(t); apart(t, "asked:") }

// What begins the next one and ends, again and again, is not there any more when a sweep signals it.
func TestGroupOfOneThatRunsAhead(t *testing.T) { withGroups(t); apart(t, "ahead:") }

// What an agent does with its own group keeps nobody in it.
func TestGroupWithGroups(t *testing.T) { withGroups(t); apart(t, "subgroups:") }

// What has hidden completely ends at the next daemon's start if the first was killed.
func TestGroupsOfAKilledDaemon(t *testing.T) { withGroups(t); apart(t, "boot:") }

// Orphans of an interrupted turn are known by their group while another agent is alive; the whole process table is looked at last, for one that has
// left the group.
func TestGroupsOrphansOfATurn(t *testing.T) { withGroups(t); apart(t, "group-turn:") }

// An agent starts where groups are refused, in none; where the system refuses them for ever it is not asked again.
func TestGroupIsRefused(t *testing.T) {
	for _, how := range []string{"filtered", "no group", "gone", "threads"} {
		t.Run(how, func(t *testing.T) { withGroups(t); apart(t, "refused:"+how) })
	}
}

// A program that cannot be started leaves no group.
func TestGroupOfNobody(t *testing.T) { withGroups(t); apart(t, "nobody:") }

func init() {
	for mode, run := range map[string]func(string){
		"grouped": ofGroup, "asked": asked, "ahead": ahead, "subgroups": subgroups, "boot": boot, "group-turn": groupTurn, "refused": refused, "nobody": nobody,
	} {
		children[mode] = func(arg string) {
			release, ungroup := Adopt(), UseCgroups()
			groups := agents.groups()
			check(groups != nil, "no groups")
			run(arg)
			release()
			ungroup()
			left, _ := filepath.Glob(filepath.Join(groups.folder, cgroupName(instanceMark(hold("test")))))
			check(len(left) == 0, "groups are left: %s", left)
			fmt.Println("ok")
		}
	}
	children["held"] = func(string) { held(); fmt.Println("ok") }
	children["boot-daemon"] = func(string) {
		Adopt()
		UseCgroups()
		agent("one", strings.ReplaceAll(everything, "LOOP", loop("tool")))
		f := awaitRunning("tool")
		fmt.Println(f.pid, f.start, hold("test"))
		linger()
	}
}

func ofGroup(arg string) {
	way, end, _ := strings.Cut(arg, "|")
	two := agent("two", loop("neighbour")+" &")
	one := agent("one", strings.ReplaceAll(hidings()[way], "LOOP", loop("tool")))
	tool := awaitRunning("tool")
	awaitRunning("neighbour")
	check(OfAgent(tool.pid), "it is not known as an agent's")
	ends[end](one)
	one.Wait()
	none("tool")
	_, err := os.Stat(one.cgroup.folder)
	check(os.IsNotExist(err), "its group is left: %v", err)
	awaitRunning("neighbour")
	two.Stop(0)
	two.Wait()
	none("neighbour")
}

func asked(string) {
	dir, err := os.MkdirTemp("", "asked-*")
	check(err == nil, "%v", err)
	defer os.RemoveAll(dir)
	heard, script := filepath.Join(dir, "heard"), filepath.Join(dir, "tool")
	check(os.WriteFile(script, []byte(`trap ': > '"$1"'; exit' TERM; : > "$1-ready"; while :; do sleep 0.05; done`), 0o600) == nil, "write")
	two := agent("two", "")
	// It has time to hear also where the machine has much to do: an agent of the other tests has half a second.
	one := agentFor("one", strings.ReplaceAll(everything, "LOOP", "bash "+script+" "+heard), soon)
	await("the tool", func() bool { _, err := os.Stat(heard + "-ready"); return err == nil })
	one.Stop(time.Second)
	one.Wait()
	_, err = os.Stat(heard)
	check(err == nil, "it was not asked: %v", err)
	two.Stop(0)
	two.Wait()
}

func ahead(string) {
	two := agent("two", "")
	// One that heard SIGTERM could end by it, where a sweep happens to meet it. This one ignores SIGTERM, and outlasts the rounds of a sweep.
	one := agentFor("one", `env -i "PATH=$PATH" setsid bash -c 'ulimit -S -x unlimited; trap "" TERM; f() { [ $SECONDS -gt 30 ] || f & }; f' <&- >&- 2>&- &`, soon)
	seen := map[string]bool{}
	await("its being on its way", func() bool {
		procs, err := os.ReadFile(filepath.Join(one.cgroup.folder, "cgroup.procs"))
		check(err == nil, "%v", err)
		for pid := range strings.FieldsSeq(string(procs)) {
			seen[pid] = true
		}
		return len(seen) > 20
	})
	one.Stop(time.Second)
	one.Wait()
	_, err := os.Stat(one.cgroup.folder) // that of one that runs cannot be removed
	one.cgroup.kill()                    // a test that fails leaves nothing
	check(os.IsNotExist(err), "it runs on: %v", err)
	two.Stop(0)
	two.Wait()
}

func subgroups(string) {
	c := agent("one", `while read -r line; do eval "$line"; done`)
	inner := filepath.Join(c.cgroup.folder, "a", "b")
	_, err := fmt.Fprintf(c.Input(), "mkdir -p %[1]s/c %[1]s/d; (echo $BASHPID > %[1]s/cgroup.procs; exec %[2]s) &\n", inner, loop("tool"))
	check(err == nil, "write: %v", err)
	tool := awaitRunning("tool")
	_, err = fmt.Fprintf(c.Input(), "echo 1 > %s/cgroup.freeze\n", inner)
	check(err == nil, "write: %v", err)
	await("its being frozen in another group", func() bool {
		events, _ := os.ReadFile(filepath.Join(inner, "cgroup.events"))
		return strings.Contains(string(events), "frozen 1")
	})
	known := slices.ContainsFunc(c.cgroup.members(), func(f found) bool { return f.pid == tool.pid })
	c.Stop(time.Second)
	c.Wait()
	check(known, "it was not known as a member")
	none("tool")
	_, err = os.Stat(c.cgroup.folder)
	check(os.IsNotExist(err), "its group is left: %v", err)
}

func boot(string) {
	check(unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) == nil, "prctl") // orphans of a daemon that was killed go to the system
	daemon := exec.Command(os.Args[0])
	daemon.Env = append(os.Environ(), childEnv+"=boot-daemon:")
	says, err := daemon.StdoutPipe()
	check(err == nil && daemon.Start() == nil, "start")
	var tool id
	var instance string
	line, _ := bufio.NewReader(says).ReadString('\n')
	_, err = fmt.Sscan(line, &tool.pid, &tool.start, &instance)
	check(err == nil, "%q: %v", line, err)
	check(daemon.Process.Kill() == nil, "kill")
	_ = daemon.Wait()
	alive := func() bool { f, ok := look(tool.pid); return ok && f.id() == tool }
	check(alive(), "it has ended by itself")
	check(OfAgent(tool.pid), "it is not known as an agent's")
	check(slices.Contains(SweepPrefix(instance+"/"), tool.pid), "it was not found")
	check(!alive(), "left behind")
	_, err = os.Stat(agents.groups().of(instanceMark(instance)).folder)
	check(os.IsNotExist(err), "its group is left: %v", err)
}

func groupTurn(string) {
	two := agent("two", "")
	c := agent("one", `while read -r line; do eval "$line"; done`)
	run := func(name, way string) {
		_, err := c.Input().Write([]byte(strings.ReplaceAll(way, "LOOP", loop(name)) + "\n"))
		check(err == nil, "write: %v", err)
		f := awaitRunning(name)
		await("another clock tick", func() bool { return time.Since(began(f)) > 50*time.Millisecond })
	}
	run("earlier", everything)
	since := time.Now()
	run("tool", everything)
	run("leaver", "(echo $BASHPID > "+agents.groups().folder+"/cgroup.procs; setsid LOOP <&- >&- 2>&- & exit)")
	c.EndOrphans(since, time.Now())
	await("the end of the tool", func() bool { return len(running("tool")) == 0 })
	check(len(running("leaver")) == 1, "the first look was at more than the group")
	await("the end of what has left the group", func() bool { return len(running("leaver")) == 0 })
	check(len(running("earlier")) == 1, "what an earlier turn has begun was ended")
	c.Stop(0)
	c.Wait()
	two.Stop(0)
	two.Wait()
}

func refused(how string) {
	groups := agents.groups()
	lasts := false
	switch how {
	case "filtered":
		filterClone3()
		lasts = true
	case "no group": // it can be made, and nothing can be begun in it
		folder, err := os.MkdirTemp("", "groups-*")
		check(err == nil, "%v", err)
		defer os.RemoveAll(folder)
		groups.folder = folder
	case "gone":
		groups.folder = filepath.Join(groups.folder, "gone")
	case "threads":
		parent, err := os.MkdirTemp(groups.folder, cgroupPrefix+"threads-*")
		check(err == nil, "%v", err)
		own := filepath.Join(parent, "threads")
		check(os.Mkdir(own, 0o700) == nil, "no group can be made")
		defer removeCgroup(parent, time.Now().Add(soon))
		check(os.WriteFile(filepath.Join(own, "cgroup.type"), []byte("threaded"), 0) == nil, "it cannot be made a threaded one")
		groups.folder = own
		lasts = true
	}
	for range 2 {
		c := agent("one", "")
		check(c.cgroup == nil, "it is in a group")
		c.Stop(0)
		c.Wait()
		check(groups.refused == lasts, "refused for ever: %t", groups.refused)
	}
	left, _ := filepath.Glob(filepath.Join(groups.of(instanceMark(hold("test"))).folder, "agent-*"))
	check(len(left) == 0, "left: %s", left)
	groups.removeAll()
}

// filterClone3 has the system refuse clone3 for this process, as containers have it.
func filterClone3() {
	const ret, load, equal = unix.BPF_RET | unix.BPF_K, unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	filter := []unix.SockFilter{
		{Code: load, K: 0}, // the number of the call
		{Code: equal, Jf: 1, K: unix.SYS_CLONE3},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	check(unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil, "no new privileges")
	_, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	check(err == 0, "seccomp: %v", err)
}

func nobody(string) {
	for range 3 {
		_, err := Transport{}.Start(context.Background(), adapters.Launch{
			Path: os.Args[0] + "-is-not-there", Dir: "/", Env: []string{adapters.MarkerEnv + "=" + hold("test") + "/one/1"},
		})
		check(err != nil, "it has started")
	}
	groups := agents.groups()
	left, _ := os.ReadDir(groups.of(instanceMark(hold("test"))).folder)
	for _, e := range left {
		check(!e.IsDir(), "a group is left: %s", e.Name())
	}
	check(!groups.refused, "groups are switched off")
}

// Where a group is, by what the system says in different places.
func TestWhereAGroupIs(t *testing.T) {
	t.Parallel()
	for mounts, want := range map[string]string{
		"30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n":                          "/sys/fs/cgroup/user.slice/x.scope",
		"31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 none rw": "/sys/fs/cgroup/unified/user.slice/x.scope",
		"30 23 0:26 /user.slice /mnt/groups rw - cgroup2 cgroup2 rw\n":                                              "/mnt/groups/x.scope",
		"30 23 0:26 /other /mnt/groups rw - cgroup2 cgroup2 rw\n":                                                   "",
		"30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n":                                                "",
		"32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n30 - cgroup2":                                   "",
	} {
		if got := strings.Join(cgroupFolders(mounts, "/user.slice/x.scope"), " "); got != want {
			t.Errorf("%q: %q, want %q", mounts, got, want)
		}
	}
}

// BenchmarkAgents begins and ends agents, alone and 200 at once, in groups and without.
func BenchmarkAgents(b *testing.B) {
	b.Cleanup(Adopt())
	for _, in := range []string{"groups", "none"} {
		for _, many := range []int{1, 200} {
			b.Run(in+"/"+strconv.Itoa(many), func(b *testing.B) {
				if in == "groups" {
					defer UseCgroups()()
					if agents.groups() == nil {
						b.Skip("no groups")
					}
				}
				var starting, ending time.Duration
				for b.Loop() {
					list := make(chan *Conn, many)
					began := time.Now()
					for range many {
						go func() { list <- benchAgent(b) }()
					}
					var all []*Conn
					for range many {
						all = append(all, <-list)
					}
					starting += time.Since(began)
					began = time.Now()
					for _, c := range all {
						_ = syscall.Kill(c.id.PID, syscall.SIGKILL)
					}
					for _, c := range all {
						c.Wait()
					}
					ending += time.Since(began)
				}
				b.ReportMetric(float64(starting.Microseconds())/float64(b.N*many), "µs/start")
				b.ReportMetric(float64(ending.Microseconds())/float64(b.N*many), "µs/end")
			})
		}
	}
}

func benchAgent(b *testing.B) *Conn {
	conn, err := Transport{}.Start(context.Background(), adapters.Launch{
		Path: "/bin/sleep", Args: []string{"60"}, Dir: "/", Env: []string{adapters.MarkerEnv + "=bench/one/1"},
	})
	if err != nil {
		b.Error(err)
		panic(err)
	}
	go func() { _, _ = io.Copy(io.Discard, conn.Output()) }() // ends with the agent
	return conn.(*Conn)
}

// What the daemon tells of how it knows processes is so.
func TestHeld(t *testing.T) { t.Parallel(); apart(t, "held:") }

func held() {
	check(Held() == Hold{}, "before: %+v", Held())
	can := CanHold()
	release := Adopt()
	check(Held() == Hold{Adopts: true, Marks: can.Marks}, "adopted: %+v", Held())
	ungroup := UseCgroups()
	check(Held() == can, "with groups: %+v, not %+v", Held(), can)
	if can.Cgroups {
		agents.groups().blame(unix.ENOSYS)
		check(Held() == Hold{Adopts: true, Marks: can.Marks}, "refused: %+v", Held())
	}
	release()
	ungroup()
	check(Held() == Hold{}, "after: %+v", Held())
	limit := unix.Rlimit{Cur: 0, Max: 1 << 20}
	check(unix.Setrlimit(unix.RLIMIT_LOCKS, &limit) == nil && !CanHold().Marks, "marks hold with a hard limit of %d", limit.Max)
}

// BenchmarkOrphans is one look for orphans of a turn: at the agent's group, and at the whole process table.
func BenchmarkOrphans(b *testing.B) {
	b.Cleanup(Adopt())
	b.Cleanup(UseCgroups())
	if agents.groups() == nil {
		b.Skip("no groups")
	}
	c := benchAgent(b)
	b.Cleanup(func() { c.Stop(0); c.Wait() })
	for name, table := range map[string]func() []found{"group": c.cgroup.members, "table": processes.take} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				t := table()
				n = len(t)
				c.orphans(t, 0, 1<<62)
			}
			b.ReportMetric(float64(n), "processes")
		})
	}
}

// Groups that a killed daemon has left are removed once they are old, and none in which something runs.
func TestGroupsThatWereLeft(t *testing.T) {
	withGroups(t)
	folder, _ := ownCgroup()
	folder = filepath.Join(folder, cgroupPrefix+"test-"+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	left, used := &cgroup{folder: filepath.Join(folder, cgroupName(1<<32), "agent-1")}, &cgroup{folder: filepath.Join(folder, cgroupName(2<<32), "agent-1")}
	for _, c := range []*cgroup{left, used} {
		if err := os.MkdirAll(c.folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { (&cgroup{folder: folder}).end() })
	cmd := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", "read -r line"}, SysProcAttr: &syscall.SysProcAttr{}}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := used.begin(cmd, func() error { return agents.begin(cmd, 0) }); err != nil {
		t.Fatal(err)
	}
	there := func(c *cgroup) bool { _, err := os.Stat(c.folder); return err == nil }
	tidyCgroups(folder, time.Now().Add(-time.Hour))
	if !there(left) || !there(used) {
		t.Error("a group that was just made was removed")
	}
	tidyCgroups(folder, time.Now().Add(time.Hour))
	if there(left) || !there(used) {
		t.Errorf("the empty one is there: %v; the one that is used: %v", there(left), there(used))
	}
	_ = stdin.Close()
	_ = cmd.Wait()
	agents.ended(cmd.Process.Pid)
}
