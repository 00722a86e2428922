package raw

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

var update = flag.Bool("update", false, "write testdata/trace.txt")

// TestTrace: the changes of the disk that an archive makes, in order, so that a sync that is missing shows in review. What is compressed has
// another size with every version of the library, and none here.
func TestTrace(t *testing.T) {
	disk := disktest.New()
	var got strings.Builder
	from := 0
	step := func(title string, do func()) {
		do()
		fmt.Fprintf(&got, "\n%s\n----\n", title)
		for _, op := range disk.Ops(from) {
			text := op.String()
			if op.Kind == "write" && strings.HasSuffix(op.Name, packSuffix) {
				text = "write " + op.Name
			}
			fmt.Fprintln(&got, text)
		}
		from = disk.Count()
	}
	opt := Options{FS: disk, Roll: 200, Limit: 400, Now: clock()}
	a := inOrder(folder, opt)
	r := a.Record(1, Beginning{})
	flush(a) // or its line would be written with the next ones, or not
	say := func(n int) func() {
		return func() {
			for range n {
				r.Out([]byte(`{"text":"one line of an agent"}`))
			}
			r.Batch(1)
			flush(a)
		}
	}
	step("two lines", say(2))
	step("one more: the tail is full", say(1))
	step("the end of the connection", func() { r.End(2, End{Status: "exit 0"}); a.Close() })
	step("a torn line, and the next connection", func() {
		files := disk.Files()
		newest := files[len(files)-1]
		disk.Put(newest, append(disk.Bytes(newest), "RMA2 torn"...))
		a = inOrder(folder, opt)
		r = a.Record(2, Beginning{})
		flush(a)
		say(1)()
	})
	step("over the limit: the oldest goes", func() { say(3)(); say(3)(); say(3)() })
	a.Close()
	const golden = "testdata/trace.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got.String() != string(want) {
		t.Errorf("run with -update to accept: %v\n%s", err, got.String())
	}
}
