package raw

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// repeating is an agent that says the whole message twice with each word, as Pi 0.73 does.
type repeating struct{ whole strings.Builder }

func (r *repeating) line(i int) string {
	word := fmt.Sprintf("word %d of it ", i*i)
	r.whole.WriteString(word)
	message := `{"role":"assistant","content":[{"type":"text","text":"` + r.whole.String() + `"}],"usage":{"input":0,"output":0}}`
	return `{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"` + word + `","partial":` + message + `},"message":` + message + `}`
}

// talk has an agent say lines, a few at a time, and gives them.
func talk(a *Archive, r *Recorder, agent *repeating, from, count int) (want []string) {
	for i := from; i < from+count; i++ {
		line := agent.line(i)
		r.Out([]byte(line))
		want = append(want, "out "+line)
		if i%7 == 0 {
			r.In(fmt.Appendf(nil, `{"type":"steer","n":%d}`, i))
			want = append(want, fmt.Sprintf(`in {"type":"steer","n":%d}`, i))
			r.Batch(uint64(i))
			flush(a)
		}
	}
	r.Batch(uint64(from + count))
	flush(a)
	return want
}

// TestWhatIsRepeatedIsStoredOnce: an archive of an agent that repeats itself has about what it says, however often, and all of it comes back.
func TestWhatIsRepeatedIsStoredOnce(t *testing.T) {
	disk := disktest.New()
	c := new(Counters)
	a := inOrder(folder, Options{FS: disk, Now: clock(), Counters: c})
	r := a.Record(1, Beginning{})
	var agent repeating
	want := talk(a, r, &agent, 0, 1500)
	a.Close()
	equal(t, said(readAll(t, disk)), want)
	stored := 0
	for _, name := range disk.Files() {
		stored += len(disk.Bytes(name))
	}
	native := int(c.Bytes.Load())
	if text := agent.whole.Len(); stored > 6*text || native < 500*text {
		t.Errorf("%d bytes for %d of text, said with %d", stored, text, native)
	}
}

// TestEachPackCanBeReadAlone: the oldest packs go by the limit, and what is left begins with a line that needs none of them.
func TestEachPackCanBeReadAlone(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock(), Roll: 2000, Limit: 12_000})
	var agent repeating
	r := a.Record(1, Beginning{})
	want := talk(a, r, &agent, 0, 800)
	a.Close()
	all := readAll(t, disk)
	got := said(all)
	if all[0].Number == 1 || len(got) < 20 {
		t.Fatalf("%d lines from number %d", len(got), all[0].Number)
	}
	equal(t, got, want[len(want)-len(got):])
	for _, name := range disk.Files() {
		alone := disktest.New()
		alone.Put(name, disk.Bytes(name))
		for _, l := range readAll(t, alone) {
			if l.Dir == "note" && !strings.HasSuffix(name, tailSuffix) {
				t.Errorf("%s: record %d is %s", name, l.Number, l.Record)
			}
		}
	}
}

// TestTwoConnectionsAtOnce: while one connection ends the next has begun; both are compared with their own lines.
func TestTwoConnectionsAtOnce(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock(), Roll: 3000})
	agents, recorders := [2]repeating{}, [2]*Recorder{a.Record(1, Beginning{}), a.Record(2, Beginning{})}
	var want [2][]string
	for i := range 400 {
		which := i / 3 % 2
		line := agents[which].line(i)
		recorders[which].Out([]byte(line))
		want[which] = append(want[which], "out "+line)
		if i%5 == 0 {
			recorders[0].Batch(uint64(i + 1))
			recorders[1].Batch(uint64(i + 1))
			flush(a)
		}
	}
	recorders[0].End(500, End{Status: "exit 0"})
	recorders[1].End(500, End{Status: "exit 0"})
	a.Close()
	var of [2][]Line
	for _, l := range readAll(t, disk) {
		if l.Dir == "note" {
			t.Fatalf("record %d is %s", l.Number, l.Record)
		}
		of[l.Incarnation-1] = append(of[l.Incarnation-1], l)
	}
	packs := 0
	for _, name := range disk.Files() {
		if strings.HasSuffix(name, packSuffix) {
			packs++
		}
	}
	equal(t, said(of[0]), want[0])
	equal(t, said(of[1]), want[1])
	if packs < 2 {
		t.Errorf("%d packs: none was finished", packs)
	}
}

// TestChangesOfALostLine are lost with it, counted, and the next line is a whole one.
func TestChangesOfALostLine(t *testing.T) {
	disk := disktest.New()
	c := new(Counters)
	a := inOrder(folder, Options{FS: disk, Now: clock(), Counters: c})
	var agent repeating
	r := a.Record(1, Beginning{})
	want := talk(a, r, &agent, 1, 60)
	disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
		if op.Kind == "write" {
			return &disktest.Fault{Err: syscall.ENOSPC, Short: 50}
		}
		return nil
	})
	lost := talk(a, r, &agent, 61, 20)
	disk.Fail(nil)
	after := talk(a, r, &agent, 81, 60)
	a.Close()
	got := said(readAll(t, disk))
	kept := len(got) - len(want)
	if kept <= 0 || kept > len(after) || int(c.Lost.Load()) != len(lost)+len(after)-kept {
		t.Fatalf("%d lines are kept of %d after %d that were lost; %d are counted", kept, len(after), len(lost), c.Lost.Load())
	}
	equal(t, got[:len(want)], want)
	equal(t, got[len(want):], after[len(after)-kept:])
	if len(after)-kept > 10 {
		t.Errorf("%d lines were lost after the disk took lines again", len(after)-kept)
	}
}

// TestAQuietConnectionHoldsNothing: the line that the next one would be compared with goes when the agent is quiet, and the next line is whole.
func TestAQuietConnectionHoldsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := held.Load()
		disk := disktest.New()
		a := inOrder(folder, Options{FS: disk, Linger: 250 * time.Millisecond})
		var agent repeating
		r := a.Record(1, Beginning{})
		want := talk(a, r, &agent, 0, 300)
		time.Sleep(calmAfter + calmAfter/2)
		want = append(want, talk(a, r, &agent, 300, 1)...) // it is used, and stays
		time.Sleep(calmAfter)
		if n := held.Load() - before; n < int64(2*agent.whole.Len()) {
			t.Errorf("%d bytes are held while the agent speaks", n)
		}
		time.Sleep(2 * calmAfter)
		if n := held.Load() - before; n != 0 {
			t.Errorf("%d bytes are held while the agent is quiet", n)
		}
		want = append(want, talk(a, r, &agent, 301, 50)...)
		r.End(500, End{Status: "exit 0"})
		if n := held.Load() - before; n != 0 {
			t.Errorf("%d bytes are held after the end", n)
		}
		a.Close()
		equal(t, said(readAll(t, disk)), want)
	})
}

// TestNoMoreThanAllMayHold: where all connections together hold as much as they may, lines are kept whole.
func TestNoMoreThanAllMayHold(t *testing.T) {
	held.Add(maxBases)
	defer held.Add(-maxBases)
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock()})
	var agent repeating
	want := talk(a, a.Record(1, Beginning{}), &agent, 0, 30)
	a.Close()
	equal(t, said(readAll(t, disk)), want)
	if n := held.Load(); n != maxBases {
		t.Errorf("%d bytes are held", n)
	}
}

// TestPackDoesNotBeginWithinChanges: a pack that is full within many lines that were handed on at once ends before one that needs none before it.
func TestPackDoesNotBeginWithinChanges(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock(), Roll: 2000})
	var agent repeating
	r := a.Record(1, Beginning{})
	for i := range 10 {
		for n := range 100 {
			r.Out([]byte(agent.line(100*i + n)))
			r.In([]byte(`{"type":"steer"}`))
		}
		r.Batch(uint64(i + 1))
		flush(a)
	}
	a.Close()
	packs := 0
	for _, name := range disk.Files() {
		alone := disktest.New()
		alone.Put(name, disk.Bytes(name))
		if packs++; strings.HasSuffix(name, tailSuffix) {
			continue
		}
		for _, l := range readAll(t, alone) {
			if l.Dir == "note" {
				t.Errorf("%s: record %d is %s", name, l.Number, l.Record)
			}
		}
	}
	if packs < 3 {
		t.Errorf("%d packs", packs)
	}
}

// TestRotCostsFewChanges: a whole line comes now and then, so that what is behind a damaged block can be read.
func TestRotCostsFewChanges(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock(), Roll: 40_000})
	r := a.Record(1, Beginning{})
	const count = 4000
	for i := range count {
		r.Out(fmt.Appendf(nil, `{"type":"message_update","usage":{"input":0,"output":0,"cost":0,"total":0},"n":%d}`, i))
		if r.Batch(1); i%20 == 0 {
			flush(a)
		}
	}
	a.Close()
	if n := begun(t, disk); n < 2 || n > 10 {
		t.Errorf("%d lines of %d are whole", n, count)
	}
	zero(t, disk, 40, false)
	got := len(said(readAll(t, disk)))
	if lost := (count - got) * 10; lost == 0 || lost > 2*mostChanged {
		t.Errorf("%d lines of %d are left", got, count)
	}
}

// begun is how many lines of an agent are whole, and others may be changes of them.
func begun(t *testing.T, disk *disktest.Disk) (n int) {
	t.Helper()
	for _, name := range disk.Files() {
		if _, _, err := walk(disk, name, func(w *block.Walk, h *block.Head) error {
			text, err := w.Text(nil)
			for ; len(text) > 0; h.Count-- {
				it, _, rest, ok := parseEntry(text, 0)
				if !ok {
					t.Fatalf("%s: %d entries more than can be read", name, h.Count)
				}
				if text = rest; it.form == begins {
					n++
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return n
}
