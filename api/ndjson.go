package api

import "github.com/danielgtaylor/huma/v2"

const (
	ndjsonType = "application/x-ndjson"

	// itemSchema says what one line is, for generators of OpenAPI 3.1 that know it. Version 3.2 has the word without the x.
	itemSchema = "x-itemSchema"
)

// ndjson is an answer of lines. Generated clients hand it on as bytes, so it is described as that: a client that took it for one
// value of JSON would be wrong.
func ndjson(line *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{ndjsonType: {
		Schema:     &huma.Schema{Type: huma.TypeString, Format: "binary"},
		Extensions: map[string]any{itemSchema: line},
	}}
}
