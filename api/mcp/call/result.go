package call

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Answer is what a tool of ours answers: structured content that is not encoded yet.
type Answer struct {
	out   any
	Plain bool // for a client that reads JSON in the text, and nothing else
}

// MarshalJSON is for the answer as part of something else.
func (a Answer) MarshalJSON() ([]byte, error) { return json.Marshal(a.out) }

// said is the answer as text: its own, or else its JSON.
func (a Answer) said() (text, error) {
	if w, ok := a.out.(Worded); ok && !a.Plain {
		return text(w.Words()), nil
	}
	return json.Marshal(a.out)
}

// Worded is an output with a text for models that are shown text alone: all that a model needs of it, and shorter than its JSON. Some hosts
// show their model the text, others the structured content, and none shows both.
type Worded interface{ Words() string }

// wireResult is the result of a tool that has answered: as structured content, and as text.
// sdk.CallToolResult encodes itself in pieces, each of which encoding/json then checks and copies three times: most of what a long answer
// costs.
type wireResult struct {
	sdk.ResultBase
	ResultType        string     `json:"resultType,omitempty"`
	Content           []wireText `json:"content"`
	StructuredContent any        `json:"structuredContent,omitempty"`
}

type wireText struct {
	Type string `json:"type"`
	Text text   `json:"text"`
}

// text is encoded without being copied to a string.
type text []byte

// MarshalText implements encoding.TextMarshaler.
func (t text) MarshalText() ([]byte, error) { return t, nil }

// Encoded sends what tools of ours answer. It must be outside of whatever looks at their results.
func Encoded(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		called, _ := res.(*sdk.CallToolResult)
		if err != nil || called == nil {
			return res, err
		}
		a, ok := called.StructuredContent.(Answer)
		if !ok {
			return res, nil
		}
		body, err := a.said()
		if err != nil {
			return nil, err
		}
		w := &wireResult{Content: []wireText{{"text", body}}}
		if !a.Plain {
			w.StructuredContent = a.out
		}
		if r, ok := req.(*sdk.CallToolRequest); ok && r.ProtocolVersion() >= ModernVersion {
			w.ResultType = "complete"
		}
		return w, nil
	}
}
