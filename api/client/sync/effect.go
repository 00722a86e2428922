package sync

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Effect is something to be done: a ConnectionEffect, a CacheEffect or a ViewEffect.
type Effect interface{ effect() }

// ConnectionEffect has to do with the server.
//
//sumtype:decl
type ConnectionEffect interface {
	Effect
	connectionEffect()
}

// CacheEffect has to do with what is stored.
//
//sumtype:decl
type CacheEffect interface {
	Effect
	cacheEffect()
}

// ViewEffect has to do with what is shown.
//
//sumtype:decl
type ViewEffect interface {
	Effect
	viewEffect()
}

// Effects on the connection.
type (
	// Connect asks the server for what follows a position.
	Connect struct{ Since protocol.Cursor }

	// Disconnect ends the connection, if there is one.
	Disconnect struct{}

	// Wait asks for Due after a time.
	Wait struct{ For time.Duration }
)

// Effects on the cache.
type (
	// Cut shortens the file to Length bytes: what lies behind them was not finished.
	Cut struct{ Length int64 }

	// Read shows the lines of the file, from the byte From on, of which the first is the line after After. A From above 0 means that the state of the
	// checkpoint is shown in place of the lines before it.
	Read struct {
		From  int64
		After uint64
	}

	// Store writes lines behind those that are there, and then the index. It does all of it or fails; then nothing of it counts.
	Store struct {
		At    protocol.Cursor // of the last line
		Lines [][]byte        // without their newlines
	}

	// Save writes the state as of At, behind the line that was stored last, in place of the checkpoint before it. It is a hint: nothing is done behind a Store
	// of the same step that failed, and a Save that fails costs nothing but time at the next opening.
	Save struct{ At protocol.Cursor }

	// Rewind keeps the lines up to the one of At, whose epoch is At's from now on, and takes away those behind it. Where it fails, or that line is not there,
	// nothing is shown of the cache: the Read behind it is not carried out.
	Rewind struct{ At protocol.Cursor }

	// Drop takes away all that is stored of the session: the index first, then the checkpoint, then the lines.
	Drop struct{}

	// DropCheckpoint takes the checkpoint away: it is of another log, further than the index, or of no use, or the lines need its room.
	DropCheckpoint struct{}

	// Evict makes room at the cost of sessions that are not open.
	Evict struct{}
)

// Effects on the view.
type (
	// Show shows the line that follows those shown so far.
	Show struct {
		At   protocol.Cursor
		Line []byte
	}

	// Forget takes back all that is shown of the session.
	Forget struct{}

	// Tell says what happened, for counters and for people.
	Tell struct {
		Notice Notice
		Code   protocol.Code // of NoticeUnavailable in a merged stream; else empty
	}
)

// Notice is what a client may want to know of a session that is kept.
type Notice string

// The notices.
const (
	NoticeGap          Notice = "gap"           // lines were missing, and are asked for again
	NoticeEpoch        Notice = "epoch"         // a line was of a log that another one has replaced, without a reset: started over
	NoticeCacheDropped Notice = "cache_dropped" // the cache was not as it had been written: started over
	NoticeUncached     Notice = "uncached"      // there is no room: the session goes on without a cache
	NoticeUnavailable  Notice = "unavailable"   // the server cannot give it now: tried again
	NoticeDamaged      Notice = "damaged"       // its log ends early on the server's disk
	NoticeRefused      Notice = "refused"       // the token may not read it; the cache stays, and is not shown
	NoticeGone         Notice = "gone"          // there is no such session any more
	NoticeDeselected   Notice = "deselected"    // it does not match any more
)

func (Connect) effect()        {}
func (Disconnect) effect()     {}
func (Wait) effect()           {}
func (Cut) effect()            {}
func (Read) effect()           {}
func (Store) effect()          {}
func (Save) effect()           {}
func (Rewind) effect()         {}
func (Drop) effect()           {}
func (DropCheckpoint) effect() {}
func (Evict) effect()          {}
func (Show) effect()           {}
func (Forget) effect()         {}
func (Tell) effect()           {}

func (Connect) connectionEffect()    {}
func (Disconnect) connectionEffect() {}
func (Wait) connectionEffect()       {}

func (Cut) cacheEffect()            {}
func (Read) cacheEffect()           {}
func (Store) cacheEffect()          {}
func (Save) cacheEffect()           {}
func (Rewind) cacheEffect()         {}
func (Drop) cacheEffect()           {}
func (DropCheckpoint) cacheEffect() {}
func (Evict) cacheEffect()          {}

func (Show) viewEffect()   {}
func (Forget) viewEffect() {}
func (Tell) viewEffect()   {}
