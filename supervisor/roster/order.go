package roster

import (
	"cmp"
	"slices"
	"sort"
)

// Place is where a session stands among others in the order of their creation: who was created later stands before who was created earlier, and of one
// time by their ids. Few sessions change it, and only while they are being made.
type Place struct {
	Created int64 // Unix ms
	ID      string
}

// Before says that a place is nearer to the newest session than another one.
func (p Place) Before(other Place) bool { return p.Compare(other) < 0 }

// Compare is below zero for a place before the other one, and above for one behind it.
func (p Place) Compare(other Place) int {
	return cmp.Or(cmp.Compare(other.Created, p.Created), cmp.Compare(p.ID, other.ID))
}

// order has sessions by their places. It is kept as parts of bounded size, the oldest session first: what comes is mostly the newest, and a change
// costs the search and the moving of one part, however many sessions there are. The zero value is empty.
type order struct {
	parts [][]*node // none is empty
	count int
}

// maxPart bounds a part.
const maxPart = 256

// find gives the first session that does not stand behind a place, in the order of the parts.
func (o *order) find(p Place) (part, at int) {
	part = sort.Search(len(o.parts), func(i int) bool {
		last := o.parts[i]
		return !p.Before(last[len(last)-1].place)
	})
	if part < len(o.parts) {
		list := o.parts[part]
		at = sort.Search(len(list), func(i int) bool { return !p.Before(list[i].place) })
	}
	return part, at
}

func (o *order) add(n *node) {
	o.count++
	part, at := o.find(n.place)
	if part == len(o.parts) { // the newest of all
		if part == 0 || len(o.parts[part-1]) == maxPart {
			o.parts = append(o.parts, []*node{n})
			return
		}
		part, at = part-1, len(o.parts[part-1])
	}
	list := slices.Insert(o.parts[part], at, n)
	o.parts[part] = list
	if len(list) > maxPart {
		half := slices.Clone(list[maxPart/2:])
		clear(list[maxPart/2:])
		o.parts[part] = list[: maxPart/2 : maxPart/2]
		o.parts = slices.Insert(o.parts, part+1, half)
	}
}

func (o *order) remove(n *node) {
	part, at := o.find(n.place)
	if part == len(o.parts) || at == len(o.parts[part]) || o.parts[part][at] != n {
		return
	}
	o.count--
	if o.parts[part] = slices.Delete(o.parts[part], at, at+1); len(o.parts[part]) == 0 {
		o.parts = slices.Delete(o.parts, part, part+1)
	}
}

// newest gives sessions from the newest on, at most so many; after: those that stand behind a place, nil: from the beginning.
func (o *order) newest(after *Place, most int) (list []*Session) {
	part, at := len(o.parts), 0
	if after != nil {
		part, at = o.find(*after)
	}
	list = make([]*Session, 0, min(most, o.count))
	for len(list) < most {
		if at == 0 {
			if part == 0 {
				break
			}
			part--
			at = len(o.parts[part])
		}
		at--
		list = append(list, o.parts[part][at].session)
	}
	return list
}
