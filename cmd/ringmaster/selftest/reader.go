package selftest

import (
	"context"
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// reader follows one session's stream over all lives of the daemon and writes down what it is shown.
type reader struct {
	session  string
	recorder *audit.Recorder
	at       protocol.Cursor
	shown    int
	times    []time.Duration // of deliveries, the newest maxTimes
	err      error           // what a stream must never say
}

// maxTimes bounds what one reader remembers of deliveries.
const maxTimes = 200_000

// follow reads until ctx ends, or the connection. Every event is told to news, which is never waited for.
func (r *reader) follow(ctx context.Context, c *client.Client, news chan<- struct{}) {
	opened := func() {
		r.recorder.Add(audit.Entry{Channel: audit.Stream, Kind: audit.Opened, Session: r.session, Epoch: max(1, r.at.Epoch), Seq: r.at.Seq})
	}
	opened()
	live := time.Now().UnixMilli() // what is older was waiting in the log
	for u, err := range c.Follow(ctx, r.session, r.at) {
		if err != nil {
			if gap := asGap(err); gap != nil {
				r.err = gap
			}
			return
		}
		switch u := u.(type) {
		case client.Line:
			took := time.Since(time.UnixMilli(u.Event.Time))
			r.recorder.Add(audit.Entry{
				Channel: audit.Stream, Kind: audit.Shown, Session: r.session, Epoch: u.At.Epoch, Seq: u.At.Seq, Hash: audit.HashOf(u.Raw),
			})
			r.at = u.At
			r.shown++
			if _, delta := u.Event.Payload.(*protocol.EntryDelta); delta && u.Event.Time > live && len(r.times) < maxTimes {
				r.times = append(r.times, max(0, took))
			}
			select {
			case news <- struct{}{}:
			default:
			}
		case client.Overflow: // no part of the log
		case client.Reset:
			r.at = protocol.Cursor{Epoch: u.Epoch, Seq: max(u.Oldest, 1) - 1}
			r.recorder.Add(audit.Entry{Channel: audit.Stream, Kind: audit.Reset, Session: r.session, Epoch: u.Epoch})
		case client.Damage:
			r.err = fmt.Errorf("the log is damaged: %s", u.String())
			return
		case client.Lost:
			return // the daemon is dead: the next life has another address
		}
	}
}
