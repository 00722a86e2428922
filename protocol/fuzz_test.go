package protocol_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func seeds(f *testing.F) [][]byte {
	f.Helper()
	paths, err := filepath.Glob("testdata/logs/*.ndjson")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no fixture logs: %v", err)
	}
	var all [][]byte
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// What is accepted is JSON to everybody else, has one encoding, and that encoding is accepted again.
func FuzzDecode(f *testing.F) {
	for _, log := range seeds(f) {
		for line := range bytes.Lines(log) {
			f.Add(line)
		}
	}
	f.Add([]byte(`{"seq":1,"ts":1,"type":"x","a":"\ud83d\ude00","b":[1e5,-0.0]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := protocol.Decode(line)
		if err != nil {
			return
		}
		if !json.Valid(line) {
			t.Fatalf("accepted, but no JSON: %q", line)
		}
		once := protocol.Append(nil, &e)
		if !json.Valid(once) || bytes.ContainsAny(once, "\n\r\u2028\u2029") {
			t.Fatalf("%q: encoded as %q", line, once)
		}
		back, err := protocol.Decode(once)
		if err != nil {
			t.Fatalf("%q: encoded as %q: %v", line, once, err)
		}
		if twice := protocol.Append(nil, &back); !bytes.Equal(once, twice) {
			t.Fatalf("%q:\nonce  %q\ntwice %q", line, once, twice)
		}
	})
}

// A stream gives the same frames however it is cut into reads, and never more than its limit.
func FuzzSSEReader(f *testing.F) {
	for _, log := range seeds(f) {
		var stream []byte
		for line := range bytes.Lines(log) {
			stream = protocol.AppendSSE(stream, protocol.Cursor{Epoch: 1, Seq: 7}, bytes.TrimSuffix(line, []byte("\n")))
		}
		f.Add(stream)
	}
	f.Add([]byte("\ufeffretry: 5\rid: 1\r\ndata: a\n\revent: x\ndata\n\n: c\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		const limit = 100
		read := func(r io.Reader) (all []byte) {
			sse := protocol.NewSSEReader(r, limit)
			for {
				frame, err := sse.Next()
				if err == io.EOF {
					return append(all, sse.LastEventID()...)
				}
				if err != nil {
					all = append(all, err.Error()...)
				}
				if len(frame.Data) > limit {
					t.Fatalf("%d bytes of data", len(frame.Data))
				}
				all = append(append(append(append(all, frame.ID...), '|'), frame.Data...), '\n')
			}
		}
		whole := read(bytes.NewReader(stream))
		if parts := read(iotest.OneByteReader(bytes.NewReader(stream))); !bytes.Equal(whole, parts) {
			t.Fatalf("%q:\nwhole %q\nparts %q", stream, whole, parts)
		}
	})
}

// A body gives the same lines however it is cut into reads, and never a line over the limit.
func FuzzNDJSON(f *testing.F) {
	for _, log := range seeds(f) {
		f.Add(log)
	}
	f.Add([]byte("\n\r\n{}\nx"))
	f.Fuzz(func(t *testing.T, body []byte) {
		const limit = 300
		read := func(r io.Reader) (all []byte) {
			lines := protocol.NewLineReader(r, limit)
			for {
				line, err := lines.Next()
				if err == io.EOF {
					return all
				}
				if err != nil {
					all = append(all, err.Error()...)
				}
				if len(line) > limit || bytes.IndexByte(line, '\n') >= 0 {
					t.Fatalf("line %q", line)
				}
				all = append(append(all, line...), '\n')
			}
		}
		whole := read(bytes.NewReader(body))
		if parts := read(iotest.OneByteReader(bytes.NewReader(body))); !bytes.Equal(whole, parts) {
			t.Fatalf("%q:\nwhole %q\nparts %q", body, whole, parts)
		}
	})
}

// Any events fold, in every view; the state's JSON reads back as the same state.
func FuzzFold(f *testing.F) {
	for _, log := range seeds(f) {
		f.Add(log)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var log []protocol.Event
		r := protocol.NewLineReader(bytes.NewReader(body), 0)
		for {
			e, err := r.Event()
			if err == io.EOF {
				break
			}
			if err == nil {
				log = append(log, e)
			}
		}
		views(log)
		state := fold(log).AppendJSON(nil)
		var back protocol.SessionState
		if err := json.Unmarshal(state, &back); err != nil {
			t.Fatalf("%q: %v", state, err)
		}
		if got := back.AppendJSON(nil); !bytes.Equal(got, state) {
			t.Fatalf("got  %q\nwant %q", got, state)
		}
	})
}
