package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/schema"
)

// object is a piece of a description, as JSON says it.
type object = map[string]any

// TestEverythingIsDescribed walks both descriptions whole: every schema, every member of every schema however deep, every
// parameter, header, body and answer says what it is. The failure says where the text belongs.
func TestEverythingIsDescribed(t *testing.T) {
	a := described(t)
	for name, text := range specsOf(t, a) {
		doc := readJSON(t, text)
		named, _ := dig(doc, "components", "schemas").(object)
		if len(named) < 50 {
			t.Fatalf("%s: %d schemas", name, len(named))
		}
		older := strings.Contains(name, "3.0")
		says := func(v any) bool {
			s, _ := v.(object)
			if text, _ := s["description"].(string); text != "" {
				return true
			}
			ref, _ := s["$ref"].(string) // which may have no text beside it in 3.0
			to, _ := named[strings.TrimPrefix(ref, schema.Prefix)].(object)
			text, _ := to["description"].(string)
			return older && text != ""
		}
		members := 0
		everySchema(doc, name, func(at string, s object) {
			members++
			if !says(s) {
				t.Errorf("%s has no description: %s", at, whereToDescribe(a, at))
			}
		})
		if members < 500 {
			t.Errorf("%s: only %d schemas were seen", name, members)
		}
		everyPart(doc, name, func(at string, part object) {
			if !says(part) {
				t.Errorf("%s has no description", at)
			}
		})
	}
}

// everySchema finds the schemas that have a name: those of the components, and the members of all schemas.
func everySchema(doc object, at string, found func(at string, s object)) {
	named, _ := dig(doc, "components", "schemas").(object)
	for _, name := range slices.Sorted(maps.Keys(named)) {
		found(at+" schema "+name, named[name].(object))
	}
	var walk func(v any, at string)
	walk = func(v any, at string) {
		switch v := v.(type) {
		case object:
			if members, ok := v["properties"].(object); ok && !strings.HasSuffix(at, ".properties") {
				for _, name := range slices.Sorted(maps.Keys(members)) {
					found(at+"."+name, members[name].(object))
				}
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				switch {
				case k == "example" || k == "examples" || k == "enum":
				case k == "properties" || k == "items" || k == "itemSchema" || k == "contentSchema" || k == "oneOf" || k == "schema" || k == "schemas":
					walk(v[k], at)
				default:
					walk(v[k], at+"."+k)
				}
			}
		case []any:
			for _, x := range v {
				walk(x, at)
			}
		}
	}
	walk(dig(doc, "components", "schemas"), at+" ")
	walk(doc["paths"], at+" ")
}

// everyPart finds the operations' parameters, bodies, answers and their headers.
func everyPart(doc object, at string, found func(at string, part object)) {
	everyOperation(doc, func(of string, op object) {
		of = at + " " + of
		found(of, op)
		params, _ := op["parameters"].([]any)
		for _, p := range params {
			found(of+" parameter "+p.(object)["name"].(string), p.(object))
		}
		if body, ok := op["requestBody"].(object); ok {
			found(of+" body", body)
		}
		for status, r := range op["responses"].(object) {
			found(of+" answer "+status, r.(object))
			headers, _ := r.(object)["headers"].(object)
			for name, h := range headers {
				found(of+" answer "+status+" header "+name, h.(object))
			}
		}
	})
}

func everyOperation(doc object, found func(at string, op object)) {
	for path, item := range doc["paths"].(object) {
		for method, op := range item.(object) {
			found(strings.ToUpper(method)+" "+path, op.(object))
		}
	}
}

// whereToDescribe finds the Go field behind "… Schema.member".
func whereToDescribe(a *API, at string) string {
	m := regexp.MustCompile(`(?:\.| schema )(\w+)(?:\.(\w+))?$`).FindStringSubmatch(at)
	if m == nil {
		return "it is made by hand: look for it in api/schema"
	}
	named, member := m[1], m[2]
	var typ reflect.Type
	for _, p := range schema.Payloads {
		if p := reflect.TypeOf(p).Elem(); named == p.Name()+"Event" {
			typ = p
		}
	}
	for _, list := range [][]reflect.Type{typesOf(schema.Deltas), typesOf(schema.EntryData)} {
		for _, c := range list {
			if c.Name() == named {
				typ = c
			}
		}
	}
	if typ == nil {
		typ = a.table.Schemas().TypeFromRef(schema.Prefix + named)
	}
	if typ == nil {
		return "it is made by hand: look for it in api/schema"
	}
	field, owner := "", typ
	for o, f := range schema.FieldsOf(typ) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == member {
			field, owner = f.Name, o
		}
	}
	switch {
	case member == "":
		return fmt.Sprintf("write a comment above the type %s in %s, then run go generate ./api", typ.Name(), fileOf(typ))
	case owner.PkgPath() == schema.ProtocolPath:
		return fmt.Sprintf("write a comment behind the field %s of %s in %s, then run go generate ./api", field, owner.Name(), fileOf(owner))
	}
	return fmt.Sprintf("give the field %s of %s in %s a tag doc:\"…\", then run go generate ./api", field, owner.Name(), fileOf(owner))
}

func typesOf[T any](list []T) (types []reflect.Type) {
	for _, v := range list {
		types = append(types, reflect.TypeOf(v).Elem())
	}
	return types
}

// fileOf names the file that declares a type.
func fileOf(t reflect.Type) string {
	dir := "../protocol"
	if t.PkgPath() != schema.ProtocolPath {
		dir = "."
	}
	files, _ := filepath.Glob(dir + "/*.go")
	below, _ := filepath.Glob(dir + "/*/*.go")
	files = append(files, below...)
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && strings.Contains(string(text), "\ntype "+t.Name()+" struct") {
			return filepath.ToSlash(filepath.Join("api", f))
		}
	}
	return t.PkgPath()
}

func readJSON(t *testing.T, text []byte) (doc object) {
	t.Helper()
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func dig(v any, path ...string) any {
	for _, k := range path {
		m, _ := v.(object)
		v = m[k]
	}
	return v
}
