package codex

import "bytes"

// held are lines of threads that nobody knows, in order. A thread's first lines may come before the response that says
// whose it is, or before the item that says who has started it; others are of other clients' threads.
type held struct {
	lines   []heldLine
	bytes   int
	awaited int // requests that are not answered yet and give a lane its thread
}

type heldLine struct {
	thread string
	line   []byte
}

// Bounds of the held lines; the oldest fall out.
const (
	maxHeldLines = 256
	maxHeldBytes = 1 << 20
)

// add keeps a line.
func (h *held) add(thread string, line []byte) {
	h.lines = append(h.lines, heldLine{thread, bytes.Clone(line)})
	h.bytes += len(line)
	for len(h.lines) > maxHeldLines || h.bytes > maxHeldBytes {
		h.bytes -= len(h.lines[0].line)
		h.lines = h.lines[1:]
	}
}

// take gives all lines, to be looked at again.
func (h *held) take() []heldLine {
	lines := h.lines
	h.lines, h.bytes = nil, 0
	return lines
}

// asked notes a request that may give a thread.
func (h *held) asked(method string) {
	if givesThread(method) {
		h.awaited++
	}
}

// answered notes that a request is not under way any more; an empty method is nobody's.
func (h *held) answered(method string) {
	if givesThread(method) {
		h.awaited--
	}
}

// givesThread says that the response to a request names the thread that its sender has from then on.
func givesThread(method string) bool {
	return method == "thread/start" || method == "thread/resume" || method == "thread/fork"
}
