package schema

import (
	"github.com/danielgtaylor/huma/v2"
)

// SessionHeaders describes the headers that reading.SetHeaders sets.
func SessionHeaders() map[string]*huma.Param {
	zero := 0.0
	number := func(text string) *huma.Param {
		return &huma.Param{Description: text, Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &zero}}
	}
	return map[string]*huma.Param{
		"X-Session-Version": number("The seq of the newest event when the answer began"),
		"X-Session-Epoch":   number("The epoch of the log"),
		SourceHeader:        Source(),
	}
}

// SourceHeader says where an answer is from, and SourceCore that it is from Core.
const (
	SourceHeader = "X-Session-Source"
	SourceCore   = "core"
)

// Source describes SourceHeader.
func Source() *huma.Param {
	return &huma.Param{
		Description: "core: another node has the session, or none, and this is what Core has of it; absent: this node has it",
		Schema:      &huma.Schema{Type: huma.TypeString, Enum: []any{SourceCore}},
	}
}
