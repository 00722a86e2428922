package api

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// fileCache keeps a session as spec §10.4 says: a file of lines as they came, and beside it up to where they count.
type fileCache struct {
	file   []byte
	length int    // indexed
	seq    uint64 // of the last line that counts
}

// open cuts off what was not finished.
func (c *fileCache) open() { c.file = c.file[:c.length] }

// add appends lines and then indexes them; a crash leaves some bytes of them, and no index.
func (c *fileCache) add(lines []byte, last uint64, crash int) {
	if crash >= 0 {
		c.file = append(c.file, lines[:crash]...)
		return
	}
	c.file = append(c.file, lines...)
	c.length, c.seq = len(c.file), last
}

// tableCache keeps a session as spec §10.3 says: rows by seq, of which the first one stays, and the cursor is the highest.
type tableCache struct{ rows map[uint64][]byte }

func (c *tableCache) add(seq uint64, line []byte) {
	if c.rows[seq] == nil {
		c.rows[seq] = slices.Clone(line)
	}
}

func (c *tableCache) cursor() string {
	return strconv.FormatUint(slices.Max(append(slices.Collect(maps.Keys(c.rows)), 0)), 10)
}

func (c *tableCache) lines() (b []byte) {
	for _, seq := range slices.Sorted(maps.Keys(c.rows)) {
		b = append(b, c.rows[seq]...)
	}
	return b
}

// TestCachesOfClients: clients that keep a session in a file or in a table, whose connections break anywhere, that end anywhere, and that
// are sent what they have already, hold the log byte for byte once they have caught up; after a reset they begin anew and hold the new one.
// Proves: 002.6.5/file, 002.6.5/table, 002.13/3
func TestCachesOfClients(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	r := rand.New(rand.NewPCG(65, 0))
	file, table := &fileCache{}, &tableCache{rows: map[uint64][]byte{}}
	resets := 0
	// catchUp reads a patch, of which bytes arrive, and keeps it; whole says that all of it is kept then.
	catchUp := func(whole bool) {
		file.open()
		a := h.do("GET", "/sessions/"+id+"/log?since="+strconv.FormatUint(file.seq, 10), "")
		if a.StatusCode == http.StatusGone {
			resets++
			*file = fileCache{}
			a = h.want(http.StatusOK, "GET", "/sessions/"+id+"/log", "")
		}
		patch, crash := a.body, -1
		if !whole {
			patch = patch[:r.IntN(len(patch)+1)]
			patch = patch[:bytes.LastIndexByte(patch, '\n')+1] // a line without its end is no event
			if r.IntN(2) == 0 {
				crash = r.IntN(len(patch) + 1)
			}
		}
		last := file.seq
		for line := range bytes.Lines(patch) {
			e, err := protocol.Decode(line)
			if err != nil {
				t.Fatal(err)
			}
			last = e.Seq
		}
		file.add(patch, last, crash)
	}
	follow := func() { // from a cursor that it has passed: what comes twice counts once
		newest := seqOf(h, id)
		from, _ := strconv.ParseUint(table.cursor(), 10, 64)
		st := h.stream(id, strconv.FormatUint(from-min(from, r.Uint64N(5)), 10))
		defer st.close()
		for until := from + r.Uint64N(newest-from+1); ; {
			if e, ok := st.next().(*protocol.Event); ok {
				if table.add(e.Seq, protocol.AppendLine(nil, e)); e.Seq >= until {
					return
				}
			}
		}
	}
	settled := func() {
		t.Helper()
		catchUp(true)
		a := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log?since="+table.cursor(), "")
		for line := range bytes.Lines(a.body) {
			e, err := protocol.Decode(line)
			if err != nil {
				t.Fatal(err)
			}
			table.add(e.Seq, line)
		}
		log := h.log(id, "")
		if !bytes.Equal(file.file, log) {
			t.Fatalf("the file has\n%s\nthe log is\n%s", file.file, log)
		}
		if got := table.lines(); !bytes.Equal(got, log) {
			t.Fatalf("the table has\n%s\nthe log is\n%s", got, log)
		}
	}
	for range 40 {
		h.tree.grow(id, 1+r.IntN(60))
		catchUp(false)
		follow()
	}
	settled()
	other := []byte(`{"seq":1,"ts":7,"type":"session_start","sessionId":"` + id + `","agentBackend":"busy","metadata":{}}` + "\n")
	h.awaitReaders(id, "", 0) // who reads would have the actor run again, on what is about to go
	h.tree.rewrite(id, store.Batch{First: 1, Count: 1, Lines: other})
	table = &tableCache{rows: map[uint64][]byte{}} // as on a reset
	settled()
	if resets != 1 {
		t.Errorf("%d resets", resets)
	}
}
