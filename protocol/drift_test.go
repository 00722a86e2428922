package protocol

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"
)

// The json tags serve schema generators and readers of the code; the coder serves the wire. Every struct must say the
// same in both: same keys, same order, same members left out when empty.
// Proves: 002.4.5/members
func TestTagsAgreeWithCoder(t *testing.T) {
	objects := []coded{
		new(Metadata), new(Policy), new(PolicyRule), new(Prompt), new(PlanStep), new(Option), new(Question), new(Usage), new(Cost),
		new(SessionState), new(TurnState), new(EntryState), new(RequestState), new(QueuedPrompt), new(ChildState), new(UsageTotals), new(Spent),
	}
	for _, typ := range Types() {
		objects = append(objects, newPayload(typ))
	}
	for _, typ := range entryTypes {
		objects = append(objects, NewEntryData(typ))
	}
	for op := range deltaOps {
		objects = append(objects, newDelta(op))
	}
	for _, o := range objects {
		name := reflect.TypeOf(o).Elem().Name()
		t.Run(name, func(t *testing.T) {
			empty := reflect.New(reflect.TypeOf(o).Elem())
			compareKeys(t, "empty", empty)
			full := reflect.New(reflect.TypeOf(o).Elem())
			fill(full.Elem(), 0)
			compareKeys(t, "full", full)
		})
	}
}

var entryTypes = []EntryType{
	EntryUserMessage, EntryAssistantMessage, EntryThinking, EntryToolCall, EntryToolResult, EntryPlan, EntryCompaction, EntrySystem,
}

func compareKeys(t *testing.T, what string, v reflect.Value) {
	t.Helper()
	c := newCoder()
	defer c.release()
	c.write(v.Interface().(coded))
	var got []string
	for _, f := range split(nil, c.out) {
		got = append(got, string(f.key))
	}
	want := taggedKeys(t, v.Elem())
	if !slices.Equal(got, want) {
		t.Errorf("%s: the coder writes %v, the tags say %v", what, got, want)
	}
}

// taggedKeys are the keys that encoding/json would write for a struct, in order.
func taggedKeys(t *testing.T, v reflect.Value) []string {
	var keys []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Anonymous {
			keys = append(keys, taggedKeys(t, v.Field(i))...)
			continue
		}
		// A struct of one field, so that encoding/json decides about omitempty.
		one := reflect.New(reflect.StructOf([]reflect.StructField{{Name: f.Name, Type: f.Type, Tag: f.Tag}})).Elem()
		one.Field(0).Set(v.Field(i))
		if f.Type.Kind() == reflect.Interface && v.Field(i).IsNil() {
			one.Field(0).Set(emptyOf(f.Type))
		}
		b, err := json.Marshal(one.Interface())
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, slices.Collect(maps.Keys(m))...)
	}
	return keys
}

func emptyOf(t reflect.Type) reflect.Value {
	if t == reflect.TypeFor[Delta]() {
		return reflect.ValueOf(new(TextAppend))
	}
	return reflect.ValueOf(new(UnknownData))
}

// fill gives every exported field a value that is not empty.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]byte]() {
			v.SetBytes([]byte(`{}`))
		} else if v.Type() != reflect.TypeFor[[]Member]() && depth < 4 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"a": "b"}))
	case reflect.Interface:
		v.Set(emptyOf(v.Type()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth)
			}
		}
	}
}
