package codex

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestHandshakeIsFull: so many lines wait for a handshake; what comes then is answered.
func TestHandshakeIsFull(t *testing.T) {
	var h handshake
	var out adapters.Split
	for i := range maxSayings {
		if !h.send(saying{1, []byte(`{"id":"rm1:n1","method":"x"}`)}, &out) {
			t.Fatalf("no room for line %d", i)
		}
	}
	if h.send(saying{2, []byte(`{"id":"rm2:n9","method":"x"}`)}, &out) || len(out.Parts) != 1 || out.Parts[0].Lane != 2 ||
		string(out.Parts[0].Line) != `{"id":9,"error":`+string(notConnected)+`}` {
		t.Errorf("%+v", out)
	}
	if ids := h.unsay(1); len(ids) != maxSayings || ids[0] != "1" || len(h.waiting) != 0 {
		t.Errorf("%d lines are taken back, %d wait", len(ids), len(h.waiting))
	}
}

// TestHandshakeAnswer: only the answer to initialize counts, and the first one; after a loss the next handshake's does.
func TestHandshakeAnswer(t *testing.T) {
	var h handshake
	var out adapters.Split
	h.write("x", nil, &out)
	h.begin(&out)
	yes := &message{result: []byte("{}")}
	if h.answered([]byte("1"), yes, &out) || !h.answered([]byte("2"), yes, &out) || h.answered([]byte("2"), yes, &out) {
		t.Error("another answer than that to initialize")
	}
	h.lose()
	h.begin(&out)
	if h.answered([]byte("2"), yes, &out) || h.answered([]byte("3"), &message{fault: []byte("{}")}, &out) || h.answered([]byte("3"), yes, &out) || h.ready {
		t.Error("a refused handshake is done")
	}
}
