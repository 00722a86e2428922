package native

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Decode reads a line or a part of one into v. Members of a wrong type stay zero: only what is no JSON at all is an error.
func Decode(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return nil
	}
	return err
}

// Compact is a raw JSON value as text, without white space; "" when there is none.
func Compact(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}
