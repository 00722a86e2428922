package raw

import (
	"bytes"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// behind is the number behind all records of a file.
func behind(t *testing.T, disk *disktest.Disk, name string) (end uint64) {
	t.Helper()
	if _, _, err := walk(disk, name, func(_ *block.Walk, h *block.Head) error {
		end = max(end, h.End())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return end
}

// FuzzRead: whatever the files have, the numbers of records grow, and an archive goes on behind them.
func FuzzRead(f *testing.F) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
	session(a, 1, 0, 40)
	var agent repeating
	talk(a, a.Record(2, Beginning{}), &agent, 0, 40)
	a.Close()
	files := disk.Files()
	f.Add(disk.Bytes(files[0]), disk.Bytes(files[1]), disk.Bytes(files[len(files)-1]))
	f.Add([]byte("{\"t_ms\":1,\"dir\":\"out\",\"incarnation\":1,\"data\":{}}\n"), []byte("RMA2"), []byte{})
	f.Add(block.Append(nil, 1, 2, []byte{0x28, 2, 1, 1, 1, 'x', 0x10, 0, 1, 1, 4, 1, 0, 1, 'y'}, block.Plain), block.Append(nil, 1<<63, 1, nil, block.Small), []byte{0})
	f.Fuzz(func(t *testing.T, first, second, third []byte) {
		disk := disktest.New()
		disk.Put(folder+"/00000001.pack", first)
		disk.Put(folder+"/00000001.ndjson", second)
		next := max(behind(t, disk, folder+"/00000001.pack"), 1+uint64(bytes.Count(second, newline))) // as whoever wrote them
		disk.Put(folder+"/"+segmentName(next, zstdSuffix), third)
		disk.Put(folder+"/"+segmentName(next, packSuffix), second)
		disk.Put(folder+"/"+segmentName(next+1, tailSuffix), third)
		readAll(t, disk)
		a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
		more := session(a, 9, 0, 10)
		a.Close()
		got := said(readAll(t, disk))
		equal(t, got[max(0, len(got)-len(more)):], more)
	})
}
