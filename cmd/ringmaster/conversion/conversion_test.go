package conversion_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// logs splits the output of a conversion at each first event and checks that every log is well formed.
func logs(t *testing.T, out []byte) [][]protocol.Event {
	t.Helper()
	var all [][]protocol.Event
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, protocol.MaxEvent)
	for lines.Scan() {
		e, err := protocol.Decode(lines.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if e.Seq == 1 {
			all = append(all, nil)
		}
		if len(all) == 0 {
			t.Fatalf("the first event has seq %d", e.Seq)
		}
		last := &all[len(all)-1]
		*last = append(*last, e)
	}
	for _, l := range all {
		wellFormed(t, l)
	}
	return all
}

// wellFormed checks what every log promises: numbers without gaps, entries, turns and requests that end exactly once.
func wellFormed(t *testing.T, log []protocol.Event) {
	t.Helper()
	open := map[string]bool{}
	begin := func(id string) {
		if open[id] {
			t.Errorf("%s began twice", id)
		}
		open[id] = true
	}
	end := func(id string) {
		if !open[id] {
			t.Errorf("%s ended without a beginning", id)
		}
		delete(open, id)
	}
	for i, e := range log {
		if e.Seq != uint64(i)+1 || i > 0 && e.Time < log[i-1].Time {
			t.Fatalf("event %d has seq %d, ts %d", i+1, e.Seq, e.Time)
		}
		switch p := e.Payload.(type) {
		case *protocol.SessionStart:
			if i != 0 {
				t.Errorf("a second session_start at seq %d", e.Seq)
			}
		case *protocol.TurnStart:
			begin("turn " + p.TurnID)
		case *protocol.TurnEnd:
			end("turn " + p.TurnID)
		case *protocol.EntryStart:
			begin("entry " + p.EntryID)
		case *protocol.EntryEnd:
			end("entry " + p.EntryID)
		case *protocol.RequestOpened:
			begin("request " + p.RequestID)
		case *protocol.RequestResolved:
			end("request " + p.RequestID)
		}
	}
	for id := range open {
		t.Errorf("%s never ended", id)
	}
}

// The shared recordings are no part of the repository; where they lie beside it, each must give a well-formed log.
func TestSharedPiRecordings(t *testing.T) {
	files, _ := filepath.Glob("../../../../shared/recordings/pi/*.jsonl")
	old, _ := filepath.Glob("../../../../shared/recordings/pi/old-*/*.jsonl")
	n := 0
	for _, file := range append(files, old...) {
		name := filepath.Base(file)
		if strings.Contains(name, ".session") {
			continue
		}
		n++
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			stats, err := conversion.Convert(&out, bytes.NewReader(text), conversion.Options{Agent: pi.Agent{}, Name: name, Start: time.Unix(0, 0)})
			if err != nil {
				t.Fatal(err)
			}
			all := logs(t, out.Bytes())
			if len(all) != 1 || stats.Sessions != 1 || stats.Events != len(all[0]) {
				t.Errorf("%d logs, stats %+v", len(all), stats)
			}
			turns := 0
			for _, e := range all[0] {
				if e.Payload.Type() == protocol.TypeTurnStart {
					turns++
				}
			}
			if runs := bytes.Count(text, []byte(`"data":{"type":"agent_start"`)); turns == 0 && runs > 0 {
				t.Errorf("no turn, but %d runs", runs)
			}
		})
	}
	if n == 0 {
		t.Skip("no shared recordings here")
	}
}
