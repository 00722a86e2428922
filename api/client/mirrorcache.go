package client

import (
	"iter"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Cache is where a Mirror stores lines. Files makes one of a folder. Its methods may block, and are called by one goroutine at a time.
type Cache interface {
	// Sessions gives the ids of the sessions of which something is stored.
	Sessions() []string
	// Open opens a session, and says what is stored of it.
	Open(id string) (CachedSession, sync.Open, error)
}

// CachedSession is what is stored of one session. The Mirror closes it.
type CachedSession interface {
	// Do carries out an effect on the cache. After the error of a Store or a Rewind the cache is as it was before.
	Do(e sync.CacheEffect) error
	// Lines goes through stored lines.
	Lines(r sync.Read) iter.Seq2[cache.Line, error]
	Close()
}

// StateKeeper is a CachedSession that keeps a state as well, so that the next Mirror with MirrorOptions.States does not fold all lines again. The sessions of
// package cache are StateKeepers.
type StateKeeper interface {
	CachedSession
	// SaveState stores the state as of the last stored line, whose cursor is at, in place of the one before. It is a hint, and may fail.
	SaveState(at protocol.Cursor, state []byte) error
	// State gives the state of the checkpoint that Open has found.
	State() ([]byte, error)
}

// Files stores lines in the files of a folder, which the caller opens and closes (package cache).
func Files(f *cache.Folder) Cache { return files{f} }

type files struct{ *cache.Folder }

func (f files) Open(id string) (CachedSession, sync.Open, error) {
	s, found, err := f.Folder.Session(id)
	if err != nil {
		return nil, sync.Open{}, err
	}
	return s, found, nil
}
