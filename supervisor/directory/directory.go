// Package directory says which sessions there are and where their actors are. Everybody reads it without a question; the supervisor's actor
// alone writes it. What it does not have, or has without a reference, the supervisor is asked for: it may have to start the actor.
package directory

import (
	"sync"

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
}

// Directory has the sessions that are not being deleted, by id. The zero value is empty.
type Directory struct{ entries sync.Map } // string to Entry

// Find gives a session's entry.
func (d *Directory) Find(id string) (e Entry, ok bool) {
	v, ok := d.entries.Load(id)
	if ok {
		e, ok = v.(Entry)
	}
	return e, ok
}

// Put notes what is known of a session now.
func (d *Directory) Put(id string, e Entry) {
	if was, ok := d.Find(id); !ok || was != e {
		d.entries.Store(id, e)
	}
}

// Remove takes a session out.
func (d *Directory) Remove(id string) { d.entries.Delete(id) }

// Len counts the sessions. It looks at all of them.
func (d *Directory) Len() (n int) {
	d.entries.Range(func(any, any) bool {
		n++
		return true
	})
	return n
}
