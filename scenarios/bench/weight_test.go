package bench

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// TestWeight is what an empty daemon, a session with an agent that waits, and a reader that waits cost: descriptors, threads, heap, stacks, memory.
func TestWeight(t *testing.T) {
	needsProgram(t)
	startChoir(t)
	empty := startDaemon(t, "")
	atMost(t, "an empty daemon: RSS", empty.rss()/1e6, 18, "MB")

	p := startDaemon(t, "")
	spoken(p, 20) // what any number costs once
	const sessions = 200
	before := weigh(p)
	spoken(p, sessions)
	<-time.After(6 * time.Second) // they rest after 5
	each := weigh(p).less(before).each(sessions)
	t.Logf("a session: %+v", each)
	atMost(t, "a session whose agent waits: descriptors", each.files, 4, "")
	atMost(t, "a session whose agent waits: threads", each.threads, 0.1, "")
	atMost(t, "a session whose agent waits: heap", each.heap, 60, "KiB")
	aside(t, "a session whose agent waits: stacks", each.stacks, "KiB")
	aside(t, "a session whose agent waits: RSS", each.rss, "KiB")

	const readers = 5000
	p = startDaemon(t, "")
	c, session := newCrowd(t), p.create()
	for range 100 {
		c.open(p, session+"/stream")
	}
	before = weigh(p)
	for range readers {
		c.open(p, session+"/stream")
	}
	each = weigh(p).less(before).each(readers)
	t.Logf("a reader: %+v", each)
	atMost(t, "a reader that waits, with its connection, one of 5,000: RSS", each.rss, 30, "KiB")
}

// spoken makes so many sessions whose agents have answered a prompt and wait for the next.
func spoken(p *process, n int) {
	list := p.sessions(n)
	for _, s := range list {
		p.prompt(s, "say 2 100")
	}
	for _, s := range list {
		p.idle(s)
	}
}

// load is what a process holds: numbers, and KiB. The heap is that of the last collection, without what is free in it.
type load struct{ files, threads, heap, stacks, rss float64 }

func (l load) less(o load) load {
	return load{l.files - o.files, l.threads - o.threads, l.heap - o.heap, l.stacks - o.stacks, l.rss - o.rss}
}

func (l load) each(n float64) load {
	return load{l.files / n, l.threads / n, l.heap / n, l.stacks / n, l.rss / n}
}

// weigh collects garbage first, by asking for a profile of the heap as it is after a collection.
func weigh(p *process) load {
	p.t.Helper()
	l := load{rss: p.rss() / 1024}
	dir, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	l.files = float64(len(dir))
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	l.threads = float64(len(tasks))
	p.text("/debug/pprof/heap?collect=true")
	for line := range strings.Lines(p.text("/metrics")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		var v float64
		_, _ = fmt.Sscan(value, &v)
		switch name {
		case "go_memstats_heap_alloc_bytes":
			l.heap = v / 1024
		case "go_memstats_stack_inuse_bytes":
			l.stacks = v / 1024
		}
	}
	return l
}

// text is what a GET answers; empty: the program has no such path.
func (p *process) text(path string) string {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.base+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", p.auth)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(bufio.NewReader(res.Body))
	if err != nil {
		p.t.Fatal(err)
	}
	if res.StatusCode >= 300 {
		return ""
	}
	return string(text)
}
