package mcp

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// schemas are those of a tool. They are made once: the servers of agents share them, and what the SDK makes of them.
type schemas struct{ in, out *jsonschema.Schema }

// schemaOf is the schema of a tool's input or output. Every list is there, if empty: "list or null" is not portable.
func schemaOf[T any]() *jsonschema.Schema {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage]():    {Type: "object"},
		reflect.TypeFor[protocol.RawObject](): {Type: "object"},
		reflect.TypeFor[anyJSON]():            {},
		reflect.TypeFor[[]byte]():             {Type: "string", ContentEncoding: "base64"},
	}})
	if err != nil {
		panic(err) // a type of this package
	}
	plain(s)
	return s
}

// plain takes null out of the types.
func plain(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if i := slices.Index(s.Types, "null"); i >= 0 {
		s.Types = slices.Delete(s.Types, i, i+1)
		if len(s.Types) == 1 {
			s.Type, s.Types = s.Types[0], nil
		}
	}
	for _, p := range s.Properties {
		plain(p)
	}
	plain(s.Items)
	plain(s.AdditionalProperties)
}
