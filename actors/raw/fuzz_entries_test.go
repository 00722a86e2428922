package raw

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// FuzzEntries: whatever the texts of blocks have whose sums are right, and whatever their heads say of them, the numbers of records grow, each record is JSON on
// a line, and an archive goes on behind them.
func FuzzEntries(f *testing.F) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 2000, Now: clock()})
	session(a, 1, 0, 10)
	var agent repeating
	talk(a, a.Record(2, Beginning{}), &agent, 0, 20)
	a.Close()
	var texts [][]byte
	for _, name := range disk.Files() {
		if _, _, err := walk(disk, name, func(w *block.Walk, _ *block.Head) error {
			text, err := w.Text(nil)
			texts = append(texts, text)
			return err
		}); err != nil {
			f.Fatal(err)
		}
	}
	for i := range texts {
		f.Add(texts[i], texts[(i+1)%len(texts)], uint64(1), uint64(40), uint32(40), byte(i))
	}
	f.Add([]byte{0x28, 2, 1, 1, 1, 'x', 0x10, 0, 1, 1, 4, 1, 0, 1, 'y'}, []byte{0x13, 0, 1, 0, 0}, uint64(1), uint64(3), uint32(2), byte(9))
	f.Add([]byte{0x23, 1, 1, 1, 0x80, 0x80, 0x80, 0x80, 1}, []byte("{"), uint64(1), uint64(math.MaxUint64), uint32(1), byte(0))
	f.Add([]byte("0"), []byte("0"), uint64(1), uint64(102), uint32(40), byte(1)) // a tail is not that of an earlier pack
	f.Fuzz(func(t *testing.T, text, more []byte, first, second uint64, count uint32, how byte) {
		if first >= 1<<52 || second>>52 == 1 {
			t.Skip("no numbers are left to go on with")
		}
		disk := disktest.New()
		pack := block.Append(nil, max(first, 1), count, text, block.Coding(how%3))
		pack = block.Append(pack, second, count/2+1, more, block.Coding(how/3%3))
		disk.Put(folder+"/00000001.pack", pack)
		next := behind(t, disk, folder+"/00000001.pack") + uint64(how) // as whoever wrote it: packs have no numbers in common
		disk.Put(folder+"/"+segmentName(next+1, packSuffix), block.Append(nil, next+1, count, more, block.Plain))
		for _, l := range readAll(t, disk) {
			if !wellFormed(&l) {
				t.Fatalf("record %d is %q", l.Number, l.Record)
			}
		}
		a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
		lines := session(a, 9, 0, 10)
		a.Close()
		got := said(readAll(t, disk))
		equal(t, got[max(0, len(got)-len(lines)):], lines)
	})
}

// wellFormed says that a record is one line of JSON, which says what the members of the line do.
func wellFormed(l *Line) bool {
	var r struct {
		Time        int64           `json:"t_ms"`
		Dir         string          `json:"dir"`
		Incarnation uint32          `json:"incarnation"`
		Batch       uint64          `json:"batch"`
		Data        json.RawMessage `json:"data"`
	}
	return bytes.IndexByte(l.Record, '\n') < 0 && json.Unmarshal(l.Record, &r) == nil && bytes.Equal(r.Data, l.Data) &&
		r.Time == l.Time && r.Dir == l.Dir && r.Incarnation == l.Incarnation && r.Batch == l.Batch
}
