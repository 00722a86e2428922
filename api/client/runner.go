package client

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// storeEvery is how often lines are stored, while there are any.
const storeEvery = time.Second

// runner is the goroutine of a mirror.
type runner struct {
	*Mirror

	ctx    context.Context //nolint:containedctx // of Run, which it lives for
	due    map[*kept]time.Time
	told   map[string]bool // by this stream's list; nil: the list is whole
	up     bool            // a stream is open
	reopen bool            // a machine wants another position than the stream has
	broken error           // what the daemon must never say
}

func (r *runner) run(ctx context.Context) error {
	r.ctx, r.due = ctx, map[*kept]time.Time{}
	defer r.closeAll()
	if c := r.options.Cache; c != nil && !r.options.List {
		for _, id := range c.Sessions() {
			r.open(id)
		}
	}
	for fails := 0; ; {
		began := time.Now()
		asked, err := r.connect()
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if err != nil && !lost(err) {
			return err
		}
		if err == nil { // another stream is wanted
			continue
		}
		r.tellCurrent(ListCurrent{Err: err})
		if time.Since(began) >= quiet {
			fails = 0
		}
		fails++
		if err := pause(ctx, sync.Backoff(fails, asked, rand.Float64())); err != nil {
			return err
		}
		r.all(sync.Wake{})
	}
}

// connect opens one stream and reads it to its end. Without an error another one is wanted at once. asked is the wait that the daemon asks for.
func (r *runner) connect() (asked time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	resp, err := r.client.request(ctx, streamCall(r.want()))
	if err != nil {
		r.all(sync.Lost{})
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= 300 {
		return r.refused(resp)
	}
	in := newInflow()
	read := make(chan struct{})
	go func() {
		in.read(resp.Body)
		close(read)
	}()
	defer func() {
		in.close()
		cancel(nil)
		<-read
	}()
	r.up, r.reopen, r.told = true, false, map[string]bool{}
	for _, k := range r.sessions {
		switch k.machine.Phase() {
		case sync.PhaseConnecting:
			k.joined = true
			r.step(k, sync.Connected{})
		case sync.PhaseOver, sync.PhaseAside:
			k.joined = true
		default:
		}
	}
	err = r.read(in)
	r.up = false
	if err == nil {
		r.all(sync.Renew{})
	} else {
		r.all(sync.Lost{})
	}
	for _, k := range r.sessions {
		k.joined = false
	}
	return 0, err
}

// refused is any answer but a stream.
func (r *runner) refused(resp *http.Response) (time.Duration, error) {
	err := problemOf(resp)
	after, _ := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 16)
	asked := time.Duration(after) * time.Second
	status := resp.StatusCode
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests || status >= 500:
		r.all(sync.Answer{Status: status, RetryAfter: asked})
	default:
		r.all(sync.Lost{})
	}
	if status == http.StatusTooManyRequests || status >= 500 {
		err = &lostError{err}
	}
	return asked, err
}

// read takes what a stream brings, and stores now and then, until the stream ends or another one is wanted.
func (r *runner) read(in *inflow) error {
	tick := time.NewTicker(storeEvery)
	defer tick.Stop()
	heard := time.Now()
	for {
		select {
		case <-in.news:
			list, end := in.take()
			if len(list) > 0 {
				heard = time.Now()
			}
			r.frames(list)
			switch {
			case r.broken != nil:
				return r.broken
			case errors.Is(end, io.EOF):
				return &lostError{errors.New("the daemon ended it")}
			case end != nil:
				return &lostError{end}
			}
		case now := <-tick.C:
			r.all(sync.Tick{})
			r.retry(now)
			if now.Sub(heard) > silence {
				return &lostError{errors.New("the daemon went silent")}
			}
		case <-r.ctx.Done():
			return context.Cause(r.ctx)
		}
		if r.reopen {
			return nil
		}
	}
}

// retry asks again for sessions whose wait is over.
func (r *runner) retry(now time.Time) {
	for k, due := range r.due {
		if !now.Before(due) {
			delete(r.due, k)
			r.step(k, sync.Due{})
		}
	}
}

// all gives an input to every machine.
func (r *runner) all(in sync.Input) {
	for _, k := range r.sessions {
		r.step(k, in)
	}
}

// open begins to keep a session with what the cache has of it.
func (r *runner) open(id string) *kept {
	k := &kept{id: id, at: protocol.Cursor{Epoch: 1}}
	found := sync.Open{}
	if c := r.options.Cache; c != nil {
		s, f, err := c.Open(id)
		if err == nil {
			k.cache, found = s, f
			found.SaveEvery = r.saveEvery(s)
		} else {
			r.tell(SessionNotice{id, sync.NoticeUncached})
		}
	}
	if r.options.States {
		k.state = new(protocol.SessionState)
	}
	r.mu.Lock()
	r.sessions[id] = k
	r.mu.Unlock()
	r.step(k, found)
	return k
}

// drop lets go of a session that is not there any more.
func (r *runner) drop(k *kept) {
	if k.cache != nil {
		k.cache.Close()
	}
	delete(r.due, k)
	r.mu.Lock()
	delete(r.sessions, k.id)
	r.mu.Unlock()
}

func (r *runner) closeAll() {
	for _, k := range r.sessions {
		r.step(k, sync.Close{})
		if k.cache != nil {
			k.cache.Close()
		}
	}
}

// tellCurrent tells whether the list is current, also those who join later.
func (r *runner) tellCurrent(c ListCurrent) {
	r.mu.Lock()
	r.current = &c
	r.mu.Unlock()
	r.tell(c)
}

func (r *runner) tell(c Change) { r.feed.put(r.ctx, c) }
