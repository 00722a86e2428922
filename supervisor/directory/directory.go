// Package directory says which sessions there are and where their actors are. Everybody reads it without a question; the supervisor's actor
// alone writes it. What it does not have, or has without a reference, the supervisor is asked for: it may have to start the actor.
package directory

import (
	"sync"
	"unique"

	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// Entry is what is known of a session without asking anybody.
type Entry struct {
	Ref    session.Ref // its actor, which takes questions; not valid: it has none, or one that is being put away
	Cwd    string
	Owner  string // empty: an administrator's
	Parent string // the session that it works for; empty: none
	Ended  bool
	Pinned bool // retention leaves it
	// Attached: its agent was not started by the daemon, and is where it is.
	Attached bool
}

// Directory has the sessions that are not being deleted, by id. Those at rest of which the same is known, as most of one folder are, have one entry. The zero
// value is empty.
type Directory struct {
	mu      sync.RWMutex
	entries map[string]unique.Handle[Entry]
}

// Find gives a session's entry.
func (d *Directory) Find(id string) (e Entry, ok bool) {
	d.mu.RLock()
	h, ok := d.entries[id]
	d.mu.RUnlock()
	if ok {
		e = h.Value()
	}
	return e, ok
}

// Put notes what is known of a session now.
func (d *Directory) Put(id string, e Entry) {
	if was, ok := d.Find(id); ok && was == e {
		return
	}
	h := unique.Make(e)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.entries == nil {
		d.entries = map[string]unique.Handle[Entry]{}
	}
	d.entries[id] = h
}

// Remove takes a session out.
func (d *Directory) Remove(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.entries, id)
}

// Len counts the sessions.
func (d *Directory) Len() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.entries)
}
