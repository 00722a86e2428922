package merged

import (
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// feed is one session of a stream.
type feed struct {
	id      string
	bell    *ring.Bell
	at      protocol.Cursor // of the last event that was sent or left out, or where the session begins
	phase   phase
	inLine  bool
	moved   bool            // since the last heartbeat
	over    bool            // it has ended, and the client was told
	listed  protocol.Cursor // while it is over: where the list had it when it was asked the last time
	reader  *session.Reader // while it is read
	items   *protocol.Items // of the view items: the fold up to at
	told    bool            // that the log is damaged
	doubted uint64          // the event for which the session has looked at its journal anew; 0: none
	refused protocol.Code   // why it could not be read the last time, so that it is told once
	again   time.Time       // while it waits: when it is asked
	arrived atomic.Pointer[arrival]
}

// phase is what a feed does.
type phase uint8

const (
	resting phase = iota // it has everything: the list tells when there is more
	joining              // the session is asked for its reading side
	open                 // it has the reading side
	waiting              // the session cannot be read: it is asked again later
	gone                 // it is followed no more
)

// arrival is the reading side of a session, or why there is none.
type arrival struct {
	reader *session.Reader
	items  *protocol.Items
	err    error
}
