package shipper

import (
	"context"
	"errors"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// Config is what a Shipper works with. Its functions are called by the shipper's goroutine alone, and may wait for the disk.
type Config struct {
	// Connect opens Core; it is called again after an error. The context ends with Close.
	Connect func(ctx context.Context) (core.Core, error)
	// Record gives what is to be told of a session; ok is false where there is none.
	Record func(id string) (r core.Record, ok bool)
	// Sessions goes through all sessions, with the cursors of their newest events.
	Sessions func() iter.Seq2[string, protocol.Cursor]
	// Moves says that a session may go on at another node while this one is alive; nil: none may. Such a one is taken at the start of each life.
	Moves func(id string) bool
	// Fenced says that a session is not this node's any more, as of which Core has given the position; nil: nobody is told. It must not wait.
	Fenced func(core.Position)
	// Removed says that Core has removed a session, or never had it, or that it is another node's.
	Removed func(id string)
	// Find gives the log of a session of which nothing was shown since the daemon's start, and the event up to which it may be read; nil: it was or will be
	// shown, or is gone.
	Find func(ctx context.Context, id string) (log Log, shown uint64, err error)
	Log  *zap.Logger
}

// sizes is how much goes at once.
type sizes struct {
	stretch store.Most // of one session in a statement
	parcel  int        // bytes of lines; a statement has at most one stretch more
	turn    int        // likewise; what is more waits for the next turn
}

var usual = sizes{stretch: store.Most{Events: 2000, Bytes: 1 << 20}, parcel: 2 << 20, turn: 16 << 20}

// talk is what a turn says to Core, for the shipper's goroutine alone.
type talk struct {
	*book
	cfg   *Config
	sizes sizes
	core  core.Core // nil: it was not opened yet
	owner core.Owner
	more  bool // the last turn has left something of a session that can be sent at once
}

// standing says whose a session is, and notes where it is somebody else's.
func (t *talk) standing(i *item) whose {
	w := standing(t.owner, &i.at, t.claimed(i))
	switch w {
	case fenced:
		t.trouble(i, &Problem{KindFenced, "node " + i.at.Owner.Node + " has the session"})
		if t.cfg.Fenced != nil && !i.gone {
			t.cfg.Fenced(i.at)
		}
	case follow:
		t.trouble(i, problemFollowed)
	case mine, regain, unknown:
	}
	return w
}

// claimed is the newest epoch of which Core has said that an item's session is this node's; 0 where that is over, since the node has given it away.
func (t *talk) claimed(i *item) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ways[i.id] != i.way {
		return 0
	}
	return t.book.claimed[i.id]
}

var problemFollowed = &Problem{KindFollowed, "a daemon that was started later has the identity of this data folder: a copy of it is in use"}

var problemUnrecorded = &Problem{KindUnread, "what is told of the session (session.json) cannot be read"}

// unread notes that a log gives nothing. One that was removed meanwhile is no trouble.
func (t *talk) unread(i *item, err error) {
	if t.isGone(i) {
		return
	}
	var gone *store.GoneError
	kind := KindUnread
	if errors.As(err, &gone) {
		kind = KindGap
	}
	t.trouble(i, &Problem{kind, err.Error()})
}

// trouble notes why nothing of a session can be sent.
func (t *talk) trouble(i *item, p *Problem) {
	i.problem = p
	if was := t.was(i); was == nil || was.Kind != p.Kind {
		t.cfg.Log.Error("Core does not get a session's log", zap.String("session", i.id), zap.String("kind", string(p.Kind)), zap.String("why", p.Detail))
	}
}
