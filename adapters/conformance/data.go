package conformance

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// dataProblem writes data as a part of an event and reads it back.
func dataProblem(kind protocol.EntryType, data protocol.EntryData, limit int) string {
	if data == nil {
		return "no data"
	}
	if want := protocol.NewEntryData(kind); fmt.Sprintf("%T", want) != fmt.Sprintf("%T", data) {
		return fmt.Sprintf("%T is not the data of %s", data, kind)
	}
	e := protocol.Event{Seq: 1, Payload: &protocol.EntryEnd{EntryID: "e", EntryType: kind, Data: data}}
	line := protocol.Append(nil, &e)
	back, err := protocol.Decode(line)
	if err != nil {
		return err.Error()
	}
	if again := protocol.Append(nil, &back); !bytes.Equal(line, again) {
		return fmt.Sprintf("reads back as %s", again)
	}
	for _, s := range texts(data) {
		if len(s) > limit {
			return "a text over the limit"
		}
	}
	if call, ok := data.(*protocol.ToolCallData); ok {
		cut := slices.ContainsFunc(call.Extra, func(m protocol.Member) bool { return m.Key == "diffTruncated" })
		if want := diff.Rewrite(call.Diff, ""); !cut && call.Diff != want {
			return fmt.Sprintf("the diff is not in the form of package diff, which is %q", want)
		}
	}
	return ""
}

// askedDiffProblem looks at the diff of a request.
func askedDiffProblem(r *protocol.RequestOpened, limit int) string {
	switch {
	case r.Diff == "" && (r.DiffTruncated || r.DiffBytes != 0):
		return "a diff that is cut, and none"
	case r.Diff == "":
	case r.Kind != protocol.RequestApproval:
		return "a diff of what changes no file"
	case len(r.Diff) > limit:
		return "a diff over the limit"
	case !strings.HasSuffix(r.Diff, "\n"):
		return "a diff whose last line is not whole"
	case !r.DiffTruncated && r.DiffBytes != 0, r.DiffTruncated && r.DiffBytes <= int64(len(r.Diff)):
		return fmt.Sprintf("a diff of %d bytes, of %d", len(r.Diff), r.DiffBytes)
	case !r.DiffTruncated && diff.Rewrite(r.Diff, "") != r.Diff:
		return fmt.Sprintf("the diff is not in the form of package diff, which is %q", diff.Rewrite(r.Diff, ""))
	case r.Said() == r.Text && len(r.Text) < limit-utf8.UTFMax:
		return "a text that does not end with the diff"
	}
	return ""
}

func texts(data protocol.EntryData) []string {
	switch d := data.(type) {
	case *protocol.MessageData:
		return []string{d.Text}
	case *protocol.ToolCallData:
		return []string{d.Arguments, d.Command, d.Output, d.Diff}
	case *protocol.ToolResultData:
		return []string{d.Output}
	case *protocol.ThinkingData:
		return append([]string{d.Text}, d.Summary...)
	case *protocol.PlanData:
		return []string{d.Text}
	case *protocol.CompactionData:
		return []string{d.Summary}
	case *protocol.SystemData:
		return []string{d.Text}
	case *protocol.UnknownData:
	}
	return nil
}
