// Package archive reads the raw archives of sessions: native lines with the events that they became, and the whole text of a cut entry. What is not in the
// session's folder any more, or was never there since another node had the session then, comes from elsewhere, before the lines of the folder.
package archive

import (
	"cmp"
	"iter"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
)

// Raw is a session's raw archive as it is when it is asked for.
type Raw struct {
	reader *raw.Reader                     // of the session's folder; nil: there is none here
	before []Part                          // in the order of their lines, which are before those of the folder
	lost   raw.Gone                        // why nothing is known of what is before; "": it is
	spans  iter.Seq2[store.Span, error]    // of the session's log
	later  func(epoch uint64) (seq uint64) // the first event of an epoch behind one; 0: there is none
	newest uint64                          // event whose lines must be there, with those of all before
}

// Line is one record with the run of events that its batch became; From and To are 0 where it became none, and where the
// journal does not know any more.
type Line struct {
	raw.Line
	From, To uint64
}

// Part is lines that are elsewhere: those of a node that has had the session, or still has.
type Part struct {
	Node        string // that has archived them
	First, Last uint64 // numbers
	Epoch       uint64 // no event of a later one was made of them
	Longest     int64  // bytes of the longest record
	// Lines gives those of them that have a number up to upTo. The error says why the rest is not there.
	Lines func(upTo uint64) iter.Seq2[raw.Line, raw.Gone]
}

// Open opens the raw archive in a session's folder, beside the spans of its log; a nil FS is the operating system's.
func Open(dir string, files disk.FS, spans iter.Seq2[store.Span, error]) (*Raw, error) {
	r, err := raw.Read(filepath.Join(dir, Folder), files)
	if err != nil {
		return nil, err
	}
	return &Raw{reader: r, spans: spans}, nil
}

// Away is the archive of a session that has no folder here, beside the spans of its log.
func Away(spans iter.Seq2[store.Span, error]) *Raw { return &Raw{spans: spans} }

// Folder is the archive's name in a session's folder.
const Folder = "raw"

// Expect has Lines say where lines are missing of events up to newest.
func (r *Raw) Expect(newest uint64) { r.newest = newest }

// IsCut says that lines are missing before those of the folder: they are elsewhere, or nowhere.
func (r *Raw) IsCut() bool { return r.reader != nil && r.reader.First() > 1 }

// Before has the archive begin with lines that are elsewhere, in the order of their numbers. later gives the first event of an epoch behind one.
func (r *Raw) Before(parts []Part, later func(epoch uint64) uint64) {
	for _, p := range parts {
		if r.reader == nil || p.First < r.reader.First() {
			r.before = append(r.before, p)
		}
	}
	r.later = later
}

// IsAway says that the session's folder is not here.
func (r *Raw) IsAway() bool { return r.reader == nil }

// Lost says that what is before the lines of the folder cannot be asked for.
func (r *Raw) Lost(why raw.Gone) { r.lost = why }

// First is the number of the oldest record that is kept; 1: none is missing.
func (r *Raw) First() uint64 {
	switch {
	case len(r.before) > 0:
		return r.before[0].First
	case r.reader != nil:
		return r.reader.First()
	}
	return 1
}

// Largest is about how many bytes of text Lines has in memory at once.
func (r *Raw) Largest() (most int64, err error) {
	for i := range r.before {
		most = max(most, r.before[i].Longest)
	}
	if r.reader == nil {
		return most, nil
	}
	here, err := r.reader.Largest()
	return max(most, here), err
}

// piece is a record, or the beginning of a stretch of them.
type piece struct {
	*raw.Line          // nil: a stretch begins, or all of them have ended
	isGap     bool     // of a beginning: numbers are missing before it
	gone      raw.Gone // of a beginning: why what is before it is not whole; "": nothing is known of that
	until     uint64   // of a beginning: the first event that was not made of the stretch; 0: any may have been
}

// pieces gives all records, oldest first.
func (r *Raw) pieces() iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		w := &walk{yield: yield, gone: r.lost, upTo: ^uint64(0)}
		if r.reader != nil {
			w.upTo = r.reader.First() - 1
		}
		for i := range r.before {
			if p := &r.before[i]; !w.part(p, r.later(p.Epoch)) {
				return
			}
		}
		if r.reader == nil {
			if w.gone != "" {
				yield(piece{gone: w.gone}, nil)
			}
			return
		}
		if first := r.reader.First(); (len(r.before) > 0 || first > raw.Leap || w.gone != "") && !yield(w.begin(first, 0), nil) {
			return
		}
		for l, err := range r.reader.Lines() {
			if !yield(piece{Line: &l}, err) || err != nil {
				return
			}
		}
	}
}

// walk goes through the parts of an archive.
type walk struct {
	yield func(piece, error) bool
	gone  raw.Gone // why what is before is not whole
	node  string   // of the last record
	given uint64   // its number
	upTo  uint64   // of the last one that is wanted
}

// begin is the beginning of a stretch. What the first one of a node lacks before it, its first number tells; that of a later node is behind a leap.
func (w *walk) begin(first, until uint64) piece {
	p := piece{gone: w.gone, isGap: first != w.given+1 && (w.given > 0 || first > raw.Leap), until: until}
	w.gone = ""
	return p
}

// part gives the records of one that were not given yet; false: nobody wants more.
func (w *walk) part(p *Part, until uint64) (more bool) {
	had := uint64(0) // of this node: its lines are given once
	if p.Node == w.node {
		had = w.given
	}
	if p.Last <= had {
		return true
	}
	if !w.yield(w.begin(max(p.First, had+1), until), nil) {
		return false
	}
	w.node = p.Node
	for l, why := range p.Lines(w.upTo) {
		if why != "" {
			w.gone = why
			break
		}
		if l.Number <= had {
			continue
		}
		w.given = l.Number
		if !w.yield(piece{Line: &l}, nil) {
			return false
		}
	}
	w.given = max(w.given, min(p.Last, w.upTo))
	return true
}

// Native gives the records without what they became, oldest first; each is valid until the next.
func (r *Raw) Native() iter.Seq2[raw.Line, error] {
	return func(yield func(raw.Line, error) bool) {
		for p, err := range r.pieces() {
			switch {
			case err != nil:
				yield(raw.Line{}, err)
				return
			case p.Line != nil && !yield(*p.Line, nil):
				return
			}
		}
	}
}

// Lines gives the records, oldest first; each is valid until the next. Records and journal name batches in the same order, so that both
// are gone through once, side by side. Where lines are missing of which the journal knows, between two stretches or at the end, a note says so.
func (r *Raw) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		next, stop := iter.Pull2(r.spans)
		defer stop()
		j := &join{next: next, last: r.First() - 1}
		j.span, j.err, j.more = next()
		for p, err := range r.pieces() {
			if err == nil && p.Line != nil {
				if note, ok := j.between(p.Line); ok && !yield(note, nil) {
					return
				}
			}
			if err = cmp.Or(err, j.err); err != nil {
				yield(Line{}, err)
				return
			}
			if p.Line == nil {
				j.begin(p)
				continue
			}
			line := j.line(p.Line)
			if j.err != nil {
				yield(Line{}, j.err)
				return
			}
			if !yield(line, nil) {
				return
			}
		}
		if note, ok := j.end(r.newest); ok && j.err == nil {
			yield(note, nil)
		}
	}
}
