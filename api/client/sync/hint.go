package sync

import "github.com/ringmaster-agents/ringmaster/protocol"

// SaveEvery is the SaveEvery of an Open that is good for most: folding so many lines again takes some tens of milliseconds.
const SaveEvery = 5000

// worthwhileShare is the part of a state that the lines behind it must come to before a session that is left has it written again.
const worthwhileShare = 8

// hint is what is known of the checkpoint, the state that stands for the lines before it. One that is written again and again would cost more than the log
// does once it is large, so the lines behind it have to outweigh it first: then states cost about as many bytes as lines, however long the log becomes.
type hint struct {
	every uint64 // lines between two, at least; 0: none is wanted
	lines uint64 // stored behind it, at most
	bytes int64  // of these
	size  int64  // of the last state that was written; 0: there is none
	asked bool   // by the last step
	used  bool   // by the Read of the last step
}

// add counts lines that are given to the cache.
func (h *hint) add(b *batch) { h.behind(h.lines+uint64(len(b.lines)), h.bytes+int64(b.bytes)) }

func (h *hint) behind(lines uint64, bytes int64) { h.lines, h.bytes = lines, bytes }

// due says that the lines behind the checkpoint are many and outweigh it.
func (h *hint) due() bool { return h.every > 0 && h.lines >= h.every && h.bytes >= h.size }

// worthwhile says the same where no more lines are to come for now.
func (h *hint) worthwhile() bool {
	return h.every > 0 && h.lines > 0 && h.bytes >= h.size/worthwhileShare
}

// ask has a state written. Should that fail, it is not tried again before its time.
func (h *hint) ask(at protocol.Cursor) Effect {
	h.lines, h.bytes, h.asked = 0, 0, true
	return Save{At: at}
}

// drop notes that there is no checkpoint, and no line that it could stand for.
func (h *hint) drop() { *h = hint{every: h.every} }
