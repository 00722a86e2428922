package sync_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// wireInput is an input as the fixtures write it: a type and the members that this type has.
type wireInput struct {
	Type         string          `json:"type"`
	Cached       bool            `json:"cached"`
	Index        *wireIndex      `json:"index"`
	File         wireFile        `json:"file"`
	Checkpoint   *wireCheckpoint `json:"checkpoint"`
	SaveEvery    uint64          `json:"saveEvery"`
	Size         int64           `json:"size"`
	Since        string          `json:"since"`
	MS           int64           `json:"ms"`
	Cursor       *string         `json:"cursor"`
	Seq          uint64          `json:"seq"`
	Line         string          `json:"line"`
	Epoch        uint64          `json:"epoch"`
	Oldest       uint64          `json:"oldest"`
	Common       uint64          `json:"common"`
	Reason       string          `json:"reason"`
	Code         protocol.Code   `json:"code"`
	Status       int             `json:"status"`
	RetryAfterMS int64           `json:"retryAfterMs"`
}

type wirePosition struct {
	Epoch  uint64 `json:"epoch"`
	Seq    uint64 `json:"seq"`
	Length int64  `json:"length"`
}

type wireCheckpoint struct {
	wirePosition
	Size int64 `json:"size"`
}

type wireIndex struct {
	wirePosition
	Sum uint32 `json:"sum"`
}

type wireFile struct {
	Length int64  `json:"length"`
	Whole  bool   `json:"whole"`
	Seq    uint64 `json:"seq"`
	Sum    uint32 `json:"sum"`
}

func kindOf(t *testing.T, text json.RawMessage) string {
	var w struct{ Type string }
	if err := json.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	return w.Type
}

func cursor(t *testing.T, text string) protocol.Cursor {
	c, err := protocol.ParseCursor(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func decodeInput(t *testing.T, text json.RawMessage) sync.Input {
	var w wireInput
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var at *protocol.Cursor
	if w.Cursor != nil {
		c := cursor(t, *w.Cursor)
		at = &c
	}
	switch w.Type {
	case "open":
		o := sync.Open{Cached: w.Cached, File: sync.File(w.File), SaveEvery: w.SaveEvery}
		if w.Index != nil {
			o.Index = &sync.Index{Epoch: w.Index.Epoch, Seq: w.Index.Seq, Length: w.Index.Length, Sum: w.Index.Sum}
		}
		if w.Checkpoint != nil {
			c := w.Checkpoint
			o.Checkpoint = &sync.Checkpoint{Epoch: c.Epoch, Seq: c.Seq, Length: c.Length, Size: c.Size}
		}
		if w.Since != "" {
			o.Since = cursor(t, w.Since)
		}
		return o
	case "saved":
		return sync.Saved{Size: w.Size}
	case "frame":
		return sync.Frame{At: *at, Seq: w.Seq, Line: []byte(w.Line)}
	case "heartbeat":
		return sync.Heartbeat{At: at}
	case "over":
		return sync.Over{At: *at}
	case "reset":
		return sync.Reset{Epoch: w.Epoch, Oldest: w.Oldest, Common: w.Common}
	case "gone":
		return sync.Gone{Deselected: w.Reason == "deselected"}
	case "refused":
		return sync.Refused{Code: w.Code}
	case "answer":
		return sync.Answer{
			Status: w.Status, RetryAfter: time.Duration(w.RetryAfterMS) * time.Millisecond, Epoch: w.Epoch, Oldest: w.Oldest, Common: w.Common,
		}
	case "retry":
		return sync.Retry{After: time.Duration(w.MS) * time.Millisecond}
	}
	plain := map[string]sync.Input{
		"tick": sync.Tick{}, "due": sync.Due{}, "wake": sync.Wake{}, "renew": sync.Renew{}, "moved": sync.Moved{}, "close": sync.Close{},
		"store_failed": sync.StoreFailed{}, "unreadable": sync.Unreadable{}, "connected": sync.Connected{}, "damage": sync.Damage{}, "lost": sync.Lost{},
	}
	in, known := plain[w.Type]
	if !known {
		t.Fatalf("there is no input %q", w.Type)
	}
	return in
}

// encodeEffect writes an effect as the fixtures do.
func encodeEffect(t *testing.T, e sync.Effect) json.RawMessage {
	var v any
	switch e := e.(type) {
	case sync.Connect:
		v = struct {
			Type  string `json:"type"`
			Since string `json:"since"`
		}{"connect", e.Since.String()}
	case sync.Disconnect:
		v = bare("disconnect")
	case sync.Wait:
		v = struct {
			Type string `json:"type"`
			MS   int64  `json:"ms"`
		}{"wait", e.For.Milliseconds()}
	case sync.Cut:
		v = struct {
			Type   string `json:"type"`
			Length int64  `json:"length"`
		}{"cut", e.Length}
	case sync.Read:
		v = struct {
			Type  string `json:"type"`
			From  int64  `json:"from"`
			After uint64 `json:"after"`
		}{"read", e.From, e.After}
	case sync.Store:
		lines := []string{}
		for _, line := range e.Lines {
			lines = append(lines, string(line))
		}
		v = struct {
			Type   string   `json:"type"`
			Cursor string   `json:"cursor"`
			Lines  []string `json:"lines"`
		}{"store", e.At.String(), lines}
	case sync.Save:
		v = struct {
			Type   string `json:"type"`
			Cursor string `json:"cursor"`
		}{"save", e.At.String()}
	case sync.Rewind:
		v = struct {
			Type   string `json:"type"`
			Cursor string `json:"cursor"`
		}{"rewind", e.At.String()}
	case sync.Drop:
		v = bare("drop")
	case sync.DropCheckpoint:
		v = bare("drop_checkpoint")
	case sync.Evict:
		v = bare("evict")
	case sync.Show:
		v = struct {
			Type   string `json:"type"`
			Cursor string `json:"cursor"`
			Line   string `json:"line"`
		}{"show", e.At.String(), string(e.Line)}
	case sync.Forget:
		v = bare("forget")
	case sync.Tell:
		v = struct {
			Type   string        `json:"type"`
			Notice sync.Notice   `json:"notice"`
			Code   protocol.Code `json:"code,omitempty"`
		}{"tell", e.Notice, e.Code}
	default:
		t.Fatalf("%T is not written", e)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func bare(kind string) any {
	return struct {
		Type string `json:"type"`
	}{kind}
}
