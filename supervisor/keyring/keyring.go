// Package keyring holds the idempotency keys of all sessions, in memory and in the file idempotency.
package keyring

import (
	"bufio"
	"container/list"
	"encoding/json"
	"path/filepath"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Bound is one line of the file idempotency: a key that stands for a session.
type Bound struct {
	By      string `json:"by"`
	Key     string `json:"key"`
	Sum     string `json:"sum"` // of what was asked with it
	Session string `json:"session"`
	Found   bool   `json:"found,omitempty"` // the session was there before

	age uint64
}

// How many keys are kept, the newest. One principal takes no more than its own part of all.
const (
	maxKeysBy  = 1000
	maxKeysAll = 10_000
)

// maxKeyWrites is how many writes of keys may wait for the disk.
const maxKeyWrites = 1024

// Keyring holds the idempotency keys of all sessions, in memory and in the file idempotency, to which each is added, and synced, before its
// session is made. A line whose session is not there counts for nothing, so that file and sessions need no common step: a daemon that
// ends between the two has bound nothing. The file is written anew when most of it is old, when a session is forgotten, and after a write
// that failed.
//
// The disk is the affair of a goroutine that lives while there is something to write: what comes meanwhile shares the next sync.
type Keyring struct {
	dir   string
	files disk.FS

	mu      sync.Mutex
	of      map[string]*keysOf                // by principal
	session map[string]map[*list.Element]bool // the same, by the session that they stand for
	count   int
	age     uint64     // of the newest
	safe    uint64     // keys of this age, and older ones, are on the disk
	queue   []keyWrite // waits for the disk
	anew    bool       // something was forgotten that the file has
	running bool
	idle    *sync.Cond // running has ended

	// Of the goroutine, or of whoever sees that there is none.
	file  disk.Writer // nil: it is to be written anew
	lines int         // in it
}

// keyWrite is something that waits for the disk.
type keyWrite struct {
	key  *Bound          // nil: nothing is added
	done func(err error) // called in the goroutine; must not block
}

// keysOf are the keys of one principal.
type keysOf struct {
	named map[string]*list.Element // of Bound
	order *list.List               // the oldest first
}

const (
	keysFile   = "idempotency"
	freshKeys  = ".idempotency.new"
	maxKeyLine = 1 << 20 // bytes: far more than any has
)

// New reads the keys of the sessions that are there. Lines that cannot be read, as a torn last one, are left out.
func New(dir string, files disk.FS, there func(session string) bool) *Keyring {
	k := &Keyring{dir: dir, files: files, of: map[string]*keysOf{}, session: map[string]map[*list.Element]bool{}}
	k.idle = sync.NewCond(&k.mu)
	_ = files.Remove(filepath.Join(dir, freshKeys)) // of a daemon that was killed; mostly there is none
	f, err := files.Open(filepath.Join(dir, keysFile))
	if err != nil {
		return k // none was used yet; whatever else it is, the next write says
	}
	defer f.Close() // opened for reading: nothing to lose
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxKeyLine)
	for in.Scan() {
		var b Bound
		if json.Unmarshal(in.Bytes(), &b) == nil && there(b.Session) {
			k.take(b)
		}
	}
	k.safe = k.age
	return k
}

// Find gives what a key stands for, and whether that is on the disk.
func (k *Keyring) Find(by, name string) (b Bound, known, safe bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if of := k.of[by]; of != nil {
		if e := of.named[name]; e != nil {
			b = e.Value.(Bound)
			return b, true, b.age <= k.safe
		}
	}
	return b, false, false
}

// Put binds a key, in the place of what it stood for, and calls done once it is on the disk; with an error, it stands for nothing. It does
// neither where too much waits for the disk.
func (k *Keyring) Put(b Bound, done func(error)) (ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.queue) >= maxKeyWrites {
		return false
	}
	b = k.take(b)
	k.want(keyWrite{&b, done})
	return true
}

// After calls do once what was put before is on the disk, or was given up; not where too much waits for that.
func (k *Keyring) After(do func()) (ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.queue) >= maxKeyWrites {
		return false
	}
	k.want(keyWrite{done: func(error) { do() }})
	return true
}

// Forget drops the keys that stand for a session, and calls done once the file does not have them any more. These writes are bounded by the
// number of sessions.
func (k *Keyring) Forget(session string, done func(error)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.session[session]) == 0 {
		done(nil)
		return
	}
	for e := range k.session[session] {
		b := e.Value.(Bound)
		k.drop(b.By, b.Key)
	}
	k.anew = true
	k.want(keyWrite{done: done})
}

// all gives the keys that count. With mu held.
func (k *Keyring) all() []Bound {
	all := make([]Bound, 0, k.count)
	for _, of := range k.of {
		for e := of.order.Front(); e != nil; e = e.Next() {
			all = append(all, e.Value.(Bound))
		}
	}
	return all
}

// take notes a key as the newest, and forgets the oldest where there are too many. With mu held.
func (k *Keyring) take(b Bound) Bound {
	k.drop(b.By, b.Key)
	of := k.of[b.By]
	if of == nil {
		of = &keysOf{named: map[string]*list.Element{}, order: list.New()}
		k.of[b.By] = of
	}
	k.age++
	b.age = k.age
	e := of.order.PushBack(b)
	of.named[b.Key] = e
	if k.session[b.Session] == nil {
		k.session[b.Session] = map[*list.Element]bool{}
	}
	k.session[b.Session][e] = true
	k.count++
	switch {
	case of.order.Len() > maxKeysBy:
		k.dropOldest(of)
	case k.count > maxKeysAll:
		k.dropOldest(k.oldest())
	}
	return b
}

// oldest gives those of the principal that has the oldest key of all.
func (k *Keyring) oldest() (oldest *keysOf) {
	age := k.age + 1
	for _, of := range k.of {
		if first := of.order.Front().Value.(Bound); first.age < age {
			oldest, age = of, first.age
		}
	}
	return oldest
}

func (k *Keyring) dropOldest(of *keysOf) {
	b := of.order.Front().Value.(Bound)
	k.drop(b.By, b.Key)
}

func (k *Keyring) drop(by, key string) {
	of := k.of[by]
	if of == nil || of.named[key] == nil {
		return
	}
	e := of.named[key]
	id := of.order.Remove(e).(Bound).Session
	if delete(k.session[id], e); len(k.session[id]) == 0 {
		delete(k.session, id)
	}
	delete(of.named, key)
	k.count--
	if len(of.named) == 0 {
		delete(k.of, by)
	}
}
