package call

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// encodedBy gives what encoded makes of a result of a revision.
func encodedBy(t *testing.T, revision string, in sdk.Result) sdk.Result {
	t.Helper()
	h := Encoded(func(context.Context, string, sdk.Request) (sdk.Result, error) { return in, nil })
	params := &sdk.CallToolParamsRaw{}
	params.SetMeta(map[string]any{sdk.MetaKeyProtocolVersion: revision})
	out, err := h(t.Context(), "tools/call", &sdk.CallToolRequest{Params: params})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func asJSON(t *testing.T, v any) (out map[string]any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEncoded: a result means on the wire what the SDK's own type means.
func TestEncoded(t *testing.T) {
	out := map[string]any{"text": "<b> \"a\" & b\u2028\n", "n": 1, "list": []string{}}
	raw, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{"2025-11-25", ModernVersion} {
		want := asJSON(t, &sdk.CallToolResult{StructuredContent: json.RawMessage(raw), Content: []sdk.Content{&sdk.TextContent{Text: string(raw)}}})
		if revision == ModernVersion {
			want["resultType"] = "complete"
		}
		if got := asJSON(t, encodedBy(t, revision, &sdk.CallToolResult{StructuredContent: Answer{out: out}})); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", revision, got, want)
		}
	}
}

// TestEncodedLeavesAlone what is no answer of a tool of ours.
func TestEncodedLeavesAlone(t *testing.T) {
	for name, in := range map[string]sdk.Result{
		"an error":              Failed(errors.New("no")),
		"a tool of a caller":    &sdk.CallToolResult{StructuredContent: map[string]any{"a": 1}},
		"another method":        &sdk.ListToolsResult{},
		"a result that is none": (*sdk.CallToolResult)(nil),
	} {
		if got := encodedBy(t, ModernVersion, in); got != in {
			t.Errorf("%s: %v", name, got)
		}
	}
}
