package raw

import (
	"slices"
	"time"
)

// write encodes records and writes them, and begins a new pack where that is full.
func (d *files) write(l *lines) {
	now := slices.ContainsFunc(l.items, func(it item) bool { return it.last })
	d.ready(now)
	from := 0
	for i := range l.items {
		it := &l.items[i]
		text := l.text[from:it.end]
		from = it.end
		if it.dir == dirOut && it.form == whole {
			d.ends(it.incarnation) // it is no line before: nothing behind it needs what was there
		}
		if d.full && d.breaks(it) {
			d.flush()
			d.roll()
		}
		if it.form == changed && !slices.Contains(d.chains, it.incarnation) {
			d.lose(1, uint64(it.size)) // of a line that was lost
			d.anew()
			continue
		}
		if it.form == begins && !slices.Contains(d.chains, it.incarnation) {
			d.chains = append(d.chains, it.incarnation)
		}
		d.buf = appendEntry(d.buf, it, d.last, d.count == 0, text)
		d.last, d.count, d.native = it.time, d.count+1, d.native+uint64(it.size)
		if it.last {
			d.ends(it.incarnation)
		}
		if int64(len(d.buf)) >= min(maxBlock, d.opt.Roll) {
			d.flush()
		}
	}
	d.flush()
	if now {
		d.close()
	}
	d.trim(maxSpare)
}

// breaks says that a pack may begin with this record: what it has can be read without the pack before. Where two connections are there at once, the other's
// lines may need the pack before until it begins with a whole line, too.
func (d *files) breaks(it *item) bool {
	return it.form == begins || it.form == whole && len(d.chains) == 0
}

// ready looks at the folder where that is due. For retryAfter after a failure the disk is not tried, unless now says so.
func (d *files) ready(now bool) {
	if d.known || !d.failed.IsZero() && !now && d.opt.Now().Sub(d.failed) < retryAfter {
		return
	}
	if err := d.look(); err != nil {
		d.fail(err)
		return
	}
	d.known = true
}

// flush writes what is encoded. Records that the disk does not take are lost and counted.
func (d *files) flush() {
	if d.count == 0 {
		return
	}
	defer func() { d.buf, d.count, d.native = d.buf[:0], 0, 0 }()
	if !d.known {
		d.losePending()
		return
	}
	var err error
	if d.lost.Lines > 0 {
		if err = d.put(d.gap(), 1); err == nil {
			d.lost = note{}
		}
	}
	if err == nil {
		err = d.put(d.buf, d.count)
	}
	if err != nil {
		d.losePending()
		d.fail(err)
		return
	}
	d.failed = time.Time{}
	d.opt.Counters.Bytes.Add(d.native)
}

// put writes records: into the tail while they are few, else compressed into the pack, together with those of the tail.
func (d *files) put(text []byte, count uint32) error {
	var err error
	if d.tail.size+int64(len(text)) >= min(maxTail, max(d.opt.Roll/4, 1)) {
		err = d.compress(text, count)
	} else {
		err = d.grow(text, count)
	}
	if err == nil {
		d.opt.Counters.Lines.Add(uint64(count))
	}
	return err
}

// gap is the record that tells of what was lost.
func (d *files) gap() []byte {
	d.lost.Event = "gap"
	text := encode(d.lost)
	return appendEntry(nil, &item{dir: dirNote, time: d.opt.Now().UnixMilli(), size: len(text)}, 0, true, text)
}
