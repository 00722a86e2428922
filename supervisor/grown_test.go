package supervisor_test

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// counting counts what is read of a disk, in bytes.
type counting struct {
	disk.FS
	read *atomic.Int64
}

func (c counting) Open(name string) (disk.Reader, error) {
	r, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return countingReader{r, c.read}, nil
}

type countingReader struct {
	disk.Reader
	read *atomic.Int64
}

func (r countingReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.read.Add(int64(n))
	return n, err
}

func (r countingReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.Reader.ReadAt(b, at)
	r.read.Add(int64(n))
	return n, err
}

// grow appends events to a session's log that is closed, as an agent that writes much would, until it has so many bytes.
func grow(t *testing.T, dir string, size int64) {
	j, rec, err := journal.Open(dir, journal.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seq := rec.Newest
	text := strings.Repeat("a line of what a tool has said\n", 8)
	for j.Log().Bytes() < size {
		b := journal.Batch{First: seq + 1, Time: time.Now().UnixMilli()}
		for len(b.Lines) < 64<<10 {
			id := "x" + strconv.FormatUint(seq, 10)
			for _, p := range []protocol.Payload{
				&protocol.EntryStart{EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}},
				&protocol.EntryDelta{EntryID: id, Delta: &protocol.TextAppend{Text: text}},
				&protocol.EntryEnd{EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: text}},
			} {
				seq++
				b.Lines = protocol.AppendLine(b.Lines, &protocol.Event{Seq: seq, Time: b.Time, Payload: p})
				b.Count++
			}
		}
		if err := j.Append(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// cpu is the time that the process has computed: the clock of a bubble stands.
func cpu() time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &use)
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// TestOpeningCostsTheSame opens a session with a log, and one with ten times as much: behind the first opening, of which the checkpoint is, few bytes are read of either.
// RINGMASTER_GROWN is another size in MiB.
// Proves: I15.1/open
func TestOpeningCostsTheSame(t *testing.T) {
	large := int64(100 << 20)
	if n, err := strconv.ParseInt(os.Getenv("RINGMASTER_GROWN"), 10, 64); err == nil {
		large = n << 20
	} else if testing.Short() {
		large = 20 << 20
	}
	var read [2]int64
	for i, size := range []int64{large / 10, large} {
		synctest.Test(t, func(t *testing.T) {
			var n atomic.Int64
			d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files = counting{disk.OS(), &n} })
			id := d.create().ID
			r := d.prompt(id, "hello")
			d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
			d.close()
			grow(t, d.folder(id), size)
			open := func() (bytes int64, took time.Duration) {
				d.start()
				before, at := n.Load(), cpu()
				d.find(id)
				d.look(id)
				bytes, took = n.Load()-before, cpu()-at
				d.close()
				return bytes, took
			}
			whole, slow := open()
			if whole < size/2 {
				t.Errorf("the first opening of %d bytes reads %d", size, whole)
			}
			var took time.Duration
			if read[i], took = open(); read[i] > 64<<10 {
				t.Errorf("the second opening of %d bytes reads %d", size, read[i])
			}
			t.Logf("%d MiB: the first opening reads %d bytes in %v, the second %d in %v", size>>20, whole, slow, read[i], took)

			d.start()
			r = d.prompt(id, "go on")
			d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
			d.close()
		})
	}
}
