package robust

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// arena is one data folder with a daemon that is killed again and again, and those who watch it.
type arena struct {
	*daemon
	dir    string
	random *rand.Rand
	plan   *plan
	tally  *tally
	modes  int // of durability, so far

	sessions []string
	ledgers  audit.Ledgers
	readers  []*observer // of the stream
	poller   *observer
	client   agentClient
	writer   *writer
	visitor  visitor
	hooked   *receiver
	outside  *audit.Recorder // what the operating system shows
}

// newArena makes a folder with two sessions in it.
func newArena(ctx context.Context, dir string, random *rand.Rand, p *plan, c *tally) (*arena, error) {
	a := &arena{dir: dir, random: random, plan: p, tally: c, ledgers: audit.Ledgers{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if a.daemon, err = newDaemon(dir); err != nil {
		return nil, err
	}
	a.hits = hits(filepath.Join(dir, "hits"))
	a.hooked = newReceiver(ctx)
	a.more = []string{"--webhook-allow", a.hooked.server.URL + "/"}
	var errs [6]error
	a.readers = make([]*observer, 2)
	a.readers[0], errs[0] = newObserver(a.history("reader1"), "reader1", audit.Stream)
	a.readers[1], errs[1] = newObserver(a.history("reader2"), "reader2", audit.Stream)
	a.poller, errs[2] = newObserver(a.history("poller"), "poller", audit.Whole)
	a.client.pushes, errs[3] = newObserver(a.history("mcp"), "mcp", audit.Push)
	a.writer, errs[4] = newWriter(a.history("writer"))
	a.outside, errs[5] = audit.NewRecorder(a.history("system"), "system", sinceBegan)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	a.client.polls = &observer{Recorder: a.client.pushes.Recorder, channel: audit.Poll, at: map[string]protocol.Cursor{}}
	if err := a.start("always"); err != nil {
		return nil, err
	}
	if err := a.hooked.hook(ctx, a.daemon); err != nil {
		return nil, err
	}
	for range 2 {
		status, _, body, err := a.call(ctx, "POST", "/sessions", "", newSession(a.daemon))
		if err != nil {
			return nil, err
		}
		id, err := created(status, body)
		if err != nil {
			return nil, err
		}
		a.sessions = append(a.sessions, id)
		a.ledgers[id] = audit.NewLedger(id)
	}
	a.kill()
	return a, nil
}

func (a *arena) history(name string) string { return filepath.Join(a.dir, name+".ndjson") }

func (a *arena) recorders() []*audit.Recorder {
	return []*audit.Recorder{
		a.readers[0].Recorder, a.readers[1].Recorder, a.poller.Recorder, a.client.pushes.Recorder, a.writer.Recorder, a.outside,
	}
}

// files are where the histories are.
func (a *arena) files() (list []string) {
	for _, r := range a.recorders() {
		_ = r.Flush() // what cannot be written is missing there, and the failure still tells
		list = append(list, r.Path())
	}
	return append(list, a.data)
}

// mode takes turns: nothing that SIGKILL does may be lost in any. A point of a sync needs one that syncs.
func (a *arena) mode(point string) string {
	a.modes++
	modes := []string{"always", "interval", "always", "os"}
	mode := modes[a.modes%len(modes)]
	if mode == "os" && strings.HasSuffix(point, "Sync") {
		return "interval"
	}
	return mode
}
