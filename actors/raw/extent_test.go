package raw

import (
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// opening counts the files that are opened for reading.
type opening struct {
	disk.FS
	opened int
}

func (o *opening) Open(name string) (disk.Reader, error) {
	o.opened++
	return o.FS.Open(name)
}

// TestLookOpensNoFile: what an archive reaches is told by the names of its files, as a reader of it tells it.
func TestLookOpensNoFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "raw")
	files := &opening{FS: disk.OS()}
	if none, err := Look(dir, files); err != nil || !none.Empty() || none.First() != 1 || none.Finished() != 0 {
		t.Errorf("a folder that is not there: %+v, %v", none, err)
	}
	a := New(dir, Options{Roll: 2000, Limit: 20_000})
	session(a, 1, 0, 3000)
	r := a.Record(2, Beginning{})
	r.Out([]byte(`{"n":1}`))
	r.Batch(1)
	flush(a)
	defer a.Close()
	got, err := Look(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	first, finished := got.First(), got.Finished()
	if files.opened != 0 || got.Empty() {
		t.Errorf("%d files are opened", files.opened)
	}
	want, err := Read(dir, files)
	if err != nil || files.opened != 1 { // the tail
		t.Fatalf("%d files are opened, %v", files.opened, err)
	}
	newest, err := got.Newest()
	if last, failed := want.Newest(); err != nil || failed != nil || newest != last || first != want.First() || finished != want.Finished() {
		t.Errorf("from %d, finished up to %d, up to %d, %v; a reader says %d, %d, %d, %v", first, finished, newest, err, want.First(), want.Finished(), last, failed)
	}
	if first == 1 || finished <= first || newest <= finished {
		t.Errorf("it has no such form: from %d, finished up to %d, up to %d", first, finished, newest)
	}
}
