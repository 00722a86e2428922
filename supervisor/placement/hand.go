package placement

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

// hand is what moving sessions works with. Its way to Core is one goroutine's.
type hand struct {
	*Node
	ctx  context.Context
	cfg  *Config
	gate *gate
	core core.Core // nil: it was not opened yet
	next time.Time // when there may be something to do, where nobody says anything; zero: it is not known of anything
}

func (h *hand) connect() error {
	if h.core != nil {
		return nil
	}
	ctx, cancel := h.call()
	defer cancel()
	c, err := h.cfg.Connect(ctx)
	if err == nil {
		h.core = c
	}
	return err
}

// call gives the context of a call to Core.
func (h *hand) call() (context.Context, context.CancelFunc) {
	return context.WithTimeout(h.ctx, callTime)
}

// giveUp ends what runs here of a session that others have, and sets its folder aside.
func (h *hand) giveUp(id string) error {
	ctx, cancel := context.WithTimeout(h.ctx, sealTime)
	defer cancel()
	err := h.Sessions.Seal(ctx, id)
	if err == nil {
		err = h.withdraw(id, aside(folder.Lost))
	}
	if err == nil {
		h.Moved(id)
	}
	return err
}

// withdraw sets the folder of a sealed session aside. It has a time of its own: what was begun behind the end of another one would go all the same, and nobody
// would know.
func (h *hand) withdraw(id, name string) error {
	ctx, cancel := context.WithTimeout(h.ctx, withdrawTime)
	defer cancel()
	return h.Sessions.Withdraw(ctx, id, name)
}

// withdrawTime is what the disk gets to take a folder aside.
const withdrawTime = time.Minute

// sealTime is what a session gets to interrupt its turn, and its agent to end.
const sealTime = time.Minute

// aside is the name of what is set aside now.
func aside(why folder.Why) string { return folder.Aside{Why: why, At: time.Now()}.String() }

// cursorOf is that of the newest event that Core has.
func cursorOf(p core.Position) protocol.Cursor { return protocol.Cursor{Epoch: p.Epoch, Seq: p.Head} }

const askedOnce = 1000 // sessions of a call to Core
