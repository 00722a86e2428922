package robust

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// lifeTime is how long a daemon lives that is to die at a point and does not come to it.
const lifeTime = 1500 * time.Millisecond

// live starts the daemon, lets it work under the eyes of everybody until it is killed, and holds it to its promises. It says
// whether it came to the point.
func (a *arena) live(ctx context.Context, k kill) (came bool, err error) {
	armed := ""
	if k.point != "" {
		armed = a.tally.armed(k.point, k.tries, a.random)
	}
	if err := a.hits.arm(false); err != nil {
		return false, err
	}
	if k.lose != "" {
		if err := a.lose(k.lose); err != nil {
			return false, err
		}
	}
	if err := a.begin(a.mode(k.point), armed); err != nil {
		return false, err
	}
	defer a.daemon.kill()
	if k.boot {
		defer time.AfterFunc(k.after, a.process.KillNow).Stop()
	}
	if err := a.running(); errors.Is(err, program.ErrEnded) {
		return true, a.process.Killed()
	} else if err != nil {
		return false, err
	}
	a.tally.do(func() { a.tally.ready = append(a.tally.ready, time.Since(a.started)) })
	over, err := a.work(ctx, k)
	if err != nil || over {
		return k.point == "", err
	}
	<-a.process.Ended()
	return true, a.process.Killed()
}

// work lets everybody work until the daemon dies. over says that its time was over before.
func (a *arena) work(ctx context.Context, k kill) (over bool, err error) {
	before := a.told()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	begin := func(f func() error) {
		wg.Go(func() {
			if err := f(); err != nil {
				cancel(err)
			}
		})
	}
	a.watch(ctx, begin)
	if err = a.judge(ctx, before); err == nil {
		counted := a.hits.read()
		defer func() { a.tally.note(counted, a.hits.read()) }()
		if err := a.hits.arm(true); err != nil {
			return false, err
		}
		// Not before: what is judged must have been asked for.
		begin(func() error { return a.writer.write(ctx, a.daemon, a.sessions) })
		begin(func() error { return a.visitor.visit(ctx, a.daemon) })
		limit := lifeTime * time.Duration(1+k.tries/4) // a slow machine comes to less
		if k.point == "" {
			limit = k.after
		}
		end := time.NewTimer(limit)
		defer end.Stop()
		if k.boot {
			end.Stop() // it dies by its own clock
		}
		select {
		case <-a.process.Ended():
		case <-end.C: // while everybody is at work
			over = true
			if k.term {
				err = a.stopInOrder()
			} else {
				a.process.KillNow()
			}
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	cancel(nil)
	wg.Wait()
	if err == nil && context.Cause(ctx) != context.Canceled { // what cancel(nil) leaves
		err = context.Cause(ctx)
	}
	return over, err
}

// watch lets the readers begin. They end with ctx or the daemon; an error is something that the daemon must not have said.
func (a *arena) watch(ctx context.Context, begin func(func() error)) {
	for _, s := range a.sessions {
		for _, r := range a.readers {
			begin(func() error { return r.stream(ctx, a.daemon, s) })
		}
	}
	begin(func() error { return a.poller.poll(ctx, a.daemon, a.sessions) })
	begin(func() error { return a.client.follow(ctx, a.daemon, a.sessions) })
}

// told are the histories so far.
func (a *arena) told() (all []audit.History) {
	for _, r := range a.recorders() {
		all = append(all, r.History())
	}
	return all
}

// judge reads every session in four ways and holds what was told before against it. A daemon that dies meanwhile is judged in
// its next life.
func (a *arena) judge(ctx context.Context, before []audit.History) error {
	for _, o := range a.orphans() {
		a.outside.Add(audit.Entry{Channel: audit.System, Kind: audit.Left, Note: fmt.Sprintf("pid %d, %s", o.pid, o.marker)})
	}
	if err := errors.Join(audit.Reaped(a.outside.History()), a.hooked.err()); err != nil {
		return err
	}
	cs, err := connect(ctx, a.daemon, nil)
	if err != nil {
		return nil // it is dead
	}
	defer cs.Close()
	for _, s := range a.sessions {
		if alive, err := compare(ctx, a.daemon, cs, s, a.ledgers[s]); !alive || err != nil {
			return err
		}
	}
	a.tally.do(func() { a.tally.compared++ })
	return audit.Check(a.ledgers, before...)
}

// lose takes away the last file that fits a pattern, if there is one.
func (a *arena) lose(pattern string) error {
	names, err := filepath.Glob(filepath.Join(a.data, strings.Replace(pattern, "SESSION", a.sessions[0], 1)))
	if err != nil || len(names) == 0 {
		return err
	}
	return os.Remove(names[len(names)-1])
}

// settleTime is how long a key that is asked once more may take on a slow machine, and the turn that waits for it.
const settleTime = time.Second

// settle ends the folder's story: everything that waits is done, every key is asked once more, the daemon ends in order, and
// what is left on the disk is held against everything that anybody was told.
func (a *arena) settle(ctx context.Context) error {
	limit := 2*time.Minute + time.Duration(a.writer.keys())*settleTime
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the end of the folder takes longer than %v", limit))
	defer cancel()
	if err := a.start(a.mode("")); err != nil {
		return err
	}
	defer a.daemon.kill()
	for i, s := range a.sessions {
		if err := a.writer.repeat(ctx, a.daemon, s, i); err != nil {
			return err
		}
	}
	for _, s := range a.sessions {
		if err := a.idle(ctx, s); err != nil {
			return err
		}
	}
	if err := a.judge(ctx, a.told()); err != nil {
		return err
	}
	if err := a.stopInOrder(); err != nil {
		return err
	}
	for _, s := range a.sessions {
		if err := a.closeBook(s); err != nil {
			return err
		}
	}
	if err := audit.Check(a.ledgers, a.told()...); err != nil {
		return err
	}
	for _, r := range a.recorders() {
		if err := r.Close(); err != nil {
			return err
		}
	}
	return leftovers(a.data)
}

// stopInOrder ends the daemon with SIGTERM; nothing of it is left.
func (a *arena) stopInOrder() error {
	a.outside.Add(audit.Entry{Channel: audit.System, Kind: audit.Stopping})
	told := time.Now()
	note := a.daemon.stop()
	a.tally.do(func() { a.tally.stops = append(a.tally.stops, time.Since(told)) })
	a.outside.Add(audit.Entry{Channel: audit.System, Kind: audit.Stopped, Note: note})
	for _, m := range remaining(a.marks) {
		a.outside.Add(audit.Entry{Channel: audit.System, Kind: audit.Left, Note: fmt.Sprintf("pid %d, %s, after the end", m.pid, m.marker)})
	}
	h := a.outside.History()
	return errors.Join(audit.Graceful(h), audit.Reaped(h))
}

// idle waits until a session has nothing to do.
func (a *arena) idle(ctx context.Context, session string) error {
	for {
		_, body, err := a.get(ctx, "/sessions/"+session+"/log")
		if err != nil {
			return fmt.Errorf("session %s does not come to rest: %w", session, err)
		}
		log := a.ledgers[session]
		if err := log.Follow(split(body)); err != nil {
			return err
		}
		if s := log.Log().Status(); s.State == protocol.StateIdle && s.QueuedPrompts == 0 && log.Log().Settled() == nil {
			return nil
		}
		if !pause(ctx, pollEvery) {
			return fmt.Errorf("session %s does not come to rest: %+v", session, a.ledgers[session].Log().Status())
		}
	}
}

// closeBook reads a session's files once more: every prompt had its turn, and nothing is open.
func (a *arena) closeBook(session string) error {
	all, err := readLines(a.data, session)
	if err != nil {
		return err
	}
	log := a.ledgers[session]
	if err := log.Follow(split(all)); err != nil {
		return err
	}
	if log.Turns() != log.Prompts() {
		return fmt.Errorf("%w: session %s has %d turns for %d prompts", audit.ErrIdempotent, session, log.Turns(), log.Prompts())
	}
	a.tally.do(func() { a.tally.prompts += log.Prompts() })
	return log.Log().Settled()
}
