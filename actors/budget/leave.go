package budget

// A session leaves a ledger where it is removed, or where it is another node's from then on.

// Leaving is what is to be kept of a session before it is removed; nil: nobody will miss it.
func (l *Ledger) Leaving(id string) *Leaving {
	e := l.entries[id]
	if e == nil || !e.known || e.gone || e.parent == "" && e.has().children == 0 && l.Tenant(e.owner) == nil {
		return nil
	}
	if e.own == (Use{}) && e.has().past == (Use{}) && e.has().children == 0 {
		return nil
	}
	return &Leaving{ID: id, Parent: e.parent, Owner: e.owner, Use: e.own, Came: e.came}
}

// Parting is what is to be kept of a session before another node has it, for its owner alone; nil: that has used nothing with it here.
func (l *Ledger) Parting(id string) *Leaving {
	e := l.entries[id]
	if e == nil || !e.known || e.gone || e.own == e.before() || l.Tenant(e.owner) == nil {
		return nil
	}
	return &Leaving{ID: id, Owner: e.owner, Use: e.own, Came: e.came}
}

// Remove takes a session off the list, and gives what is to be kept from now on. What it has used stays used: by the tree that it was part of and by its
// owner.
func (l *Ledger) Remove(id string) (kept Line, changed bool) {
	announced := l.Leaving(id) != nil // which is to be taken back also where nothing is kept
	kept, changed = l.leave(id, false)
	return kept, changed || announced
}

// Depart takes a session off the list that is another node's from now on. What its tree has used goes with it; what it has used here stays used by its owner.
func (l *Ledger) Depart(id string) (kept Line, changed bool) { return l.leave(id, true) }

func (l *Ledger) leave(id string, away bool) (kept Line, changed bool) {
	e := l.entries[id]
	if e == nil || !e.known || e.gone {
		return kept, false
	}
	left, here, was := e.has().past, e.own.without(e.before()), e.lost() != (Use{})
	back := Use{}.without(left)
	l.lose(e, &back)
	left.add(&e.own, 1)
	l.count(e, -1)
	e.epoch, e.seq, e.own, e.since, e.budget, e.came, e.gone = 0, 0, Use{}, 0, nil, nil, true
	delete(l.timed, id)
	if of := l.owners[e.owner]; e.owner != "" && of != nil && here != (Use{}) {
		of.use.add(&here, 1)
		of.lost.add(&here, 1)
		kept.Owner = l.Tenant(e.owner)
	}
	up := l.heir(e)
	off := l.fold(e)
	if len(off) == 0 { // others are below it
		kept.Nodes = []Node{e.node()}
	} else if !was {
		off = off[1:]
	}
	for _, id := range off {
		kept.Nodes = append(kept.Nodes, Node{ID: id})
	}
	if up != nil && l.entries[up.id] == up && !away && left != (Use{}) {
		l.lose(up, &left)
		kept.Nodes = append(kept.Nodes, up.node())
	}
	kept.Left = id
	return kept, kept.Owner != nil || len(kept.Nodes) > 0
}

// Back has a session that was taken off the list while others below it stayed count again, with the next report of it: it has come back.
func (l *Ledger) Back(id string) {
	if e := l.entries[id]; e != nil {
		e.gone = false
	}
}

// node is what is kept of an entry.
func (e *entry) node() Node {
	n := Node{ID: e.id, Use: e.lost()}
	if e.gone {
		n.Gone, n.Parent = true, e.parent
	}
	return n
}
