package raw

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// oldArchive has the files of version 1: a finished one, and the tail. It gives what they say.
func oldArchive(t *testing.T, disk *disktest.Disk) (want []string) {
	t.Helper()
	lines := func(from, count int) []byte {
		var b strings.Builder
		for i := from; i < from+count; i++ {
			fmt.Fprintf(&b, `{"t_ms":1795161152995,"dir":"out","incarnation":1,"batch":%d,"data":{"n":%d}}`+"\n", i, i)
			want = append(want, fmt.Sprintf(`out {"n":%d}`, i))
		}
		return []byte(b.String())
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	disk.Put(folder+"/00000001.ndjson.zst", enc.EncodeAll(lines(1, 20), nil))
	disk.Put(folder+"/00000021.ndjson", append(lines(21, 10), `{"t_ms":17951611`...))
	return want
}

// TestOldArchives: an archive of an earlier build is read, and goes on.
func TestOldArchives(t *testing.T) {
	disk := disktest.New()
	want := oldArchive(t, disk)
	equal(t, said(readAll(t, disk)), want)
	disk.Put(folder+"/00000021.ndjson.zst.new", []byte("was being compressed"))
	a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
	want = append(want, session(a, 2, 100, 60)...)
	a.Close()
	all := readAll(t, disk)
	equal(t, said(all), want)
	if l := all[30]; l.Number != 31 || l.Dir != "meta" || l.Incarnation != 2 {
		t.Errorf("goes on with %+v", l)
	}
	if slices.ContainsFunc(disk.Files(), func(name string) bool { return strings.HasSuffix(name, freshSuffix) }) {
		t.Errorf("a leftover is there: %q", disk.Files())
	}
}

// TestOldArchiveThatWasBeingCompressed: where both files are there, each record is read once; where the compressed one is damaged, of the other.
func TestOldArchiveThatWasBeingCompressed(t *testing.T) {
	disk := disktest.New()
	want := oldArchive(t, disk)
	packed := disk.Bytes(folder + "/00000001.ndjson.zst")
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	text, err := dec.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	disk.Put(folder+"/00000001.ndjson", text)
	equal(t, said(readAll(t, disk)), want)
	disk.Flip(folder+"/00000001.ndjson.zst", len(packed)*4)
	all := readAll(t, disk)
	equal(t, said(all), want)
	if len(all) != len(want) {
		t.Errorf("%d records of %d lines", len(all), len(want))
	}
	disk.Delete(folder + "/00000001.ndjson")
	all = readAll(t, disk)
	equal(t, said(all), want[20:])
	if all[0].Number != 1 || string(all[0].Data) != `{"event":"damaged"}` {
		t.Errorf("the first record is %s", all[0].Record)
	}
}

// TestTheLimitTakesOldArchives first.
func TestTheLimitTakesOldArchives(t *testing.T) {
	disk := disktest.New()
	oldArchive(t, disk)
	a := inOrder(folder, Options{FS: disk, Roll: 700, Limit: 2000, Now: clock()})
	want := session(a, 2, 0, 300)
	a.Close()
	all := readAll(t, disk)
	got := said(all)
	equal(t, got, want[len(want)-len(got):])
	if all[0].Number < 31 {
		t.Errorf("begins with number %d", all[0].Number)
	}
}

// TestOldBuildInBetween: a build of before packs writes numbers that they have. Once this one is back, none of its numbers is hidden by theirs.
func TestOldBuildInBetween(t *testing.T) {
	for _, roll := range []int64{1, 100_000} { // the newest file is a pack, or a tail
		disk := disktest.New()
		a := inOrder(folder, Options{FS: disk, Roll: roll, Now: clock()})
		session(a, 1, 0, 5)
		a.Close()
		want := oldArchive(t, disk)
		text := disk.Bytes(folder + "/00000021.ndjson")
		disk.Delete(folder + "/00000021.ndjson")
		disk.Delete(folder + "/00000001.ndjson.zst")
		disk.Put(folder+"/00000001.ndjson", text)
		want = want[20:]
		for inc := range uint32(3) {
			b := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
			want = append(want, session(b, inc+2, 100, 10)...)
			b.Close()
			equal(t, said(readAll(t, disk)), want)
		}
	}
}
