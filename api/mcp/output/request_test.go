package output_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A request shows its change once: as the diff, with the text for what is said beside it. A diff that the log has cut is marked, and so is one that is cut here.
func TestRequestDiff(t *testing.T) {
	const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	for name, c := range map[string]struct {
		text string
		cut  bool
		at   int
	}{
		"whole": {"To mend it.\n\n" + diff, false, 1000}, "cut in the log": {"To mend it.\n\n" + diff + "more", true, 1000}, "cut here": {"To mend it.\n\n" + diff, false, 20},
	} {
		r := output.RequestsOf([]protocol.RequestOpened{{RequestID: "r1", Title: "Edit?", Text: c.text, Diff: diff, DiffTruncated: c.cut}})[0]
		r.Shorten(c.at)
		var b strings.Builder
		r.Lines(&b)
		if r.Text != "To mend it." || !strings.HasPrefix(diff, strings.TrimSuffix(r.Diff, "…")) || r.Cut != (c.cut || c.at < len(diff)) {
			t.Errorf("%s: %+v", name, r)
		}
		if got := b.String(); strings.Count(got, "--- a/x") != 1 || !strings.Contains(got, "  To mend it.\n  --- a/x\n") || strings.Contains(got, "shortened") != r.Cut {
			t.Errorf("%s: %s", name, got)
		}
	}
}
