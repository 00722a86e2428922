package protocol_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"pgregory.net/rapid"
)

// What bounds a page of items bounds its bytes: no item of any type has more JSON than Size says, whatever its texts hold.
func TestSizeBoundsTheJSON(t *testing.T) {
	const id = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.Just(""), rapid.String())
		options := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) protocol.Option {
			return protocol.Option{ID: text.Draw(t, "id"), Label: text.Draw(t, "label"), Description: text.Draw(t, "description")}
		}), 0, 3)
		it := protocol.SessionEvent{
			Index: protocol.MaxSeq - 1, Seq: protocol.MaxSeq, Ts: 1767225660000, SessionID: rapid.SampledFrom([]string{"", id}).Draw(t, "session"),
			Type: rapid.SampledFrom(protocol.ItemTypes()).Draw(t, "type"), Text: text.Draw(t, "text"), ToolName: text.Draw(t, "tool"),
			TurnID: "t4294967295", PromptID: "p4294967295", EntryID: "e4294967295.4294967295", Truncated: true, Bytes: math.MaxInt32,
		}
		switch it.Type {
		case protocol.ItemStatus:
			it.State = protocol.StateAwaitingApproval
		case protocol.ItemDelta, protocol.ItemMessage:
			it.Role, it.EntrySeq = "assistant", protocol.MaxSeq
		case protocol.ItemCompletion, protocol.ItemError:
			it.Role, it.Outcome, it.Reason = "assistant", protocol.ItemInterrupted, protocol.CauseDaemon
		case protocol.ItemToolCall, protocol.ItemToolResult:
			it.CallID, it.IsError = text.Draw(t, "call"), true
			b, err := json.Marshal(text.Draw(t, "arguments"))
			if err != nil {
				t.Fatal(err)
			}
			it.Arguments = protocol.RawValue(b)
		case protocol.ItemRequest, protocol.ItemCallerTool:
			it.RequestID, it.Asker, it.Deadline = "r4294967295.4294967295@"+id, id, math.MaxInt64>>11
			it.Kind, it.ToolKind, it.Subject, it.Tool = protocol.RequestElicitation, protocol.ToolExecute, text.Draw(t, "subject"), text.Draw(t, "own")
			it.Options = options.Draw(t, "options")
			it.Questions = []protocol.Question{{
				Text: text.Draw(t, "question"), Header: text.Draw(t, "header"), Prefill: text.Draw(t, "prefill"), Multiple: true, FreeText: true,
				Options: options.Draw(t, "answers"),
			}}
		case protocol.ItemRequestResolved:
			it.RequestID, it.By = "r1", text.Draw(t, "by")
		default:
		}
		b, err := json.Marshal(it)
		if err != nil {
			t.Fatal(err)
		}
		if size := it.Size(); len(b) > size {
			t.Fatalf("%d bytes, and the size is said to be %d: %s", len(b), size, b)
		}
	})
}
