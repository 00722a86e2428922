package conformance

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// askedEdits says whether an approval of a change of a file has a diff that, applied to the file as it is, gives the file as it would be. An agent that names
// passages is told the whole file as one; of the end of a passage nobody can tell whether it is the end of the file.
func (w *witness) askedEdits(t testing.TB) {
	ask := w.suite.AsksEdit
	if ask == nil {
		return
	}
	asked := 0
	for _, pair := range edited {
		before, after := pair[0], pair[1]
		const cwd, path = "/work/space", "src/file.txt"
		lines := ask(cwd+"/"+path, before, after, Compare(before, after))
		if lines == nil || !strings.HasSuffix(before, "\n") || !strings.HasSuffix(after, "\n") {
			continue
		}
		asked++
		r := w.askedOnce(t, cwd, lines)
		if r == nil {
			continue
		}
		if r.Kind != protocol.RequestApproval || r.ToolKind != protocol.ToolEdit {
			t.Errorf("diff: a change of a file is asked for as %s of the kind %q", r.Kind, r.ToolKind)
		}
		if problem := askedDiffProblem(r, adapters.MaxText); problem != "" {
			t.Errorf("diff: %s", problem)
		}
		files, ok := diff.Read(r.Diff)
		if !ok || len(files) != 1 || files[0].Old != path && files[0].Old != "" || files[0].New != path && files[0].New != "" {
			t.Errorf("diff: asked to change %q into %q: %s", before, after, r.Diff)
			continue
		}
		if got, err := Patched(before, files[0].Hunks); err != nil || got != after {
			t.Errorf("diff: asked for, and applied to %q, it gives %q, %v, want %q:\n%s", before, got, err, after, r.Diff)
		}
	}
	if asked == 0 {
		t.Error("diff: the suite asks for no edit")
	}
}

// askedOnce is the request that an agent makes with some lines.
func (w *witness) askedOnce(t testing.TB, cwd string, lines []string) *protocol.RequestOpened {
	tr := w.suite.Agent.Translator(adapters.Spec{SessionID: "00000000-0000-4000-8000-000000000001", Program: "agent", Cwd: cwd})
	var out adapters.Output
	tr.Start(&out)
	for _, line := range lines {
		tr.Line([]byte(line), &out)
	}
	var found []*protocol.RequestOpened
	for _, d := range out.Drafts {
		if r, ok := d.(adapters.RequestOpened); ok {
			found = append(found, &r.Request)
		}
	}
	if len(found) != 1 {
		t.Errorf("diff: asking for an edit made %d requests", len(found))
		return nil
	}
	return found[0]
}
