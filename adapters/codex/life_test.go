package codex

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestRelease: behind a loss the commands that waited come first, then the question for models, then the server's lines; all of it once.
func TestRelease(t *testing.T) {
	tr := newTranslator(adapters.Spec{NativeSessionID: "A"})
	var out adapters.Output
	tr.ready(&out)
	tr.offer.ask(&tr.link, &out)
	tr.lost("", &out)
	tr.Command(adapters.SetModel{ID: "1", Model: "m"}, &out)
	tr.reopened(&out)
	tr.Command(adapters.SetMode{ID: "2", Mode: "plan"}, &out)
	tr.Line([]byte(`{"method":"turn/started","params":{"threadId":"A","turn":{"id":"1"}}}`), &out)
	out = adapters.Output{}
	tr.Line([]byte(`{"id":"t2","result":{"thread":{"id":"A","status":{"type":"idle"}}}}`), &out)
	if got := lines(&out); got != "thread/settings/update \nthread/settings/update \nmodel/list \n" {
		t.Errorf("sent %q", got)
	}
	if _, ok := out.Drafts[len(out.Drafts)-1].(adapters.TurnBegan); !ok || !tr.turn.started {
		t.Errorf("the line that waited is lost: %+v", out.Drafts)
	}
	out = adapters.Output{}
	if tr.release(&out); len(out.Drafts)+len(out.Lines) != 0 {
		t.Errorf("released twice: %+v", out)
	}
}

// TestLostTwice: the second word of a loss says nothing; commands that were under way come before those that waited.
func TestLostTwice(t *testing.T) {
	tr := newTranslator(adapters.Spec{NativeSessionID: "A"})
	var out adapters.Output
	tr.ready(&out)
	tr.Command(adapters.SetModel{ID: "1", Model: "m"}, &out)
	tr.lost("", &out)
	tr.Command(adapters.SetModel{ID: "2", Model: "n"}, &out)
	n := len(out.Drafts)
	if tr.lost("", &out); len(out.Drafts) != n {
		t.Errorf("said again: %+v", out.Drafts[n:])
	}
	if len(tr.late) != 2 || tr.late[0].(adapters.SetModel).ID != "1" {
		t.Errorf("%+v waits", tr.late)
	}
}
