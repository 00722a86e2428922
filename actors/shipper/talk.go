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
	// Removed says that Core has removed a session, or never had it, or that it is another node's.
	Removed func(id string)
	// Find gives the log of a session of which nothing was shown since the daemon's start, and the event up to which it may be read; nil: it was or will be
	// shown, or is gone.
	Find func(ctx context.Context, id string) (log Log, shown uint64, err error)
	Log  *zap.Logger
}

// How much goes at once.
const maxStatement = 16 << 20 // bytes

var most = store.Most{Events: 2000, Bytes: 1 << 20}

// talk is what a turn says to Core, for the shipper's goroutine alone.
type talk struct {
	*book
	cfg   *Config
	core  core.Core // nil: it was not opened yet
	owner core.Owner
	more  bool // the last turn has left something of a session that can be sent at once
}

// standing says whose a session is, and notes where it is somebody else's.
func (t *talk) standing(i *item) whose {
	w := standing(t.owner, &i.at)
	switch w {
	case fenced:
		t.trouble(i, &Problem{KindFenced, "node " + i.at.Owner.Node + " has the session"})
	case follow:
		t.trouble(i, problemFollowed)
	case mine, regain, unknown:
	}
	return w
}

var problemFollowed = &Problem{KindFollowed, "a daemon that was started later has the identity of this data folder: a copy of it is in use"}

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
