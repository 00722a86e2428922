package core

import "slices"

// unsettled is the part of a state that knows which prompts have come to no end: those of the running turn, or of the one that begins next, and those that
// wait.
type unsettled struct {
	taken []string // left the queue, in that order; the turn's own among them
	all   []string // with those that wait, as summaries have it: it does not change, and is made anew
}

// maxTaken bounds the prompts of one turn that are known. Of more the oldest are forgotten: whether such a one is settled, the log says.
const maxTaken = 256

// take notes that a prompt has left the queue for a turn.
func (u *unsettled) take(id string) {
	if slices.Contains(u.taken, id) {
		return
	}
	u.all = nil
	if u.taken = append(u.taken, id); len(u.taken) > maxTaken {
		u.taken = slices.Delete(u.taken, 0, 1)
	}
}

// settle notes that the turn is over, and its prompts with it.
func (u *unsettled) settle() { u.taken, u.all = nil, nil }

// touch notes that other prompts wait than before.
func (u *unsettled) touch() { u.all = nil }

// list is what a summary has.
func (u *unsettled) list(waiting []queued) []string {
	if u.all == nil && len(u.taken)+len(waiting) > 0 {
		u.all = slices.Clone(u.taken)
		for i := range waiting {
			u.all = append(u.all, waiting[i].ID)
		}
	}
	return u.all
}
