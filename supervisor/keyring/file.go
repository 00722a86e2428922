package keyring

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// want has something written. With mu held.
func (k *Keyring) want(w keyWrite) {
	k.queue = append(k.queue, w)
	if !k.running {
		k.running = true
		go k.run()
	}
}

// run writes until nothing waits.
func (k *Keyring) run() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.queue) > 0 {
		work, upTo := k.queue, k.age
		var all []Bound
		anew := k.file == nil || k.anew || k.lines > 2*k.count+maxKeysBy
		if anew {
			all = k.all()
		}
		k.queue, k.anew = nil, false
		k.mu.Unlock()
		err := k.store(work, anew, all)
		k.mu.Lock()
		if err == nil {
			k.safe = upTo
		} else {
			k.giveUp(work)
		}
		k.mu.Unlock()
		for _, w := range work {
			w.done(err)
		}
		k.mu.Lock()
	}
	k.running = false
	k.idle.Broadcast()
}

// giveUp forgets keys that could not be written. With mu held.
func (k *Keyring) giveUp(work []keyWrite) {
	for _, w := range work {
		if w.key == nil || k.of[w.key.By] == nil {
			continue
		}
		if e := k.of[w.key.By].named[w.key.Key]; e != nil && e.Value.(Bound).age == w.key.age {
			k.drop(w.key.By, w.key.Key)
		}
	}
}

// store adds keys to the file, or writes it anew with all. What may be torn is left out of the next one.
func (k *Keyring) store(work []keyWrite, anew bool, all []Bound) error {
	var err error
	if anew {
		err = k.rewrite(all)
	} else if err = k.add(work); err == nil {
		failpoint.Hit("keyring/midKeys")
		err = k.file.Sync()
	}
	if err != nil {
		k.closeFile()
	}
	return err
}

func (k *Keyring) add(work []keyWrite) error {
	out := bufio.NewWriter(k.file)
	for _, w := range work {
		if w.key == nil {
			continue
		}
		if err := k.write(out, *w.key); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (k *Keyring) write(w io.Writer, b Bound) error {
	line, err := json.Marshal(b)
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	k.lines++
	return err
}

// rewrite puts a file with these keys in the place of the one that is there.
func (k *Keyring) rewrite(all []Bound) error {
	slices.SortFunc(all, func(a, b Bound) int { return cmp.Compare(a.age, b.age) })
	k.closeFile()
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
	for _, b := range all {
		if err = errors.Join(err, k.write(out, b)); err != nil {
			break
		}
	}
	if err = errors.Join(err, out.Flush()); err == nil {
		err = f.Sync()
	}
	if err == nil {
		failpoint.Hit("keyring/beforeKeysRename")
		err = k.files.Rename(fresh, filepath.Join(k.dir, keysFile))
	}
	if err == nil {
		err = k.files.SyncDir(k.dir)
	}
	return err
}

// Close returns when what was wanted is written, and nothing may be wanted any more.
func (k *Keyring) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.running {
		k.idle.Wait()
	}
	k.closeFile()
}

func (k *Keyring) closeFile() {
	if k.file != nil {
		_ = k.file.Close() // what was promised is synced
		k.file = nil
	}
}
