package operation

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// maxBodyDepth bounds the nesting of a body.
const maxBodyDepth = 32

// strictJSON is the JSON of requests and answers. Where encoding/json alone would guess, a body is refused: a key twice,
// text that is no UTF-8, more after the value, deep nesting. Keys in another case are refused by huma's validation, which
// compares them exactly, as are unknown ones.
var strictJSON = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	},
	Unmarshal: func(data []byte, v any) error {
		if _, first := v.(*any); first { // huma reads every body twice: for validation, then into its struct
			if err := checkJSON(data); err != nil {
				return err
			}
		}
		return json.Unmarshal(data, v)
	},
}

var (
	errNotUTF8   = errors.New("the body is not UTF-8")
	errTwice     = errors.New("the body has a key twice")
	errTooDeep   = errors.New("the body is nested too deep")
	errMore      = errors.New("the body has more than one value")
	errNotJSON   = errors.New("the body is not JSON")
	errNotObject = errors.New("the body is not a JSON object")
)

// checkJSON goes through a body once. Its errors hold nothing of the body.
func checkJSON(data []byte) error {
	if !utf8.Valid(data) {
		return errNotUTF8
	}
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return errNotObject
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		keys map[string]struct{} // nil in an array
		key  bool                // a key comes next
	}
	var open []level
	for {
		tok, err := dec.Token()
		if err != nil {
			return errNotJSON
		}
		switch t := tok.(type) {
		case json.Delim:
			switch t {
			case '{':
				open = append(open, level{map[string]struct{}{}, true})
			case '[':
				open = append(open, level{})
			default:
				open = open[:len(open)-1]
				if len(open) == 0 {
					if _, err := dec.Token(); err != io.EOF {
						return errMore
					}
					return nil
				}
				open[len(open)-1].key = open[len(open)-1].keys != nil
			}
			if len(open) > maxBodyDepth {
				return errTooDeep
			}
			continue
		case string:
			if top := &open[len(open)-1]; top.key {
				if _, twice := top.keys[t]; twice {
					return errTwice
				}
				top.keys[t] = struct{}{}
				top.key = false
				continue
			}
		}
		open[len(open)-1].key = open[len(open)-1].keys != nil
	}
}
