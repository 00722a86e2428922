package raw

import (
	"slices"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// compress writes the records of the tail, and those behind them, into the pack as one block, and then removes the tail.
func (d *files) compress(text []byte, count uint32) error {
	first, n := d.next, count
	room := scratch.Get().(*[2][]byte)
	defer scratch.Put(room)
	if d.tail.suffix != "" {
		d.close()
		if before, had, ok := d.reread(slices.Grow(room[0][:0], int(d.tail.size)+len(text))); ok {
			first, n, text = d.tail.first, had+count, append(before, text...)
			room[0] = text
		} else {
			d.part()
			d.anew() // what follows should need nothing of that tail
		}
	}
	if n == 0 {
		return nil
	}
	isFirst := d.pack.suffix == ""
	if isFirst {
		d.pack = segment{first: first, suffix: packSuffix}
	}
	coding, now := block.Small, d.opt.Now()
	if now.Sub(d.packed) < flood {
		coding = block.Fast
	}
	d.packed = now
	room[1] = block.Append(slices.Grow(room[1][:0], len(text)/2), first, n, text, coding)
	f, err := d.open(&d.pack)
	if err != nil {
		return err
	}
	err = d.append(&d.pack, f, room[1])
	if closed := f.Close(); err == nil && closed != nil && !d.gives(&d.pack, first, first+uint64(n)) {
		err = &Error{Op: "close", File: d.path(&d.pack), Err: closed}
	}
	if err != nil {
		return err
	}
	failpoint.Hit("raw/afterPack")
	d.next += uint64(count)
	if d.tail.suffix != "" {
		_ = d.opt.FS.Remove(d.path(&d.tail)) // a reader passes over records that it has had, and the next opening tries again
		d.tail = segment{}
	}
	d.filled()
	if isFirst && len(d.finished) > 0 {
		d.opt.Settled()
	}
	return nil
}

// scratch are a text and its block while a block is made. The garbage collector takes those that nobody uses.
var scratch = sync.Pool{New: func() any { return new([2][]byte) }}

// reread adds the records of the tail to a text; false: the disk does not give them back.
func (d *files) reread(into []byte) (text []byte, count uint32, ok bool) {
	text = into
	_, _, err := walk(d.opt.FS, d.path(&d.tail), func(w *block.Walk, h *block.Head) (err error) {
		if h.First != d.tail.first+uint64(count) {
			return block.ErrDamaged
		}
		count += h.Count
		text, err = w.Text(text)
		return err
	})
	return text, count, err == nil && d.tail.first+uint64(count) == d.next
}

// roll finishes the pack, with the records of the tail.
func (d *files) roll() {
	if !d.known {
		return // the disk has failed
	}
	if d.tail.suffix != "" {
		if err := d.compress(nil, 0); err != nil {
			d.fail(err)
			return
		}
	}
	d.part()
}

// part has a new pack begin. A tail that the disk did not give back is finished with the pack before it: so the order of files stays that of their records.
func (d *files) part() {
	if d.pack.suffix != "" {
		d.sync(d.path(&d.pack))
	}
	d.finish(&d.pack)
	d.finish(&d.tail)
	d.full = false
	d.limit()
}

// sync makes a finished pack survive a loss of power. The agent does not wait for it: the goroutine goes on, until the next pack is finished, too.
func (d *files) sync(path string) {
	d.settle()
	done := make(chan struct{})
	d.syncing = done
	d.apart(func() {
		defer close(done)
		failpoint.Hit("raw/beforeSync")
		f, err := d.opt.FS.Append(path)
		if err != nil {
			return // the limit has removed it
		}
		_ = f.Sync() // its bytes are as safe as the tail's then
		_ = f.Close()
		_ = d.opt.FS.SyncDir(d.dir)
	})
}

// apart has something done by a goroutine of its own.
func apart(do func()) { go do() }

// settle waits until the last finished pack is synced.
func (d *files) settle() {
	if d.syncing != nil {
		<-d.syncing
		d.syncing = nil
	}
}

// limit removes the oldest files while all together are over the limit.
func (d *files) limit() {
	total := d.pack.size + d.tail.size
	for i := range d.finished {
		total += d.finished[i].size
	}
	for len(d.finished) > 0 && total > d.opt.Limit {
		s := &d.finished[0]
		if d.remove(s) != nil {
			return // tried again at the next roll
		}
		total -= s.size
		d.finished = d.finished[1:]
	}
}
