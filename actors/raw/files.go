package raw

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

const (
	// retryAfter is how long a disk that took nothing is left alone.
	retryAfter = time.Second
	// maxBlock is about the largest text of a block in bytes; one line more may be in it.
	maxBlock = 512 << 10
	// maxTail is how many bytes the tail may have before it is compressed.
	maxTail = 256 << 10
	// flood is how soon after one block of a pack another is due when an agent floods: then it matters more how long compressing takes than what comes of it.
	flood = time.Second
)

// files are the archive's. They belong to the archive's goroutine, and to Close after that.
type files struct {
	opt *Options
	place
	anew  func()          // has each connection begin with a whole line
	apart func(do func()) // has something done while the goroutine goes on

	known    bool      // the folder was looked at, and what follows is true
	finished []segment // before pack and tail, oldest first
	pack     segment   // grows by blocks that are compressed; no suffix: the next one makes it
	tail     segment   // has the records behind the pack, in small blocks; no suffix: there are none
	to       disk.Writer
	next     uint64 // number of the next record

	chains  []uint32      // connections whose next line may be a change of the one before: that was kept
	full    bool          // the pack is finished as soon as a connection begins with a whole line
	syncing chan struct{} // of the last finished pack, closed at its end; nil: none is

	buf    []byte // records that are to be written
	count  uint32 // of them
	native uint64 // bytes of their lines
	last   int64  // time of the last one
	out    []byte // a block

	packed time.Time // when the pack last grew

	failed time.Time // when the disk last took nothing; zero: it works
	lost   note      // since then
}

func (d *files) ends(incarnation uint32) {
	d.chains = slices.DeleteFunc(d.chains, func(other uint32) bool { return other == incarnation })
}

// holds says that it has buffers, or a file open.
func (d *files) holds() bool { return d.to != nil || cap(d.buf) > 0 || cap(d.out) > 0 }

func (d *files) trim(spare int) {
	if cap(d.buf) > spare {
		d.buf = nil
	}
	if cap(d.out) > spare {
		d.out = nil
	}
}

// losePending counts what is encoded as lost. Changes of these lines cannot be read either.
func (d *files) losePending() {
	d.lose(uint64(d.count), d.native)
	if len(d.chains) > 0 {
		d.chains = d.chains[:0]
		d.anew()
	}
}

// grow writes records into the tail.
func (d *files) grow(text []byte, count uint32) error {
	d.out = block.Append(d.out[:0], d.next, count, text, block.Plain)
	if d.to == nil {
		if d.tail.suffix == "" {
			d.tail = segment{first: d.next, suffix: tailSuffix}
		}
		f, err := d.open(&d.tail)
		if err != nil {
			return err
		}
		d.to = f
	}
	if err := d.append(&d.tail, d.to, d.out); err != nil {
		return err
	}
	d.next += uint64(count)
	return nil
}

func (d *files) lose(count, bytes uint64) {
	if d.lost.Lines == 0 && count > 0 {
		d.opt.Counters.Gaps.Add(1)
	}
	d.lost.Lines += count
	d.lost.Bytes += int64(bytes)
	d.opt.Counters.Lost.Add(count)
}

// fail has the disk left alone for retryAfter. Then the folder is looked at anew: a torn block may be there.
func (d *files) fail(err error) {
	if d.failed.IsZero() {
		d.opt.Failed(err)
	}
	d.failed = d.opt.Now()
	d.close()
	d.known = false
}

// close closes the tail's file. It is opened again when more comes.
func (d *files) close() {
	if d.to != nil {
		_ = d.to.Close() // nothing to lose: the tail is never synced
		d.to = nil
	}
}

// filled notes that the pack is full, and has connections begin with whole lines, so that the next pack can be read without it.
func (d *files) filled() {
	if d.pack.size >= d.opt.Roll && !d.full {
		d.full = true
		d.anew()
	}
}
