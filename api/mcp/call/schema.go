package call

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// schemas are those of a tool. They are made once: the servers of agents share them.
type schemas struct {
	in, out *jsonschema.Schema
	form    *jsonschema.Resolved // names and types of in alone, which arguments are held against: values are the tools' to refuse
}

func schemasOf[In, Out any](lists map[string][]string) *schemas {
	form, err := schemaOf[In](nil).Resolve(nil)
	if err != nil {
		panic(err) // a type of this package
	}
	out := schemaOf[Out](lists)
	if _, once := any(new(In)).(keyed); once {
		out.Properties[replayed] = &jsonschema.Schema{
			Type: "boolean", Description: "true: the idempotency_key was used before, and nothing was done now. This is what was answered then",
		}
		out.PropertyOrder = append(out.PropertyOrder, replayed)
	}
	return &schemas{schemaOf[In](lists), out, form}
}

// schemaOf is the schema of a tool's input or output. Every list is there, if empty: "list or null" is not portable. Besides jsonschema,
// the description, members have the tags enum (values, or the name of one of the lists), minimum, maximum, maxLength and maxItems;
// without lists they are left out.
func schemaOf[T any](lists map[string][]string) *jsonschema.Schema {
	t := bare(reflect.TypeFor[T]())
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage]():   {Type: "object"},
		reflect.TypeFor[protocol.RawValue](): {Types: []string{"string", "object"}},
		reflect.TypeFor[AnyJSON]():           {},
		reflect.TypeFor[[]byte]():            {Type: "string", ContentEncoding: "base64"},
	}})
	if err != nil {
		panic(err) // a type of this package
	}
	plain(s)
	if lists != nil {
		bound(s, t, lists)
		explain(s, lists)
	}
	return s
}

func bare(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 {
		t = t.Elem()
	}
	return t
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

// bound puts what the tags of a struct's members say into the schema of the struct.
func bound(s *jsonschema.Schema, t reflect.Type, lists map[string][]string) {
	if t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil || f.Anonymous {
			continue
		}
		limit(p, f.Tag, lists)
		inner := p
		for inner.Items != nil {
			inner = inner.Items
		}
		if inner.Properties != nil {
			bound(inner, bare(f.Type), lists)
		}
	}
}

func limit(p *jsonschema.Schema, tag reflect.StructTag, lists map[string][]string) {
	number := func(key string) *float64 {
		text, ok := tag.Lookup(key)
		if !ok {
			return nil
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(err) // a tag of this package
		}
		return &n
	}
	whole := func(key string) *int {
		if n := number(key); n != nil {
			return new(int(*n))
		}
		return nil
	}
	p.Minimum, p.Maximum, p.MaxLength, p.MaxItems = number("minimum"), number("maximum"), whole("maxLength"), whole("maxItems")
	words, ok := tag.Lookup("enum")
	if !ok {
		return
	}
	if p.Items != nil {
		p = p.Items
	}
	enumerate(p, words, lists)
}

// enumerate makes a closed list of words of a schema: those, or the list that they name.
func enumerate(p *jsonschema.Schema, words string, lists map[string][]string) {
	values := strings.Split(words, ",")
	if list, named := lists[words]; named {
		values = list
	}
	for _, v := range values {
		p.Enum = append(p.Enum, v)
	}
}

// read takes the arguments of a call.
func (s *schemas) read(raw json.RawMessage, in any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	var v any
	err := json.Unmarshal(raw, &v)
	if err == nil {
		err = s.form.Validate(v)
	}
	if err == nil {
		err = json.Unmarshal(raw, in)
	}
	if err == nil {
		return nil
	}
	why := strings.NewReplacer("validating root: ", "", "validating /properties/", "").Replace(err.Error())
	what := fmt.Sprintf("The arguments are not those of the tool: %s.", protocol.Head(why, maxWhy))
	return problem.Invalid(what, "tools/list has its input schema, with names and types.")
}

const maxWhy = 400 // bytes: what does not fit may be long

// AnyJSON is a value of any kind, as it came; nil: there is none.
type AnyJSON []byte

// UnmarshalJSON takes the value as it is.
func (v *AnyJSON) UnmarshalJSON(b []byte) error {
	*v = append(AnyJSON{}, b...)
	return nil
}
