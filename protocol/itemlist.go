package protocol

import (
	"cmp"
	"slices"
)

// ItemList is what a client keeps of the items of one session, whichever way they come: pushed, polled or both, in any order and more
// than once (spec §8.6). Once everything has come by one way or another, the list is the same. The zero value is ready.
type ItemList struct {
	bySeq   map[uint64]*SessionEvent
	byEntry map[string]*SessionEvent // messages, which grow
}

// Add takes an item. A message that grows replaces the earlier item of its entry; a delta is appended to that item, unless it was cut. An item that is
// older than the one of its entry, or that the list has already, changes nothing.
func (l *ItemList) Add(it SessionEvent) {
	if it.Type != ItemMessage && it.Type != ItemDelta {
		if l.bySeq[it.Seq] == nil {
			put(&l.bySeq, it.Seq, &it)
		}
		return
	}
	old := l.byEntry[it.EntryID]
	switch {
	case old == nil:
		it.Type = ItemMessage
		put(&l.byEntry, it.EntryID, &it)
	case it.Seq <= old.Seq:
	case it.Type == ItemMessage:
		*old = it
	case old.Truncated:
	default:
		old.Text += it.Text
		old.Seq = it.Seq
	}
}

// Items gives the list in order: a message stands where its entry began.
func (l *ItemList) Items() []SessionEvent {
	list := make([]SessionEvent, 0, len(l.bySeq)+len(l.byEntry))
	for _, it := range l.bySeq {
		list = append(list, *it)
	}
	for _, it := range l.byEntry {
		list = append(list, *it)
	}
	slices.SortFunc(list, func(a, b SessionEvent) int { return cmp.Compare(a.place(), b.place()) })
	return list
}

func (it *SessionEvent) place() uint64 {
	if it.EntrySeq != 0 {
		return it.EntrySeq
	}
	return it.Seq
}
