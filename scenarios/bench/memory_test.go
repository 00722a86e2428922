package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestManySessions: a daemon with 10,000 sessions on its disk starts at once, and those that somebody looks at cost little.
func TestManySessions(t *testing.T) {
	needsProgram(t)
	const sessions = 10_000
	data := filepath.Join(t.TempDir(), "data")
	for _, dir := range []string{data, filepath.Join(data, "sessions")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for i := range sessions {
		writeSession(t, data, i)
	}
	p := startDaemon(t, data) // the first one reads them, and notes what a list needs
	look := func(from, to int) {
		for i := from; i < to; i++ {
			p.do("GET", "/sessions/"+sessionID(i), nil, nil)
		}
	}
	look(0, sessions)
	p.stop()

	begin := time.Now()
	p = startDaemon(t, data)
	atMost(t, "10,000 sessions: start", time.Since(begin).Seconds(), 1, "s")
	var page struct{ Total int }
	p.do("GET", "/sessions", nil, &page)
	if page.Total != sessions {
		t.Fatalf("the list has %d sessions", page.Total)
	}
	atMost(t, "10,000 sessions: RSS", p.rss()/1e6, 60, "MB")
	look(0, 1000) // what any number costs once
	before := p.rss()
	look(1000, 9000)
	atMost(t, "an idle session that was looked at", (p.rss()-before)/8000/1024, 4, "KiB")
}

func sessionID(i int) string { return fmt.Sprintf("10000000-0000-4000-8000-%012d", i) }

// writeSession writes the journal of a session that was left in order.
func writeSession(t *testing.T, data string, i int) {
	j, err := journal.Create(filepath.Join(data, "sessions", sessionID(i)), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	idle := protocol.StateIdle
	native := "n"
	var lines []byte
	for seq, payload := range []protocol.Payload{
		&protocol.SessionStart{SessionID: sessionID(i), AgentBackend: "pi", Metadata: protocol.Metadata{Cwd: data, Title: "A session"}},
		&protocol.SessionMeta{NativeSessionID: &native},
		&protocol.Status{State: idle, AgentStatus: idle.AgentStatus()},
	} {
		lines = protocol.AppendLine(lines, &protocol.Event{Seq: uint64(seq) + 1, Time: 1, Payload: payload})
	}
	if err = j.Append(journal.Batch{First: 1, Count: 3, Lines: lines, Time: 1}); err == nil {
		err = j.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMemory is what readers cost, and a small daemon at work.
func TestMemory(t *testing.T) {
	needsProgram(t)
	small := startDaemon(t, "")
	pc := pace{4, 10, 50, 3}
	pc.run(t, small, small.sessions(4))
	atMost(t, "4 sessions × 10 readers at work: RSS", small.rss()/1e6, 25, "MB")

	p, reference := startDaemon(t, ""), startReference(t, 1)
	ours, bare := readerCost(t, p, p.create()), readerCost(t, reference, "/0")
	aside(t, "a reader that waits, with its connection", ours, "KiB")
	aside(t, "a reader that waits, with its connection: reference", bare, "KiB")
	atMost(t, "a reader that waits, beside its connection", ours-bare, 12, "KiB")
}

// readerCost is what one of 2,000 readers takes that wait, in KiB.
func readerCost(t *testing.T, p *process, session string) float64 {
	const readers = 2000
	c := newCrowd(t)
	for range 100 { // what any number costs once
		c.open(p, session+"/stream")
	}
	before := p.rss()
	for range readers {
		c.open(p, session+"/stream")
	}
	return (p.rss() - before) / readers / 1024
}
