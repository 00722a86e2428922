package session

// kept is the part of the shell that knows how far the log has grown since what it told was kept beside it (Host.Checkpoint).
type kept struct {
	unsaved int64 // bytes
	size    int64 // of the newest state, in bytes
}

// leftEarlier is how much earlier a session that is left has a checkpoint than one that goes on.
const leftEarlier = 16

func (k *kept) grow(bytes int) { k.unsaved += int64(bytes) }

// maxState is the largest state that is kept, in bytes: one with so much open is soon another.
const maxState = 16 << 20

// keep has a checkpoint made where the log has grown by so many bytes, and by four times what the state takes: what it costs stays a part of what
// the log costs. While events wait to be shown the state is ahead of the log, and is not kept.
func (k *kept) keep(a *shell, every int64) {
	if every <= 0 || k.unsaved < max(every, 4*k.size) || len(a.commits) > 0 || a.broken != nil || a.damage != nil || a.failing {
		return
	}
	at := a.journal.Place()
	if at.Seq != a.core.Seq() { // nothing was appended, or a disk has failed of late
		return
	}
	state := a.core.Save()
	k.unsaved, k.size = 0, int64(len(state))
	if 0 < k.size && k.size <= maxState {
		a.cfg.Host.Checkpoint(a.cfg.ID, at, state)
	}
}
