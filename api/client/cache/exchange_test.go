package cache

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var (
	exchange = flag.String("exchange", "", "a folder that this package and api/client/ts write in turn")
	half     = flag.Int("half", 1, "which half of the exchange: 1 begins the folder, 2 goes on with it")
)

// exchanged are the sessions of the exchange. api/client/ts/test/exchange.ts does the same with them: whoever writes which half, the files are the same, byte for byte.
var exchanged = []struct {
	id      string
	epoch   uint64
	stores  int // of each half
	lines   int // of a store
	dropped bool
	state   bool
	back    int // lines that are lost at the end of each half, and come again in the next epoch
}{
	{"0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a", 1, 30, 3, false, true, 0},
	{"0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0b", 2, 1, 1, true, false, 0},
	{"0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0c", 1, 7, 400, false, true, 0},
	{"0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0d", 1, 4, 5, false, false, 3},
}

// TestExchange writes one half of a folder of which the TypeScript package writes the other one, and reads what is there before. tools/ts.sh compares what comes of it.
func TestExchange(t *testing.T) {
	if *exchange == "" {
		t.Skip("tools/ts.sh runs it with -exchange")
	}
	folder, err := Open(*exchange, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	exchangeLogs(t, folder)
	for _, x := range exchanged {
		session, found, err := folder.Session(x.id)
		if err != nil {
			t.Fatal(err)
		}
		do := func(e sync.CacheEffect) {
			t.Helper()
			if err := session.Do(e); err != nil {
				t.Fatal(err)
			}
		}
		seq := x.stores * x.lines * (*half - 1)
		if x.back > 0 {
			x.epoch += uint64(*half) - 1
		}
		if *half == 2 {
			if read := readAll(t, session, found); len(read) != seq || read[seq-1] != exchangedLine(seq) {
				t.Fatalf("%s: %d lines, want %d, found %+v", x.id, len(read), seq, found)
			}
			if (found.Checkpoint != nil) != x.state {
				t.Fatalf("%s: checkpoint %+v", x.id, found.Checkpoint)
			}
		} else if x.dropped {
			do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: 1}, Lines: [][]byte{[]byte(exchangedLine(1))}})
			do(sync.Drop{})
		}
		for range x.stores {
			var lines [][]byte
			for range x.lines {
				seq++
				lines = append(lines, []byte(exchangedLine(seq)))
			}
			do(sync.Store{At: protocol.Cursor{Epoch: x.epoch, Seq: uint64(seq)}, Lines: lines})
		}
		if x.back > 0 {
			do(sync.Rewind{At: protocol.Cursor{Epoch: x.epoch + 1, Seq: uint64(seq - x.back)}})
			var lines [][]byte
			for n := seq - x.back; n < seq; n++ {
				lines = append(lines, []byte(exchangedLine(n+1)))
			}
			do(sync.Store{At: protocol.Cursor{Epoch: x.epoch + 1, Seq: uint64(seq)}, Lines: lines})
		}
		if x.state {
			if err := session.SaveState(protocol.Cursor{Epoch: x.epoch, Seq: uint64(seq)}, fmt.Appendf(nil, `{"seq":%d,"title":"é"}`, seq)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// exchangeLogs stores the logs of protocol/testdata, half of each in either half, with the states that follow: the second half goes on from the state that the first has left.
func exchangeLogs(t *testing.T, folder *Folder) {
	t.Helper()
	const logs = "../../../protocol/testdata/logs/"
	names, err := filepath.Glob(logs + "*.ndjson")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d logs, %v", len(names), err)
	}
	for n, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		session, found, err := folder.Session(fmt.Sprintf("0198c5a2-7d1e-7c3f-9a51-6f2b8d4e%04x", n))
		if err != nil {
			t.Fatal(err)
		}
		state := new(protocol.SessionState)
		mine := lines[:len(lines)/2]
		if *half == 2 {
			mine = lines[len(lines)/2:]
			before, err := session.State()
			if err == nil {
				err = state.UnmarshalJSON(before)
			}
			if err != nil || found.Checkpoint == nil || found.Checkpoint.Seq != state.Seq || !bytes.Equal(state.AppendJSON(nil), before) {
				t.Fatalf("%s: the state is %s, %v", name, before, err)
			}
		}
		for _, line := range mine {
			e, err := protocol.Decode(line)
			if err != nil {
				t.Fatal(err)
			}
			state.Apply(&e)
		}
		at := protocol.Cursor{Epoch: 1, Seq: state.Seq}
		if err := session.Do(sync.Store{At: at, Lines: mine}); err != nil {
			t.Fatal(err)
		}
		if err := session.SaveState(at, state.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
}

func exchangedLine(seq int) string {
	return fmt.Sprintf(`{"seq":%d,"ts":1767225600000,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"é€😀 %d"}}`, seq, seq)
}

// readAll reads what a machine would show of a cache that is whole.
func readAll(t *testing.T, session *Session, found sync.Open) (lines []string) {
	t.Helper()
	var machine sync.State
	for _, e := range machine.Step(found, 0) {
		if _, is := e.(sync.Read); !is {
			continue
		}
		for line, err := range session.Lines(sync.Read{}) {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line.Bytes))
		}
	}
	return lines
}
