package sync

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Input is something that happened to a session that is kept.
//
//sumtype:decl
type Input interface{ input() }

// Inputs from the program that keeps the session, and from its clock.
type (
	// Open begins, in the phase closed, with what was found in the cache.
	Open struct {
		Cached     bool            // there is a cache; false: nothing is stored, and the members of the cache do not count
		Index      *Index          // nil: there is none
		File       File            // where there is no index, only its Length counts
		Checkpoint *Checkpoint     // nil: there is none
		Since      protocol.Cursor // where to begin without a cache; the zero value is the start
		SaveEvery  uint64          // lines between two checkpoints, at least; 0: no state is folded, and none is stored
	}

	// Tick says that it is time to store.
	Tick struct{}

	// Due says that the time of the last Wait is over.
	Due struct{}

	// Wake says that a network is there again, or that somebody looks: a retry that waits is made now.
	Wake struct{}

	// Renew asks for a new connection in place of one that has lived long.
	Renew struct{}

	// Moved says that the list of sessions shows a session beyond its end, or as one that matches again.
	Moved struct{}

	// Close ends it; Open may follow.
	Close struct{}
)

// Inputs from the cache.
type (
	// StoreFailed says that a Store of the last step failed, and that the cache is as it was before.
	StoreFailed struct{}

	// Unreadable says that the Read of the last step met what is no event, or breaks the run of numbers, or that the checkpoint it was to begin with is of no
	// use; or that its Rewind failed.
	Unreadable struct{}

	// Saved says that the Save of the last step succeeded. One that failed has no input: it is tried again as late as if it had not.
	Saved struct{ Size int64 } // bytes of the state
)

// Inputs from the connection.
type (
	// Connected says that the stream is open.
	Connected struct{}

	// Retry is the wait that the server asked for in a line of the stream.
	Retry struct{ After time.Duration }

	// Frame is an event. The machine keeps Line: nobody may change it any more.
	Frame struct {
		At   protocol.Cursor // of the frame's id
		Seq  uint64          // of the line itself; 0: the line is no event
		Line []byte          // without its newline
	}

	// Heartbeat is a sign of life. At is where the server is with this session; nil: the heartbeat does not name it.
	Heartbeat struct{ At *protocol.Cursor }

	// Reset says that the position is not of the log, which goes on with the event Oldest (spec §7.5). Up to Common it is the log that the position is of; 0:
	// the server did not say.
	Reset struct{ Epoch, Oldest, Common uint64 }

	// Over says, in a merged stream, that the session has ended and that everything up to At was sent.
	Over struct{ At protocol.Cursor }

	// Gone says, in a merged stream, that the session is not followed any more.
	Gone struct{ Deselected bool } // false: it is not there

	// Refused says, in a merged stream, that the session cannot be read now. The server tries again.
	Refused struct{ Code protocol.Code }

	// Damage says that the log ends early on the server's disk (spec §7.12).
	Damage struct{}

	// Answer is any answer to the request for the stream, or for a patch of the log, that is not the stream itself.
	Answer struct {
		Status        int           // of HTTP
		RetryAfter    time.Duration // 0: the server did not say
		Epoch, Oldest uint64        // of 410; 0: not known
		Common        uint64        // of 410, as that of a Reset
	}

	// Lost says that there is no connection, whether it broke or never came.
	Lost struct{}
)

// Index is what the index of a cache says of its file (spec §10.4).
type Index struct {
	Epoch  uint64
	Seq    uint64 // of the last line
	Length int64  // bytes
	Sum    uint32 // CRC-32 of these bytes
}

// File is what a cache's file itself shows. All but Length is of its beginning, as far as the index speaks of it.
type File struct {
	Length int64  // of the whole file
	Whole  bool   // the beginning ends in a newline
	Seq    uint64 // of the last line of the beginning; 0: it is no event
	Sum    uint32
}

// Checkpoint is where a stored state stands: after the line Seq, which ends at Length.
type Checkpoint struct {
	Epoch  uint64
	Seq    uint64
	Length int64
	Size   int64 // bytes of the state
}

// sound says that the file is what the index says.
func (o *Open) sound() bool {
	x := o.Index
	return x != nil && x.Epoch > 0 && x.Seq > 0 && x.Length > 0 &&
		o.File.Length >= x.Length && o.File.Whole && o.File.Seq == x.Seq && o.File.Sum == x.Sum
}

// of says that a state at the checkpoint is one of the log that the index speaks of.
func (c *Checkpoint) of(x *Index) bool {
	return c.Epoch == x.Epoch && c.Seq > 0 && c.Length > 0 && c.Seq <= x.Seq && c.Length <= x.Length && (c.Seq == x.Seq) == (c.Length == x.Length)
}

func (Open) input()        {}
func (Tick) input()        {}
func (Due) input()         {}
func (Wake) input()        {}
func (Renew) input()       {}
func (Moved) input()       {}
func (Close) input()       {}
func (StoreFailed) input() {}
func (Unreadable) input()  {}
func (Saved) input()       {}
func (Connected) input()   {}
func (Retry) input()       {}
func (Frame) input()       {}
func (Heartbeat) input()   {}
func (Reset) input()       {}
func (Over) input()        {}
func (Gone) input()        {}
func (Refused) input()     {}
func (Damage) input()      {}
func (Answer) input()      {}
func (Lost) input()        {}
