package process

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// grandchild starts an agent that has started a process of the kind and stays.
func grandchild(t *testing.T, kind string) (*Conn, int) {
	t.Helper()
	c := start(t, Transport{}, "parent-stays:"+kind)
	pid, err := strconv.Atoi(firstLine(t, c))
	if err != nil {
		t.Fatal(err)
	}
	return c, pid
}

func TestSweep(t *testing.T) {
	t.Parallel()
	c, pid := grandchild(t, "s")
	if got := Sweep(""); got != nil {
		t.Fatalf("an empty marker swept %v", got)
	}
	if got := Sweep(marker(t) + "0"); got != nil {
		t.Fatalf("another marker swept %v", got)
	}
	// The connection sees the agent die and sweeps too: who ends the grandchild is open.
	if got := Sweep(marker(t)); !slices.Contains(got, c.id.PID) {
		t.Errorf("swept %v, not %d", got, c.id.PID)
	}
	gone(t, pid)
	if got := Sweep(marker(t)); got != nil {
		t.Errorf("a second sweep found %v", got)
	}
	if _, exit := finish(t, c); exit.Signal != "terminated" {
		t.Errorf("exit %+v", exit)
	}
}

// Where the process table takes longer to read than processes have to end, they are asked to end all the same. It runs alone, since all tests share
// the table.
func TestSweepOfABusyMachine(t *testing.T) {
	c := start(t, Transport{WaitDelay: time.Minute}, "deaf")
	firstLine(t, c)
	processes.reading.Lock()
	time.AfterFunc(sweepGrace+100*time.Millisecond, processes.reading.Unlock)
	if got := Sweep(marker(t)); !slices.Contains(got, c.id.PID) {
		t.Errorf("swept %v, not %d", got, c.id.PID)
	}
	if _, exit := finish(t, c); exit.Signal != "terminated" {
		t.Errorf("exit %+v", exit)
	}
}

func TestSweepPrefix(t *testing.T) {
	t.Parallel()
	c, pid := grandchild(t, "st")
	instance := strings.TrimSuffix(marker(t), "/1")
	for _, none := range []string{"", "/", instance[:len(instance)-1], instance + "/1/1"} {
		if got := SweepPrefix(none); got != nil {
			t.Fatalf("prefix %q swept %v", none, got)
		}
	}
	if got := SweepPrefix(instance + "/"); !slices.Contains(got, c.id.PID) {
		t.Errorf("swept %v, not %d", got, c.id.PID)
	}
	gone(t, pid)
	finish(t, c)
}

func TestReap(t *testing.T) {
	t.Parallel()
	t.Run("group without markers and marked stray", func(t *testing.T) {
		t.Parallel()
		inGroup, unmarked := grandchild(t, "m")
		Reap(inGroup.id)
		gone(t, unmarked)
		finish(t, inGroup)

		strayed, stray := grandchild(t, "s")
		Reap(strayed.id)
		gone(t, stray)
		finish(t, strayed)
	})
	t.Run("another start time", func(t *testing.T) {
		t.Parallel()
		c := start(t, Transport{}, "echo")
		firstLine(t, c)
		for _, start := range []uint64{0, c.id.StartTime - 1, c.id.StartTime + 1} {
			id := c.id
			id.StartTime = start
			if got := Reap(id); got != nil {
				t.Errorf("start time %d reaped %v", start, got)
			}
		}
		if _, ok := look(c.id.PID); !ok {
			t.Error("somebody else's process was ended")
		}
	})
	t.Run("another marker", func(t *testing.T) {
		t.Parallel()
		c := start(t, Transport{}, "echo")
		firstLine(t, c)
		id := c.id
		id.Marker = "elsewhere/1/1"
		if got := Reap(id); got != nil {
			t.Errorf("reaped %v", got)
		}
	})
	t.Run("nothing there", func(t *testing.T) {
		t.Parallel()
		c := start(t, Transport{}, "exit:0")
		finish(t, c)
		if got := Reap(c.id); got != nil {
			t.Errorf("reaped %v", got)
		}
	})
}

// Pids are given again; a handle must not follow them (threat T23).
func TestHandleOfAReusedPid(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{}, "echo")
	firstLine(t, c)
	f, ok := look(c.id.PID)
	if !ok {
		t.Fatal("not found")
	}
	for range 10_000 {
		f.start++
		if h, ok := open(f); ok {
			h.close()
			t.Fatal("a process with another start time was opened")
		}
	}
}

func TestTableOfProcesses(t *testing.T) {
	t.Parallel()
	c := start(t, Transport{}, "echo")
	firstLine(t, c)
	var wg sync.WaitGroup
	for range 20 { // shared readings, each begun after the asking
		wg.Go(func() {
			i := slices.IndexFunc(processes.take(), func(f found) bool { return f.pid == c.id.PID })
			if i < 0 {
				t.Error("a live process is missing")
			}
		})
	}
	wg.Wait()
	own, ok := look(os.Getpid())
	if !ok || own.pid != os.Getpid() || own.start == 0 || own.group == 0 {
		t.Errorf("own process %+v", own)
	}
	if i := slices.IndexFunc(processes.take(), func(f found) bool { return f.marker == marker(t) && f.group == c.id.PID }); i < 0 {
		t.Error("the marker is missing")
	}
	began := time.Now()
	n := len(processes.take())
	t.Logf("%d processes read in %v", n, time.Since(began))
}
