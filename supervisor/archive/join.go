package archive

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// join goes through records and the spans of the log side by side.
type join struct {
	next func() (store.Span, error, bool)
	span store.Span
	more bool // there is a span
	err  error

	told    store.Source // the newest batch whose lines were there
	last    uint64       // number of the last record
	damaged bool         // it says that some behind it are
	until   uint64       // the first event that was not made of this stretch; 0: any may have been
	isGap   bool         // numbers are missing before this stretch, of which no record has come yet
	gone    raw.Gone     // why what is before it is not whole
}

// begin begins a stretch.
func (j *join) begin(p piece) {
	j.until, j.isGap, j.gone = p.until, j.isGap || p.isGap && !j.damaged, cmp.Or(p.gone, j.gone)
}

// isBefore says that the span is of a batch before another, and can be of this stretch.
func (j *join) isBefore(at store.Source) bool {
	return j.more && j.err == nil && j.span.Source.Before(at) && (j.until == 0 || j.span.First < j.until)
}

// between passes over the spans before the first record of a stretch. Where they have no lines, or what is before was not whole, a note says so.
func (j *join) between(l *raw.Line) (note Line, ok bool) {
	if l.Incarnation == 0 || !j.isGap && j.gone == "" { // it is a note itself, or there is nothing to tell
		return note, false
	}
	j.isGap = false
	for at := (store.Source{Incarnation: l.Incarnation, Batch: l.Batch}); j.isBefore(at); j.span, j.err, j.more = j.next() {
		j.passed(&note)
	}
	return j.missing(&note, min(j.last+1, l.Number-1))
}

// passed notes a span whose lines were not there.
func (j *join) passed(note *Line) {
	if j.told.Before(j.span.Source) {
		note.From, note.To = cmp.Or(note.From, j.span.First), j.span.Last
	}
}

// missing is the note; false: nothing is missing.
func (j *join) missing(note *Line, number uint64) (Line, bool) {
	gone := j.gone
	if j.gone = ""; gone == "" && note.To == 0 {
		return Line{}, false
	}
	note.Line = raw.Missing(number, cmp.Or(gone, raw.GoneMissing))
	return *note, true
}

// line is a record with its events.
func (j *join) line(l *raw.Line) Line {
	line := Line{Line: *l}
	j.last, j.damaged = l.Number, l.Dir == "note" && string(l.Data) == isDamaged
	at := store.Source{Incarnation: l.Incarnation, Batch: l.Batch}
	for l.Batch > 0 && j.isBefore(at) {
		j.span, j.err, j.more = j.next()
	}
	if j.more && j.err == nil && l.Batch > 0 && j.span.Source == at && (j.until == 0 || j.span.First < j.until) {
		line.From, line.To, j.told = j.span.First, j.span.Last, at
	}
	return line
}

// end is the note behind the last record, where lines are missing of events up to newest.
func (j *join) end(newest uint64) (note Line, ok bool) {
	for ; j.more && j.err == nil && j.span.Last <= newest; j.span, j.err, j.more = j.next() {
		j.passed(&note)
	}
	return j.missing(&note, j.last+1)
}

// isDamaged is the note of records that cannot be read: the numbers of others behind it may be missing.
const isDamaged = `{"event":"` + string(raw.GoneDamaged) + `"}`
