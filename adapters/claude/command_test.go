package claude

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Ids are unique on the connection: those of a sub-agent name it. An answer is taken once.
func TestControlRequests(t *testing.T) {
	var out adapters.Output
	main, child := calls{open: map[string]sentControl{}}, calls{child: "t1", open: map[string]sentControl{}}
	for _, c := range []*calls{&main, &child} {
		c.ask(sentControl{kind: "interrupt"}, interrupt{Subtype: "interrupt"}, &out)
	}
	for i, id := range []string{`"rm-1"`, `"rm-t1-1"`} {
		if !strings.Contains(string(out.Lines[i]), id) {
			t.Errorf("no %s in %s", id, out.Lines[i])
		}
	}
	if !main.interrupting() {
		t.Error("an interrupt was sent")
	}
	if main.take("rm-1").kind != "interrupt" || main.take("rm-1") != (sentControl{}) || main.interrupting() {
		t.Error("an answer is taken twice")
	}
	main.sent("x", []byte(`{"subtype":"set_model"}`))
	if c := main.take("x"); c.kind != "set_model" || !c.theirs || c.setting != "" {
		t.Errorf("of somebody else: %+v", c)
	}
	for i := range 3 * maxControls {
		main.remember(strconv.Itoa(i), sentControl{})
	}
	if len(main.open) > maxControls {
		t.Errorf("%d are remembered", len(main.open))
	}
}
