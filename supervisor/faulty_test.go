package supervisor_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// faultyDisk is the system's disk. What ask says happens at each write of a journal: before it, or after it.
type faultyDisk struct {
	disk.FS
	mu  sync.Mutex
	ask func(moment string) error
}

func (d *faultyDisk) at(moment string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ask == nil {
		return nil
	}
	return d.ask(moment)
}

func (d *faultyDisk) set(ask func(moment string) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ask = ask
}

func (d *faultyDisk) Create(name string) (disk.Writer, error) {
	w, err := d.FS.Create(name)
	return d.file(w, name), err
}

func (d *faultyDisk) Append(name string) (disk.Writer, error) {
	w, err := d.FS.Append(name)
	return d.file(w, name), err
}

// file leaves the raw archive, session.json and the copies of it alone: they are written in their own time.
func (d *faultyDisk) file(w disk.Writer, name string) disk.Writer {
	if strings.Contains(name, "/raw/") || strings.Contains(name, "session.json") || strings.Contains(name, "resting") {
		return w
	}
	return &faultyFile{w, d, name}
}

type faultyFile struct {
	disk.Writer
	disk *faultyDisk
	name string
}

func (f *faultyFile) Write(b []byte) (int, error) {
	kind := "index"
	if strings.HasSuffix(f.name, ".ndjson") {
		kind = "lines"
	}
	if err := f.disk.at("before " + kind); err != nil {
		return 0, err
	}
	n, err := f.Writer.Write(b)
	if err == nil {
		err = f.disk.at("after " + kind)
	}
	return n, err
}

// fault fails once, at the n-th moment that matters.
type fault struct {
	mu  sync.Mutex
	at  int
	n   int
	hit string
}

// reach panics when this is the moment.
func (f *fault) reach(moment string) {
	f.mu.Lock()
	f.n++
	hit := f.n == f.at
	if hit {
		f.hit = moment
	}
	f.mu.Unlock()
	if hit {
		panic("as asked: " + moment)
	}
}

// reached is where it failed; empty: it never came to that.
func (f *fault) reached() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hit
}

// now is the clock, which fails as well: the session's actor reads it before each step.
func (f *fault) now() time.Time {
	pc := make([]uintptr, 12)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, "session.(*shell).step") {
			f.reach("before step")
			break
		}
		if !more {
			break
		}
	}
	return time.Now()
}

// poisoned is an agent whose translator says, for the line that holds the word, what the session cannot bear.
type poisoned struct {
	scripted.Agent
	done *atomic.Bool // it is said once
}

const poison = "arsenic"

func (a poisoned) Translator(spec adapters.Spec) adapters.Translator {
	return &poisonous{a.Agent.Translator(spec), a.done}
}

type poisonous struct {
	adapters.Translator
	done *atomic.Bool
}

func (p *poisonous) Line(line []byte, out *adapters.Output) {
	if strings.Contains(string(line), poison) && p.done.CompareAndSwap(false, true) {
		out.Draft(adapters.EntryOpened{Key: 1 << 20, Type: protocol.EntryAssistantMessage, Data: (*protocol.MessageData)(nil)})
	}
	p.Translator.Line(line, out)
}

func agentIn(data string) scripted.Agent {
	return scripted.Agent{Native: pi.Agent{}, SessionDir: data + "/agent"}
}

// faulty starts a daemon on a disk that can fail.
func faulty(t *testing.T, change func(*supervisor.Config)) (*daemon, *faultyDisk) {
	disk := &faultyDisk{FS: disk.OS()}
	return start(t, t.TempDir(), func(c *supervisor.Config) {
		c.Files = disk
		if change != nil {
			change(c)
		}
	}), disk
}
