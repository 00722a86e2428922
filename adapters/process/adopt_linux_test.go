package process

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// unmark takes a process's mark away, as it could itself.
func unmark(pid int) {
	limit := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, &limit, nil); err != nil {
		panic(err)
	}
}

// ways are shell commands that begin a process which hides; LOOP is it.
var ways = map[string]string{
	"marker kept":         `setsid LOOP &`,
	"environment cleared": `env -i "PATH=$PATH" setsid LOOP &`,
	"marker unset":        `(unset RINGMASTER_MARKER; exec setsid LOOP) &`,
	"marker changed":      `RINGMASTER_MARKER=another/1/1 setsid LOOP &`,
	"forked twice":        `(env -i "PATH=$PATH" setsid sh -c 'LOOP & exit' &)`,
	"streams closed":      `(env -i "PATH=$PATH" setsid bash -c 'cd /; LOOP <&- >&- 2>&- & disown; exit' &)`,
	"limits changed":      `(env -i "PATH=$PATH" setsid bash -c 'ulimit -S -x unlimited; LOOP <&- >&- 2>&- & disown; exit' &)`,
}

// ends are the ways in which an agent ends.
var ends = map[string]func(c *Conn){
	"stopped": func(c *Conn) { c.Stop(time.Second) },
	"killed":  func(c *Conn) { _ = syscall.Kill(c.id.PID, syscall.SIGKILL) },
}

// What an agent's tools have begun ends with it, whatever it did to hide.
func TestHiddenProcessesEnd(t *testing.T) {
	t.Parallel()
	for way := range ways {
		for end := range ends {
			t.Run(way+", "+end, func(t *testing.T) {
				t.Parallel()
				apart(t, "hidden:"+way+"|"+end)
			})
		}
	}
}

// What hides completely while two agents are alive could be of either: it ends with the second.
func TestOrphanOfTwo(t *testing.T) { t.Parallel(); apart(t, "of-two:") }

// What has only kept its limits is the agent's, also where it could be another one's, no look has seen it below, and it began with the agent.
func TestMarked(t *testing.T) { t.Parallel(); apart(t, "marked:") }

// What was seen below an agent is the agent's for ever, however it looks later.
func TestSeenBelow(t *testing.T) { t.Parallel(); apart(t, "seen:") }

// What commands of an interrupted turn have put beside themselves ends; what earlier and later turns have, and what the agent is the parent
// of, does not.
func TestOrphansOfATurn(t *testing.T) { t.Parallel(); apart(t, "turn:") }

// Giving the adoption back ends what was adopted, and leaves alone what was there before and what the program has begun itself.
func TestRelease(t *testing.T) { t.Parallel(); apart(t, "released:") }

// The adopted dead are reaped, and nobody loses a child that it waits for.
func TestReaping(t *testing.T) { t.Parallel(); apart(t, "reaping:") }

// An agent gets the default for every signal, whatever the daemon was started to ignore; the daemon goes on ignoring it.
func TestSignalsAreDefault(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", `trap "" HUP INT TSTP USR1; exec "$0"`, self(t))
	cmd.Env = append(os.Environ(), childEnv+"=signals:", noExitDelay)
	passes(t, cmd)
}

func signals(string) {
	own := func() string {
		text, err := os.ReadFile("/proc/self/status")
		check(err == nil, "%v", err)
		_, rest, _ := strings.Cut(string(text), "SigIgn:")
		word, _, _ := strings.Cut(rest, "\n")
		return strings.TrimSpace(word)
	}
	before := own()
	check(before == "0000000000080003", "the test's process ignores %s", before) // the runtime handles USR1 anyway
	c := agent("one", "")
	await("the agent's ignoring what bash itself ignores, and nothing else", func() bool {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(c.id.PID) + "/status")
		return err == nil && strings.Contains(string(text), "\nSigIgn:\t0000000000000004\n")
	})
	check(own() == before, "it ignores %s afterwards, not %s", own(), before)
	check(syscall.Kill(os.Getpid(), syscall.SIGHUP) == nil, "kill")
	c.Stop(0)
	c.Wait()
}

// An agent that does not look at its input ends all the same when the daemon is killed.
func TestDeathOfTheParent(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), self(t))
	cmd.Env = append(os.Environ(), childEnv+"=killed:", noExitDelay)
	var said bytes.Buffer
	cmd.Stdout = &said
	killed := Run(cmd)
	pid, err := strconv.Atoi(strings.TrimSpace(said.String()))
	if err != nil {
		t.Fatalf("%v, %v: %s", killed, err, said.String())
	}
	for until := time.Now().Add(soon); ; {
		if f, is := look(pid); !is || f.dead {
			return
		}
		if time.Now().After(until) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("the agent goes on")
		}
		runtime.Gosched()
	}
}

func killed(string) {
	_ = Adopt() // which nobody gives back
	deaf, err := Transport{}.Start(context.Background(), adapters.Launch{
		Path: "/bin/sleep", Args: []string{"1000"}, Dir: "/", Env: []string{adapters.MarkerEnv + "=" + hold("test") + "/killed/1"},
	})
	check(err == nil, "start: %v", err)
	fmt.Println(deaf.(*Conn).id.PID)
	for range 100 { // threads of the runtime come and go
		go func() { runtime.LockOSThread() }()
	}
	check(syscall.Kill(os.Getpid(), syscall.SIGKILL) == nil, "kill")
	select {}
}

// A process of an agent is known however it hides, and others are not taken for one.
func TestOfAgent(t *testing.T) { t.Parallel(); apart(t, "of-agent:") }

// apart runs a test in a process of its own, whose children are nobody else's.
func apart(t *testing.T, mode string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), self(t))
	cmd.Env = append(os.Environ(), childEnv+"="+mode, noExitDelay)
	passes(t, cmd)
}

// passes runs a test that has been put into a command. The agents of other tests begin meanwhile, and begun by itself it could be born with
// the mark of one of them, and end with that.
func passes(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := Run(cmd); err != nil || out.String() != "ok\n" {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func init() {
	for mode, run := range map[string]func(string){
		"signals": signals, "hidden": hidden, "of-two": ofTwo, "seen": seen, "turn": ofTurn, "marked": marked, "released": released, "reaping": reaping, "of-agent": ofAgent, "killed": killed,
	} {
		children[mode] = func(arg string) {
			run(arg)
			fmt.Println("ok")
		}
	}
}

func check(ok bool, format string, args ...any) {
	if !ok {
		fmt.Printf(format+"\n", args...)
		os.Exit(1)
	}
}

func await(what string, holds func() bool) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(soon); !holds(); <-tick.C {
		check(time.Now().Before(until), "waited in vain for %s", what)
	}
}

// hold names a process of this test process on its command line.
func hold(name string) string { return fmt.Sprintf("%s-%d", name, os.Getpid()) }

func loop(name string) string { return `sh -c "while :; do sleep 0.1; done" ` + hold(name) }

// running are the processes with this name. What such a shell begins has its name until it is another program.
func running(name string) (list []found) {
	for _, f := range lineage() {
		cmdline, err := os.ReadFile("/proc/" + strconv.Itoa(f.pid) + "/cmdline")
		if err == nil && bytes.HasSuffix(cmdline, []byte("\x00"+hold(name)+"\x00")) {
			list = append(list, f)
		}
	}
	return slices.DeleteFunc(list, func(f found) bool {
		return slices.ContainsFunc(list, func(g found) bool { return g.pid == f.parent })
	})
}

// none awaits that nothing has this name: what such a shell has just begun has it for a moment.
func none(name string) { await("the end of "+name, func() bool { return len(running(name)) == 0 }) }

func awaitRunning(name string) (f found) {
	await(name, func() bool {
		list := running(name)
		if len(list) == 1 {
			f = list[0]
		}
		return len(list) == 1
	})
	return f
}

// agent begins an agent that runs a script and then waits for its input's end.
func agent(name, script string) *Conn { return agentFor(name, script, 500*time.Millisecond) }

// agentFor is agent whose processes have so long to end once it is dead.
func agentFor(name, script string, delay time.Duration) *Conn {
	conn, err := Transport{WaitDelay: delay}.Start(context.Background(), adapters.Launch{
		Path: "/bin/bash", Args: []string{"-c", script + "\necho ready; while read line; do echo $line; done"}, Dir: "/",
		Env: []string{"PATH=" + os.Getenv("PATH"), adapters.MarkerEnv + "=" + hold("test") + "/" + name + "/1"},
	})
	check(err == nil, "start: %v", err)
	go func() { _, _ = io.Copy(io.Discard, conn.Output()) }() // ends with the agent
	return conn.(*Conn)
}

func hidden(arg string) {
	way, end, _ := strings.Cut(arg, "|")
	release := Adopt()
	defer release()
	c := agent("one", strings.ReplaceAll(ways[way], "LOOP", loop("tool")))
	tool := awaitRunning("tool")
	// One that begins later is no reason to doubt, and it is not harmed.
	await("another clock tick", func() bool { return time.Since(began(tool)) > 50*time.Millisecond })
	other := agent("two", loop("neighbour")+" &")
	awaitRunning("neighbour")
	ends[end](c)
	c.Wait()
	none("tool")
	awaitRunning("neighbour")
	other.Stop(0)
	other.Wait()
	none("neighbour")
}

// began is when a process began, by the clock.
func began(f found) time.Time {
	up, err := os.ReadFile("/proc/uptime")
	check(err == nil, "%v", err)
	seconds, err := strconv.ParseFloat(strings.Fields(string(up))[0], 64)
	check(err == nil, "%v", err)
	return time.Now().Add(-time.Duration((seconds - float64(f.start)/100) * float64(time.Second)))
}

func ofTwo(string) {
	agents.watching.Store(true) // nobody sees who is below whom
	release := Adopt()
	defer release()
	two := agent("two", "")
	one := agent("one", strings.ReplaceAll(ways["limits changed"], "LOOP", loop("tool")))
	awaitRunning("tool")
	one.Stop(time.Second)
	one.Wait()
	check(len(running("tool")) == 1, "it was put down to an agent without a reason")
	two.Stop(time.Second)
	two.Wait()
	none("tool")
}

func marked(string) {
	release := Adopt()
	defer release()
	two := agent("two", "")
	one := agent("one", strings.ReplaceAll(ways["forked twice"], "LOOP", loop("tool"))) // the first thing it does
	awaitRunning("tool")
	check(markOf(os.Getpid()) == 0, "the daemon has kept a mark")
	one.Stop(time.Second)
	one.Wait()
	none("tool")
	two.Stop(0)
	two.Wait()
}

func seen(string) {
	release := Adopt()
	defer release()
	two := agent("two", "")
	// It stays below the agent until it is told, and then changes everything.
	one := agent("one", `env -i "PATH=$PATH" setsid bash -c 'ulimit -S -x unlimited; `+loop("tool")+` & wait' `+hold("shell")+` &`)
	tool := awaitRunning("tool")
	await("the look", func() bool {
		_, _ = one.Input().Write([]byte("speak\n"))
		return one.kin.has(tool)
	})
	check(syscall.Kill(awaitRunning("shell").pid, syscall.SIGKILL) == nil, "no shell")
	await("its being an orphan", func() bool { return awaitRunning("tool").parent == os.Getpid() })
	one.Stop(time.Second)
	one.Wait()
	none("tool")
	two.Stop(0)
	two.Wait()
}

func ofTurn(string) {
	release := Adopt()
	defer release()
	c := agent("one", `while read -r line; do eval "$line"; done`)
	run := func(name, command string) {
		_, err := c.Input().Write([]byte(strings.ReplaceAll(command, "LOOP", loop(name)) + "\n"))
		check(err == nil, "write: %v", err)
		f := awaitRunning(name)
		await("another clock tick", func() bool { return time.Since(began(f)) > 50*time.Millisecond })
	}
	run("earlier", ways["forked twice"])
	since := time.Now()
	run("child", ways["marker kept"])
	run("asked", "sh -c 'trap : TERM; LOOP & wait' "+hold("shell")+" &") // not an orphan yet
	for i, way := range []string{"forked twice", "streams closed", "limits changed"} {
		run("orphan"+strconv.Itoa(i), ways[way])
	}
	until := time.Now()
	c.EndOrphans(since, until)
	await("another clock tick", func() bool { return time.Since(until) > 50*time.Millisecond })
	run("later", ways["forked twice"])
	for i := range 3 {
		name := "orphan" + strconv.Itoa(i)
		await("the end of "+name, func() bool { return len(running(name)) == 0 })
	}
	check(syscall.Kill(awaitRunning("shell").pid, syscall.SIGKILL) == nil, "no shell")
	await("the end of what has lost its parent since", func() bool { return len(running("asked")) == 0 })
	for _, name := range []string{"earlier", "child", "later"} {
		check(len(running(name)) == 1, "%s has ended", name)
	}
	c.Stop(0)
	c.Wait()
}

func released(string) {
	before := exec.Command("sh", "-c", loop("before"))
	check(before.Start() == nil, "start")
	awaitRunning("before")
	release := Adopt()
	ran := make(chan error, 1)
	own := exec.Command("bash", "-c", "exec "+loop("own"))
	go func() { ran <- Run(own) }() // ends with the command
	awaitRunning("own")
	stranger := exec.Command("sh", "-c", "(setsid "+loop("orphan")+" &)")
	check(Run(stranger) == nil, "run")
	awaitRunning("orphan")
	release()
	none("orphan")
	check(len(running("before")) == 1 && len(running("own")) == 1, "more was ended than was adopted")
	for _, name := range []string{"before", "own"} {
		check(syscall.Kill(running(name)[0].pid, syscall.SIGKILL) == nil, "kill")
	}
	_ = before.Wait()
	<-ran
}

func reaping(string) {
	release := Adopt()
	defer release()
	c := agent("one", `for i in 1 2 3 4 5; do (setsid sh -c 'sleep 0.05 & exec true' &); done`)
	own := make(chan error, 20)
	for range cap(own) {
		go func() { own <- Run(exec.Command("sh", "-c", "exit 3")) }() // ends with the command
	}
	for range cap(own) {
		err := <-own
		check(err != nil && err.Error() == "exit status 3", "a command of our own: %v", err)
	}
	await("the end of the dead", func() bool {
		for _, f := range lineage() {
			if f.parent == os.Getpid() && f.dead {
				return false
			}
		}
		return true
	})
	ends["killed"](c)
	exit := c.Wait()
	check(exit.Signal == "killed" && exit.Error == "", "the agent's own end: %+v", exit)
}

func ofAgent(string) {
	check(!OfAgent(os.Getpid()), "it takes itself for an agent")
	check(!OfAgent(os.Getppid()), "it takes its parent for an agent")
	outside := exec.Command("sh", "-c", "(setsid "+loop("outside")+" &)")
	check(outside.Run() == nil, "run") // before Adopt: the orphan is somebody else's
	check(!OfAgent(awaitRunning("outside").pid), "it takes a stranger for an agent")
	check(syscall.Kill(running("outside")[0].pid, syscall.SIGKILL) == nil, "kill")
	release := Adopt()
	defer release()
	for name, script := range ways {
		c := agent("one", strings.ReplaceAll(script, "LOOP", loop("tool")))
		check(OfAgent(awaitRunning("tool").pid), "%s: it was not known", name)
		check(OfAgent(c.id.PID), "the agent itself was not known")
		c.Stop(0)
		c.Wait()
	}
	check(OfAgent(1<<22+1), "nobody is not an agent")
}
