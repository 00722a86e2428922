package audit

// Ordered holds a history against P1: on each connection seq is one more every time, and for items it grows; a heartbeat
// names the last one.
func Ordered(h History) error {
	for t, places := range h.tracks() {
		last := uint64(0)
		for _, i := range places {
			switch e := &h[i]; e.Kind {
			case Opened:
				last = e.Seq
			case Reset:
				last = 0
			case Beat:
				if e.Seq != last {
					return h.broken(i, ErrOrdered, "a heartbeat names %d after %d", e.Seq, last)
				}
			case Shown:
				if t.channel.items() && e.Seq <= last || !t.channel.items() && e.Seq != last+1 {
					return h.broken(i, ErrOrdered, "%d follows %d", e.Seq, last)
				}
				last = e.Seq
			default:
			}
		}
	}
	return nil
}

// Unique holds a history against P2: a client that keeps its cursor is shown each event once, over all its connections and epochs, until a reset.
func Unique(h History) error {
	for _, places := range h.tracks() {
		first := map[uint64]int{}
		for _, i := range places {
			e := &h[i]
			if e.Kind == Reset {
				clear(first)
			}
			if e.Kind != Shown {
				continue
			}
			if before, twice := first[e.Seq]; twice {
				return h.broken(i, ErrUnique, "shown before, at line %d", before+1)
			}
			first[e.Seq] = i
		}
	}
	return nil
}

// Reliable holds a history against P3: between the cursor of the first connection and the last that a client was shown,
// nothing of the log was left out.
func Reliable(h History, logs Ledgers) error {
	for t, places := range h.tracks() {
		log := logs[t.session]
		if log == nil {
			continue
		}
		seen := map[uint64]bool{}
		from, newest, at := ^uint64(0), uint64(0), 0
		for _, i := range places {
			e := &h[i]
			if !log.good(e.Epoch, e.Seq) {
				continue
			}
			switch e.Kind {
			case Opened:
				from = min(from, e.Seq)
			case Reset:
				from = 0
			case Shown:
				seen[e.Seq] = true
				if e.Seq > newest {
					newest, at = e.Seq, i
				}
			default:
			}
		}
		for seq := from; seq < newest; seq++ {
			if log.owed(t.channel, seq+1) && !seen[seq+1] {
				return h.broken(at, ErrReliable, "event %d was never shown", seq+1)
			}
		}
	}
	return nil
}

// Resumable holds a history against P4: a good cursor is taken, and what follows it comes first; one of lost events is not, once the log is that of a later
// epoch. Together with Durable it says that cache and patch are the log, byte for byte.
func Resumable(h History, logs Ledgers) error {
	for t, places := range h.tracks() {
		log := logs[t.session]
		opened := -1
		for _, i := range places {
			e := &h[i]
			switch e.Kind {
			case Opened:
				opened = i
			case Reset:
				if opened >= 0 && log != nil && log.good(h[opened].Epoch, h[opened].Seq) {
					return h.broken(i, ErrResumable, "the cursor %d of epoch %d is refused", h[opened].Seq, h[opened].Epoch)
				}
				opened = -1
			case Shown:
				if opened < 0 || log == nil {
					continue
				}
				if at := &h[opened]; at.Epoch < e.Epoch && at.Seq > 0 && log.lost(at, e.Epoch) {
					return h.broken(i, ErrResumable, "the cursor %d of epoch %d is of events that epoch %d has lost, and goes on", at.Seq, at.Epoch, e.Epoch)
				}
				for seq := h[opened].Seq + 1; seq < e.Seq; seq++ {
					if log.owed(t.channel, seq) {
						return h.broken(i, ErrResumable, "the cursor %d goes on behind event %d", h[opened].Seq, seq)
					}
				}
				opened = -1
			default:
			}
		}
	}
	return nil
}
