package supervisor

import (
	"bufio"
	"cmp"
	"container/list"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// boundKey is one line of the file idempotency: a key that stands for a session.
type boundKey struct {
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

// keyring holds the idempotency keys of all sessions, in memory and in the file idempotency, to which each is added, and synced, before its
// session is made. A line whose session is not there counts for nothing, so that file and sessions need no common step: a daemon that
// ends between the two has bound nothing. The file is written anew when most of it is old, and after a write that failed.
type keyring struct {
	dir   string
	files journal.FS

	of    map[string]*keysOf // by principal
	count int
	age   uint64         // of the newest
	file  journal.Writer // nil: it is to be written anew
	lines int            // in it
}

// keysOf are the keys of one principal.
type keysOf struct {
	named map[string]*list.Element // of boundKey
	order *list.List               // the oldest first
}

const (
	keysFile   = "idempotency"
	freshKeys  = ".idempotency.new"
	maxKeyLine = 1 << 20 // bytes: far more than any has
)

// newKeyring reads the keys of the sessions that are there. Lines that cannot be read, as a torn last one, are left out.
func newKeyring(dir string, files journal.FS, there func(session string) bool) *keyring {
	k := &keyring{dir: dir, files: files, of: map[string]*keysOf{}}
	_ = files.Remove(filepath.Join(dir, freshKeys)) // of a daemon that was killed; mostly there is none
	f, err := files.Open(filepath.Join(dir, keysFile))
	if err != nil {
		return k // none was used yet; whatever else it is, the next write says
	}
	defer f.Close() // opened for reading: nothing to lose
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxKeyLine)
	for in.Scan() {
		var b boundKey
		if json.Unmarshal(in.Bytes(), &b) == nil && there(b.Session) {
			k.take(b)
		}
	}
	return k
}

func (k *keyring) find(key Key) (b boundKey, known bool) {
	if of := k.of[key.By]; of != nil {
		if e := of.named[key.Name]; e != nil {
			return e.Value.(boundKey), true
		}
	}
	return b, false
}

// put binds a key, in the place of what it stood for. It is on the disk when this returns without an error.
func (k *keyring) put(b boundKey) error {
	k.take(b)
	var err error
	if k.file == nil || k.lines > 2*k.count+maxKeysBy {
		err = k.rewrite()
	} else if err = k.write(k.file, b); err == nil {
		failpoint.Hit("supervisor/midKeys")
		err = k.file.Sync()
	}
	if err != nil {
		k.drop(b.By, b.Key)
		k.close() // what may be torn is left out of the next one
	}
	return err
}

func (k *keyring) write(w io.Writer, b boundKey) error {
	line, err := json.Marshal(b)
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	k.lines++
	return err
}

// rewrite puts a file with the keys that count in the place of the one that is there.
func (k *keyring) rewrite() error {
	k.close()
	fresh := filepath.Join(k.dir, freshKeys)
	f, err := k.files.Create(fresh)
	if errors.Is(err, fs.ErrExist) { // an earlier try did not come to its end
		if err = k.files.Remove(fresh); err == nil {
			f, err = k.files.Create(fresh)
		}
	}
	if err != nil {
		return err
	}
	k.file, k.lines = f, 0
	out := bufio.NewWriter(f)
	for _, b := range k.all() {
		if err = errors.Join(err, k.write(out, b)); err != nil {
			break
		}
	}
	if err = errors.Join(err, out.Flush()); err == nil {
		err = f.Sync()
	}
	if err == nil {
		failpoint.Hit("supervisor/beforeKeysRename")
		err = k.files.Rename(fresh, filepath.Join(k.dir, keysFile))
	}
	if err == nil {
		err = k.files.SyncDir(k.dir)
	}
	return err
}

// all gives the keys that count, the oldest first.
func (k *keyring) all() []boundKey {
	all := make([]boundKey, 0, k.count)
	for _, of := range k.of {
		for e := of.order.Front(); e != nil; e = e.Next() {
			all = append(all, e.Value.(boundKey))
		}
	}
	slices.SortFunc(all, func(a, b boundKey) int { return cmp.Compare(a.age, b.age) })
	return all
}

// take notes a key as the newest, and forgets the oldest where there are too many.
func (k *keyring) take(b boundKey) {
	k.drop(b.By, b.Key)
	of := k.of[b.By]
	if of == nil {
		of = &keysOf{named: map[string]*list.Element{}, order: list.New()}
		k.of[b.By] = of
	}
	k.age++
	b.age = k.age
	of.named[b.Key] = of.order.PushBack(b)
	k.count++
	switch {
	case of.order.Len() > maxKeysBy:
		k.dropOldest(of)
	case k.count > maxKeysAll:
		k.dropOldest(k.oldest())
	}
}

// oldest gives those of the principal that has the oldest key of all.
func (k *keyring) oldest() (oldest *keysOf) {
	age := k.age + 1
	for _, of := range k.of {
		if first := of.order.Front().Value.(boundKey); first.age < age {
			oldest, age = of, first.age
		}
	}
	return oldest
}

// forget drops the keys that stand for a session, also from the file.
func (k *keyring) forget(session string) error {
	n := k.count
	for _, b := range k.all() {
		if b.Session == session {
			k.drop(b.By, b.Key)
		}
	}
	if n == k.count {
		return nil
	}
	err := k.rewrite()
	if err != nil {
		k.close() // it is written anew with the next key
	}
	return err
}

func (k *keyring) dropOldest(of *keysOf) {
	b := of.order.Front().Value.(boundKey)
	k.drop(b.By, b.Key)
}

func (k *keyring) drop(by, key string) {
	of := k.of[by]
	if of == nil || of.named[key] == nil {
		return
	}
	of.order.Remove(of.named[key])
	delete(of.named, key)
	k.count--
	if len(of.named) == 0 {
		delete(k.of, by)
	}
}

// close closes the file, in which everything is.
func (k *keyring) close() {
	if k.file != nil {
		_ = k.file.Close() // what was promised is synced
		k.file = nil
	}
}
