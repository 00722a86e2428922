package scripted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// Only the answer to the open dialog counts, and an abort waits for it.
func TestDialogIsAnswered(t *testing.T) {
	var said bytes.Buffer
	killed := make(chan struct{})
	out := &output{killed: killed, to: bufio.NewWriter(&said)}
	in := &input{killed: killed, lines: make(chan []byte, 4), out: out}
	in.hearing = in.lines
	d := dialogs{out: out, in: in, ids: newIDs(1)}
	aborts := false
	in.aborted = func() bool { return aborts && d.open == "" }
	in.command = func(line []byte) {
		c, _ := parseCommand(line)
		if c.Type == "abort" {
			aborts = true
			return
		}
		if c.Value != nil && *c.Value == "right" {
			c.ID = encode(d.open)
		}
		d.answer(c)
	}
	in.lines <- []byte(`{"type":"extension_ui_response","id":"another","value":"wrong"}`)
	in.lines <- []byte(`{"type":"extension_ui_response","value":"wrong"}`)
	in.lines <- []byte(`{"type":"extension_ui_response","value":"right"}`)
	r, err := d.ask(dialogRequest{Method: "input", Title: "What?"})
	if err != nil || r != (reply{value: "right"}) || d.open != "" {
		t.Errorf("%+v, %v", r, err)
	}
	in.lines <- []byte(`{"type":"abort"}`)
	in.lines <- []byte(`{"type":"extension_ui_response","value":"right","cancelled":true}`)
	if r, err = d.ask(dialogRequest{Method: "input"}); !errors.Is(err, errAborted) || !r.no {
		t.Errorf("with an abort: %+v, %v", r, err)
	}
	ids := map[string]bool{}
	for line := range bytes.Lines(said.Bytes()) {
		var q dialogRequest
		if json.Unmarshal(line, &q) != nil || q.Type != "extension_ui_request" {
			t.Errorf("said %s", line)
		}
		ids[q.ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("dialogs: %v", ids)
	}
}
