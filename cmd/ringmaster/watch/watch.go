package watch

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Watch is what is watched, and who is told.
type Watch struct {
	Client   *client.Client
	Find     func() (*client.Client, error) // the client of the daemon that there is after a connection was lost: it may have another address
	Sessions []string                       // by their ids
	Select   *resource.Selector             // nil: none but those
	Kinds    []notice.Kind                  // what is told
	Since    *protocol.Cursor               // of the one session that is named; nil: from now on
	State    string                         // name of a file that keeps the positions; empty: none
	Command  *Command                       // nil: notices are printed
	Parallel int                            // commands at once, at least 1
	Retry    int                            // how often a command that has failed is run again
	Out      io.Writer
	Say      func(string) // tells the person what is not output
	Now      func() time.Time
}

// Run watches until ctx is done, whose cause it returns; until the daemon refuses; or until the sessions that are named are over and none is selected.
// Commands that run are ended with ctx, and waited for.
func (w *Watch) Run(ctx context.Context) error {
	var file *positions
	var at map[string]protocol.Cursor
	if w.State != "" {
		var err error
		if file, at, err = openPositions(w.State); err != nil {
			return err
		}
		defer file.close()
	}
	if at == nil {
		var err error
		if at, err = w.begin(ctx); err != nil {
			return err
		}
	}
	if w.Since != nil {
		at[w.Sessions[0]] = *w.Since
	}
	done := make(map[string]protocol.Cursor, len(at))
	for id, c := range at {
		done[id] = c
	}
	most := max(w.Parallel, 1)
	if w.Command == nil {
		most = 1 // one writes lines at a time
	}
	r := &running{Watch: w, queue: newQueue(most, done), file: file, results: make(chan result)}
	if err := r.save(); err != nil {
		return err
	}
	return r.run(ctx, newReading(append(slices.Clone(w.Kinds), notice.EventsMissed), at))
}

// begin is where all sessions stand that are within reach. One that comes to match later is told of from there on, and one that is made later from its first
// event.
func (w *Watch) begin(ctx context.Context) (map[string]protocol.Cursor, error) {
	at := map[string]protocol.Cursor{}
	for q := (client.Query{Limit: client.MostListed}); ; {
		page, err := w.Client.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Sessions {
			s := &page.Sessions[i]
			at[s.ID] = protocol.Cursor{Epoch: s.Epoch, Seq: s.Seq}
		}
		if q.After = page.Next; q.After == "" {
			return at, nil
		}
	}
}

// running is a watch that runs. All of it belongs to one goroutine.
type running struct {
	*Watch
	queue   *queue
	file    *positions
	results chan result // of commands
}

// result is what became of telling a notice; not told: the watch ended meanwhile.
type result struct {
	Told
	told bool
}

func (r *running) run(ctx context.Context, reading *reading) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	told, ended := make(chan Told), make(chan error, 1)
	s := &stream{client: r.Client, find: r.Find, named: r.Sessions, chosen: r.Select, reading: reading, told: told, say: r.Say, now: r.Now}
	go func() { ended <- s.run(ctx) }()
	var why error
	for reads, stop := true, ctx.Done(); reads || !r.queue.idle(); {
		in := told
		if r.queue.full() {
			in = nil
		}
		select {
		case t := <-in:
			if ctx.Err() == nil { // else it would stand behind a notice that was let go of, as if that had been told
				r.queue.add(t)
			}
		case t := <-r.results:
			if !t.told {
				r.queue.leave(t.Told)
				break
			}
			r.queue.told(t.Told)
			if err := r.save(); err != nil { // what was told would be told again, without a word
				why = err
				cancel(err)
			}
		case err := <-ended:
			if ended, reads = nil, false; why == nil {
				why = err
			}
		case <-stop:
			stop = nil
		}
		if ctx.Err() == nil {
			r.start(ctx)
		} else {
			r.queue.waiting = nil // the file has where they begin
		}
	}
	if err := r.save(); err != nil {
		return err
	}
	return why
}

// start tells what may be told now.
func (r *running) start(ctx context.Context) {
	for {
		t, is := r.queue.next()
		if !is {
			return
		}
		go func() { r.results <- result{t, r.tell(ctx, t)} }()
	}
}

// save writes the positions.
func (r *running) save() error {
	if r.file == nil {
		return nil
	}
	return r.file.save(r.queue.done)
}

// tell runs the command for a notice, or prints it. False: the watch ended meanwhile, and nobody may have been told.
func (r *running) tell(ctx context.Context, t Told) bool {
	for try := 1; ; try++ {
		err := r.once(ctx, t.Notice)
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		what := fmt.Sprintf("%s of %s at %s: %v", t.Notice.Kind, t.Session, t.At, err)
		if try > r.Retry {
			r.Say(fmt.Sprintf("%s (try %d of %d); going on", what, try, r.Retry+1))
			return true
		}
		r.Say(fmt.Sprintf("%s (try %d of %d)", what, try, r.Retry+1))
		wait := time.NewTimer(sync.Backoff(try+1, time.Second, rand.Float64()))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return false
		}
	}
}

func (r *running) once(ctx context.Context, n *notice.Notice) error {
	if r.Command != nil {
		return r.Command.run(ctx, n)
	}
	line, err := n.MarshalJSON()
	if err == nil {
		_, err = r.Out.Write(append(line, '\n'))
	}
	return err
}
