package record

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"unique"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"go.uber.org/zap"
)

// OpenResting reads the file, and begins to keep it. The copies are those of the names, in their order. Of a session without one the folder tells, and of one
// with a copy it is to be asked (Holds). Nobody may write to a session before OpenResting returns.
func OpenResting(cfg RestingConfig, names []string) (*Resting, []Copy) {
	r := &Resting{cfg: cfg}
	_ = cfg.Files.Remove(filepath.Join(cfg.Dir, freshResting)) // of a daemon that was killed; mostly there is none
	found := make([]Copy, len(names))
	left, in := r.left()
	if left != nil {
		r.killed = !left.ended
		r.base = r.read(left, in, names, found)
	}
	if in != nil {
		_ = in.Close() // opened for reading: nothing to lose
	}
	if err := r.begin(left); err != nil {
		r.giveUp("resting", err)
		r.remove()
	} else if left != nil && left.gone {
		known := make(map[string]bool, len(names))
		for i, c := range found {
			known[names[i]] = c.Record != nil
		}
		r.takeOut(func(id string, _ *Copy) bool { return known[id] })
	}
	return r, found
}

// restingIndex says where the copies of a file are.
type restingIndex struct {
	at    map[string]span
	size  int64
	torn  bool // the last line has no end
	bad   bool // there are others whose checksum is wrong
	gone  bool // there are copies of sessions that were removed, by a daemon that was killed then
	begun *restLife
	ended bool
}

// span is a line of a file.
type span struct {
	at   int64
	size int
}

// left gives the file of an earlier daemon where it counts.
func (r *Resting) left() (*restingIndex, disk.Reader) {
	in, err := r.cfg.Files.Open(r.path())
	if err != nil {
		return nil, nil
	}
	x, err := indexOf(in)
	if err == nil && x.counts(&r.cfg) {
		return x, in
	}
	_ = in.Close() // opened for reading: nothing to lose
	if err != nil {
		r.cfg.Log.Warn("resting cannot be used", zap.Error(err))
	}
	return nil, nil
}

// counts says that every daemon since the file's first line knew it, and that no loss of power may have taken back what one of them did.
func (x *restingIndex) counts(cfg *RestingConfig) bool {
	if x.begun == nil || x.begun.Version != restingVersion || x.begun.Lock != cfg.Was || cfg.Was == (disk.Stamp{}) {
		return false
	}
	return x.begun.Boot == cfg.Boot && cfg.Boot != "" || x.ended && !x.bad && !x.torn
}

// indexOf looks at each line.
func indexOf(in disk.Reader) (*restingIndex, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	x := &restingIndex{at: map[string]span{}}
	lines := bufio.NewReaderSize(in, int(min(info.Size()+1, maxResting)))
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			x.torn = len(line) > 0
			x.size += int64(len(line))
			return x, nil
		}
		if err != nil { // bufio.ErrBufferFull as well: no line is so long
			return nil, err
		}
		x.take(line)
		x.size += int64(len(line))
	}
}

func (x *restingIndex) take(line []byte) {
	id, text, ok := cutResting(line)
	if !ok {
		x.bad = true
		return
	}
	if len(id) > 0 {
		x.at[string(id)] = span{x.size, len(line)}
		return
	}
	var l restLine
	if json.Unmarshal(text, &l) != nil {
		x.bad = true
		return
	}
	if l.Begun != nil {
		x.begun = l.Begun
	}
	x.ended = l.Ended
}

// cutResting takes a line apart, of which the checksum is right.
func cutResting(line []byte) (id, text []byte, ok bool) {
	if len(line) < sumDigits+2 || line[len(line)-1] != '\n' {
		return nil, nil, false
	}
	sum, err := strconv.ParseUint(string(line[:sumDigits]), 16, 32)
	body := line[sumDigits+1 : len(line)-1]
	if err != nil || line[sumDigits] != ' ' || sum != uint64(crc32.Checksum(body, castagnoli)) {
		return nil, nil, false
	}
	return bytes.Cut(body, []byte{' '})
}

// readTogether is how many lines a goroutine takes at once.
const readTogether = 64

// Abreast is how many goroutines look at folders of sessions at once. With an empty page cache each look waits for the disk, and a disk takes many questions
// at a time.
const Abreast = 32

// read fills in the records of the names, and says how many bytes their lines have.
func (r *Resting) read(x *restingIndex, in disk.Reader, names []string, found []Copy) (size int64) {
	type wanted struct {
		span
		name int
	}
	list := make([]wanted, 0, len(names))
	for i, name := range names {
		if at, ok := x.at[name]; ok {
			list = append(list, wanted{at, i})
			size += int64(at.size)
		}
	}
	x.gone = len(list) < len(x.at)
	x.at = nil
	slices.SortFunc(list, func(a, b wanted) int { return cmp.Compare(a.at, b.at) })
	pieces := make(chan []wanted)
	var wg sync.WaitGroup
	for range Abreast { // end with pieces
		wg.Go(func() {
			lines := window{in: in}
			for piece := range pieces {
				for _, w := range piece {
					found[w.name] = copyOf(lines.line(w.span), names[w.name])
				}
			}
		})
	}
	for piece := range slices.Chunk(list, readTogether) {
		pieces <- piece
	}
	close(pieces)
	wg.Wait()
	return size
}

// window reads lines that mostly stand behind one another.
type window struct {
	in   disk.Reader
	at   int64
	text []byte
}

// line gives a line, which is valid until the next one; nil: it cannot be read.
func (w *window) line(s span) []byte {
	if s.at < w.at || s.at+int64(s.size) > w.at+int64(len(w.text)) {
		text := w.text[:cap(w.text)]
		if len(text) < s.size {
			text = make([]byte, max(s.size, 64<<10))
		}
		n, _ := w.in.ReadAt(text, s.at) // an error, or the end: what is there counts
		if w.at, w.text = s.at, text[:n]; n < s.size {
			return nil
		}
	}
	return w.text[s.at-w.at:][:s.size]
}

// copyOf reads a line; without a record: it is none of a copy of the session.
func copyOf(line []byte, name string) (c Copy) {
	id, text, ok := cutResting(line)
	if !ok || string(id) != name {
		return c
	}
	var l restLine
	if json.Unmarshal(text, &l) != nil || l.Proof == nil {
		return c
	}
	if l.Record == nil || l.Record.Summary == nil || l.Record.Version != Version || l.Record.Summary.ID != name {
		return c
	}
	l.Record.Summary.ID = name
	l.Proof.File = unique.Make(l.Proof.File).Value()
	l.Record.Share()
	return Copy{l.Record, *l.Proof}
}

// counting gives the lines of the file that still count.
func (r *Resting) counting(counts func(id string, c *Copy) bool) func(yield func(line []byte) bool) {
	return func(yield func(line []byte) bool) {
		in, err := r.cfg.Files.Open(r.path())
		if err != nil {
			return
		}
		defer in.Close() // opened for reading: nothing to lose
		x, err := indexOf(in)
		if err != nil {
			return
		}
		type held struct {
			span
			id string
		}
		list := make([]held, 0, len(x.at))
		for id, at := range x.at {
			list = append(list, held{at, id})
		}
		slices.SortFunc(list, func(a, b held) int { return cmp.Compare(a.at, b.at) })
		lines := window{in: in}
		for _, h := range list {
			line := lines.line(h.span)
			if c := copyOf(line, h.id); c.Record != nil && counts(h.id, &c) && !yield(line) {
				return
			}
		}
	}
}

// Share has texts that many sessions have in common be held once.
func (r *Record) Share() {
	s := r.Summary
	for _, text := range []*string{
		&s.Agent, &s.Cwd, &s.Model, &s.AskedModel, &s.Mode, &s.AgentVersion, &s.ParentSessionID, &s.Owner, &s.Via, &s.PendingModel, &s.PendingMode,
		&s.EndError, &s.EndHint, (*string)(&s.Status.State), (*string)(&s.Status.AgentStatus), &r.Boot, &r.Durability,
	} {
		if *text != "" {
			*text = unique.Make(*text).Value()
		}
	}
}
