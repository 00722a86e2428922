package opencode

import (
	"bytes"
	"maps"
	"slices"
)

// earlyEvents are events of sessions that are not known, and may be those of lanes that wait for their session's id.
type earlyEvents struct {
	lines   map[string][][]byte // by session
	size    int                 // in bytes, of all
	spilled map[string]bool     // sessions of which some had to be dropped
}

// maxEarlySize bounds the bytes of early events.
const maxEarlySize = 4 << 20

// keep keeps an event.
func (e *earlyEvents) keep(session string, event []byte) {
	if e.size += len(event); e.size > maxEarlySize {
		e.spilled[session] = true
		return
	}
	e.lines[session] = append(e.lines[session], bytes.Clone(event))
}

// take gives the events of a session, once.
func (e *earlyEvents) take(session string) [][]byte {
	lines := e.lines[session]
	for _, line := range lines {
		e.size -= len(line)
	}
	delete(e.lines, session)
	return lines
}

// misses says, once, that some events of a session had to be dropped.
func (e *earlyEvents) misses(session string) bool {
	spilled := e.spilled[session]
	delete(e.spilled, session)
	return spilled
}

// sessions are those of which there is something, in an order of their ids.
func (e *earlyEvents) sessions() []string { return slices.Sorted(maps.Keys(e.lines)) }

// reset forgets what was dropped of sessions of which nothing else is there.
func (e *earlyEvents) reset() {
	clear(e.spilled)
	e.size = 0
}
