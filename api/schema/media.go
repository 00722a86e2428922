package schema

import "github.com/danielgtaylor/huma/v2"

// The media types of logs.
const (
	EventStream = "text/event-stream"
	NDJSONType  = "application/x-ndjson"

	// ItemSchema says what one line is, for generators of OpenAPI 3.1 that know it. Version 3.2 has the word without the x.
	ItemSchema = "x-itemSchema"
)

// NDJSON is an answer of lines. Generated clients hand it on as bytes, so it is described as that: a client that took it for one
// value of JSON would be wrong.
func NDJSON(line *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{NDJSONType: {
		Schema:     &huma.Schema{Type: huma.TypeString, Format: "binary"},
		Extensions: map[string]any{ItemSchema: line},
	}}
}
