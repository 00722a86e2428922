package raw

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
	"github.com/ringmaster-agents/ringmaster/actors/raw/delta"
)

// maxChains is how many connections' lines before are known to a reader: more than two do not overlap.
const maxChains = 4

// maxChanged is the longest line in bytes that is read where it was kept as changes. This build keeps none that is longer than maxBase; earlier ones did, of
// whatever an agent's line may have.
const maxChanged = 4 * maxBase

// pass is one pass through the records.
type pass struct {
	yield   func(Line, error) bool
	next    uint64 // number that is due
	gone    bool   // what is missing was removed meanwhile
	doubt   bool   // something was damaged, and no record came since
	lacking bool   // it was said that lines are missing, and no line of an agent came since that can be read
	last    int64  // time of the last record
	before  map[uint32][]byte
	spare   []byte // for the next line
	record  []byte
}

// comes says whether the record of a number is due, and whether anybody wants more. Records that were there are passed over, and of records that are not
// there a note says so.
func (p *pass) comes(number uint64) (due, more bool) {
	if number < p.next {
		return false, true
	}
	missing := p.next
	gap, told := number > missing, p.gone
	p.next, p.gone, p.doubt = number+1, false, false
	if gap {
		p.before, p.lacking = nil, true
	}
	return true, !gap || told || p.yield(damaged(missing, p.last), nil)
}

// entries gives the records of a block.
func (p *pass) entries(text []byte, h *block.Head) (more bool) {
	p.last = 0
	for number := h.First; number < h.End(); number++ {
		it, kept, rest, ok := parseEntry(text, p.last)
		if !ok {
			p.doubt = true
			return true
		}
		text, p.last = rest, it.time
		due, more := p.comes(number)
		if !more {
			return false
		}
		if due && !p.entry(number, &it, kept) {
			return false
		}
	}
	return true
}

// entry gives one record.
func (p *pass) entry(number uint64, it *item, kept []byte) (more bool) {
	line := kept
	switch it.form {
	case begins:
		p.remember(it.incarnation, line)
		p.lacking = false
	case changed:
		before, ok := p.before[it.incarnation]
		var err error
		if line, err = delta.Expand(p.spare[:0], before, kept, maxChanged); !ok || err != nil {
			delete(p.before, it.incarnation)
			return p.lacks(number)
		}
		p.before[it.incarnation], p.spare = line, before
		p.lacking = false
	case whole:
	}
	var data int
	p.record, data = appendRecord(p.record[:0], it, line)
	l := Line{
		Number: number, Time: it.time, Dir: dirs[it.dir], Incarnation: it.incarnation, Batch: it.batch,
		Record: p.record, Data: p.record[data : len(p.record)-1], native: line,
	}
	if line == nil {
		l.native = []byte{}
	}
	return p.yield(l, nil)
}

// lacks says that a line cannot be read, since one before it is missing.
func (p *pass) lacks(number uint64) (more bool) {
	if p.lacking {
		return true
	}
	p.lacking = true
	return p.yield(damaged(number, p.last), nil)
}

// remember keeps a line for the next one of its connection.
func (p *pass) remember(incarnation uint32, line []byte) {
	if p.before == nil {
		p.before = map[uint32][]byte{}
	}
	if _, ok := p.before[incarnation]; !ok && len(p.before) >= maxChains {
		delete(p.before, slices.Min(slices.Collect(maps.Keys(p.before)))) // the one that began first is the likeliest to have ended
	}
	p.before[incarnation] = append(p.before[incarnation][:0], line...)
}
