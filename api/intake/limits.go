package intake

import "errors"

// What a body of JSON may look like. A decoder takes many times a value's size for it, and the schemas' validation takes time for
// each key that it does not know: a body is bounded by its values, not only by its bytes.
const (
	maxDepth  = 64
	maxKeys   = 4096   // of one object
	maxValues = 50_000 // of all its lists and objects
)

var errLimits = errors.New("the body is nested too deep or has too many values")

// limits looks at a text of JSON piece by piece. It does not see whether it is well formed: that is for the decoder.
type limits struct {
	quoted  bool // inside of a string
	escaped bool // behind a backslash there
	values  int
	open    []container
}

type container struct {
	object  bool
	members int
}

func (s *limits) take(text []byte) error {
	for _, c := range text {
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted:
			s.escaped, s.quoted = c == '\\', c != '"'
		case c == '"':
			s.quoted = true
		case c == '{', c == '[':
			s.open = append(s.open, container{object: c == '{'})
			s.values++
		case (c == '}' || c == ']') && len(s.open) > 0:
			s.open = s.open[:len(s.open)-1]
		case c == ',' && len(s.open) > 0:
			s.values++
			if top := &s.open[len(s.open)-1]; top.object {
				top.members++
				if top.members >= maxKeys {
					return errLimits
				}
			}
		}
		if len(s.open) > maxDepth || s.values > maxValues {
			return errLimits
		}
	}
	return nil
}
