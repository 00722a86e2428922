package document

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/api/schema"
)

// upgrade is the description as OpenAPI 3.2, which has words for bodies that are sequences: of lines, and of server-sent events.
func upgrade(latest []byte) ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(latest, &doc); err != nil {
		return nil, err
	}
	doc["openapi"] = "3.2.0"
	toNewer(doc["paths"])
	return json.Marshal(doc)
}

func toNewer(v any) {
	switch v := v.(type) {
	case map[string]any:
		if line, ok := v[schema.ItemSchema]; ok {
			v["itemSchema"] = line
			delete(v, schema.ItemSchema)
			delete(v, "schema")
		}
		if frames, ok := v[schema.EventStream].(map[string]any); ok {
			frames["itemSchema"] = frame(frames["schema"])
			delete(frames, "schema")
			delete(frames, "example") // of what is in the data of one
		}
		for _, x := range v {
			toNewer(x)
		}
	case []any:
		for _, x := range v {
			toNewer(x)
		}
	}
}

// frame is one server-sent event.
func frame(data any) map[string]any {
	text := func(doc string) map[string]any { return map[string]any{"type": "string", "description": doc} }
	body := text("What is said, as JSON in one line")
	body["contentMediaType"], body["contentSchema"] = "application/json", data
	return map[string]any{"type": "object", "required": []any{"data"}, "properties": map[string]any{
		"id": text("Where to go on after this frame: for Last-Event-ID"), "data": body,
	}}
}
