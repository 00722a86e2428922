package diff

import (
	"strings"

	anchored "github.com/rogpeppe/go-internal/diff"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Notes of hunks whose numbers do not say where they stand in the file (spec §4.8).
const (
	ofPassage = "of a passage"
	ofEvery   = "of every such passage"
	ofWhole   = "the whole file"
)

// What texts are compared at most, both together. A line costs some hundred bytes and a microsecond, whatever it says, and agents say what they like.
const (
	maxCompared = 2 << 20 // bytes: twenty times what the log has of a text
	maxLines    = 100_000
)

// Between is the change of a file from one text to another, in hunks with three lines around each change. It takes time in proportion to the
// texts, but for a logarithm: it looks for lines that are in each of them once, and never for the shortest difference. Of texts that are too long for
// that the file has no hunks, so Format leaves it out.
func Between(path, before, after string) File {
	f := File{Old: path, New: path}
	var b budget
	if b.take(before, after) {
		f.Hunks = compare(before, after)
	}
	return f
}

// budget counts what is compared for one change.
type budget struct{ bytes, lines int }

func (b *budget) take(before, after string) bool {
	if b.bytes += len(before) + len(after); b.bytes <= maxCompared {
		b.lines += strings.Count(before, "\n") + strings.Count(after, "\n")
	}
	return b.bytes <= maxCompared && b.lines <= maxLines
}

func compare(before, after string) []Hunk {
	files, _ := Read(string(anchored.Diff("a", []byte(before), "b", []byte(after))))
	if len(files) != 1 {
		return nil
	}
	return files[0].Hunks
}

// Written is a file that gets a text, of which nobody says what was in it before, nor whether it was there. One that is emptied so has
// no lines to tell, and Format leaves it out: a diff without a line would not say that all of them go.
// Nobody knows whether the file ends with the last line.
func Written(path, text string) File {
	if text == "" {
		return File{Old: path, New: path}
	}
	hunks := whole('+', text)
	hunks[0].Note, hunks[0].open = ofWhole, false
	return File{Old: path, New: path, Hunks: hunks}
}

// Passage is a part of a file and what takes its place.
type Passage struct {
	Old, New string
	Every    bool // wherever it stands in the file; otherwise once
}

// Replaced is a file of which passages are replaced. Where they stand is not known, so the numbers of each hunk count from the first line of its passage.
// There are none where the passages are too long to be compared, as Between has it: some of them would look like all.
func Replaced(path string, list []Passage) File {
	f := File{Old: path, New: path}
	var b budget
	for i := range list {
		if !b.take(list[i].Old, list[i].New) {
			return f
		}
	}
	for _, p := range list {
		note := ofPassage
		if p.Every {
			note = ofEvery
		}
		for _, h := range compare(p.ended()) {
			h.Note = note
			f.Hunks = append(f.Hunks, h)
		}
	}
	return f
}

// ended gives the passage's lines ends, as they have in the file. Where one of both texts has an end that the other lacks, that is part of the change.
func (p *Passage) ended() (before, after string) {
	before, after = p.Old, p.New
	openOld, openNew := open(before), open(after)
	if openOld && (openNew || after == "") {
		before += "\n"
	}
	if openNew && (openOld || p.Old == "") {
		after += "\n"
	}
	return before, after
}

func open(text string) bool { return text != "" && !strings.HasSuffix(text, "\n") }

// Ask gives an approval its diff. Of one that is longer than limit, in bytes, it has the first lines, and is marked as cut.
func Ask(q *protocol.RequestOpened, text string, limit int) {
	q.Diff, q.DiffTruncated, q.DiffBytes = text, false, 0
	if len(text) <= limit {
		return
	}
	head := native.Head(text, limit)
	if head = head[:strings.LastIndexByte(head, '\n')+1]; head == "" { // not even a line: what is left says nothing
		q.Diff = ""
		return
	}
	q.Diff, q.DiffTruncated, q.DiffBytes = head, true, int64(len(text))
}
