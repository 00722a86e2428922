package native

import (
	"encoding/json"
	"reflect"
	"strings"
)

// DecodeExact is Decode for what a model has written: a member counts by its exact name alone, as it does for the program that reads it.
// encoding/json would take "Command" for "command" as well, and the last of them. v is a pointer to a struct.
func DecodeExact(b []byte, v any) error { return exact(b, reflect.ValueOf(v).Elem()) }

func exact(b []byte, into reflect.Value) error {
	var members map[string]json.RawMessage
	if into.Kind() != reflect.Struct {
		return Decode(b, into.Addr().Interface())
	}
	if err := Decode(b, &members); err != nil {
		return err
	}
	for i := range into.NumField() {
		field := into.Field(i)
		name, _, _ := strings.Cut(into.Type().Field(i).Tag.Get("json"), ",")
		raw, is := members[name]
		switch {
		case !is:
		case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			var list []json.RawMessage
			_ = Decode(raw, &list)
			field.Set(reflect.MakeSlice(field.Type(), len(list), len(list)))
			for j, one := range list {
				_ = exact(one, field.Index(j))
			}
		default:
			_ = exact(raw, field)
		}
	}
	return nil
}
