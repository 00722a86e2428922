package core

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Part is what a stretch has of the events since < seq <= upTo. Its lines are not copied. It is empty, and begins behind since, where that is nothing.
func Part(s store.Stretch, since, upTo uint64) store.Stretch {
	first, last := max(s.First, since+1), min(s.Last(), upTo)
	if first == s.First && last == s.Last() {
		return s
	}
	p := store.Stretch{First: first, Epoch: s.Epoch, Time: s.Time}
	if first > last {
		return p
	}
	rest := behind(s.Lines, first-s.First)
	p.Lines = rest[:len(rest)-len(behind(rest, last-first+1))]
	at := s.First // of the run of lines
	for _, m := range s.Sources {
		next := at + uint64(m.Count)
		if from, to := max(at, first), min(next, last+1); from < to {
			p.Sources = append(p.Sources, store.Made{Count: int(to - from), Source: m.Source})
		}
		at = next
	}
	return p
}

// behind is what follows the first n lines.
func behind(lines []byte, n uint64) []byte {
	for range n {
		lines = lines[bytes.IndexByte(lines, '\n')+1:]
	}
	return lines
}
