package core

// ids is the newest incarnation that made public ids, and how far its keys have come: a key is never used twice. Calls of caller
// tools are counted through all incarnations.
type ids struct{ incarnation, entry, request, call uint32 }

func (i *ids) seen(incarnation, entry, request uint32) {
	if incarnation > i.incarnation {
		*i = ids{incarnation: incarnation, call: i.call}
	}
	if incarnation == i.incarnation {
		i.entry, i.request = max(i.entry, entry), max(i.request, request)
	}
}

// last is how far the keys of an incarnation have come.
func (i *ids) last(incarnation uint32) (entry, request uint32) {
	if incarnation != i.incarnation {
		return 0, 0
	}
	return i.entry, i.request
}
