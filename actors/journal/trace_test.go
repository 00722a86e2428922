package journal_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

var update = flag.Bool("update", false, "write the goldens in testdata/trace")

// TestTrace replays the files of testdata/trace: each step is a command, a line of four dashes, and the changes of the disk
// that it makes, in order. A sync that is missing is so seen in review. The commands are those of tracer.run.
func TestTrace(t *testing.T) {
	names, err := filepath.Glob("testdata/trace/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			golden, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tr := tracer{d: disktest.New(), segment: 600}
			var got strings.Builder
			head, steps, _ := strings.Cut(string(golden), "\n\n")
			got.WriteString(head + "\n")
			for _, step := range strings.Split(steps, "\n\n") {
				command, _, _ := strings.Cut(strings.TrimSpace(step), "\n")
				fmt.Fprintf(&got, "\n%s\n----\n%s", command, tr.step(command))
			}
			if *update {
				if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != string(golden) {
				t.Errorf("run with -update to accept:\n%s", got.String())
			}
		})
	}
}

type tracer struct {
	d       *disktest.Disk
	j       *journal.Journal
	next    uint64
	segment int64
}

// step runs a command and gives the changes of the disk, then the error or what Open found.
func (tr *tracer) step(command string) string {
	ops := tr.d.Count()
	words := strings.Fields(command)
	said, err := tr.run(words[0], words[1:])
	var b strings.Builder
	for _, op := range tr.d.Ops(ops) {
		fmt.Fprintln(&b, op)
	}
	if said != "" {
		fmt.Fprintln(&b, said)
	}
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	return b.String()
}

// run knows: create, open, append N [times M], sync, release, close, epoch N, drop N, remove, recover N, fail KIND NAME
// (the next such change), cut NAME N (bytes off the end), delete NAME.
func (tr *tracer) run(verb string, args []string) (said string, err error) {
	opt := journal.Options{FS: tr.d, SegmentBytes: tr.segment}
	number := func(i int) (n uint64) {
		if i < len(args) {
			n, err = strconv.ParseUint(args[i], 10, 64)
		}
		return n
	}
	switch verb {
	case "create":
		tr.next = 1
		tr.j, err = journal.Create(dir, opt)
	case "open":
		var rec journal.Recovery
		tr.j, rec, err = journal.Open(dir, opt, nil)
		tr.next = rec.Newest + 1
		said = fmt.Sprintf("%+v", rec)
	case "append":
		n := int(number(0))
		for range max(1, number(2)) {
			if err = tr.j.Append(batch(tr.next, n, "", journal.Source{})); err != nil {
				return "", err
			}
			tr.next += uint64(n)
		}
	case "sync":
		err = tr.j.Sync()
	case "release":
		err = tr.j.Release()
	case "close":
		err = tr.j.Close()
	case "epoch":
		err = tr.j.NewEpoch(number(0))
	case "drop":
		err = tr.j.DropBefore(number(0))
	case "remove":
		err = journal.Remove(dir, opt)
	case "recover":
		if err = tr.j.Recover(number(0)); err == nil {
			tr.next = number(0) + 1
		}
	case "fail":
		tr.d.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if op.Kind != args[0] || op.Name != args[1] {
				return nil
			}
			args[0] = "" // once
			return &disktest.Fault{Err: syscall.ENOSPC, Short: 30}
		})
	case "cut":
		b := tr.d.Bytes(args[0])
		tr.d.Put(args[0], b[:len(b)-int(number(1))])
	case "delete":
		tr.d.Delete(args[0])
	default:
		err = errors.New("unknown command")
	}
	return said, err
}
