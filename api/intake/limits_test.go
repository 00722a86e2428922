package intake

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestJSONLimits: what costs a decoder more than its bytes say is refused, however it comes in pieces; text is not looked into.
func TestJSONLimits(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat("0,", n) + "0]" }
	object := func(n int) string { return "{" + strings.Repeat(`"k":0,`, n-1) + `"k":0}` }
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, c := range map[string]struct {
		text    string
		allowed bool
	}{
		"nothing":                 {``, true},
		"a prompt":                {`{"text":"hello","images":[]}`, true},
		"text that looks like it": {`{"text":"` + strings.Repeat(`[{,\"`, maxValues) + `"}`, true},
		"as deep as may be":       {nested(maxDepth), true},
		"deeper":                  {nested(maxDepth + 1), false},
		"many lists side by side": {"[" + strings.Repeat("[],", maxValues/2-1) + "0]", true},
		"more of them":            {"[" + strings.Repeat("[],", maxValues) + "0]", false},
		"many numbers":            {list(maxValues - 1), true},
		"more numbers":            {list(maxValues), false},
		"many keys":               {object(maxKeys), true},
		"more keys":               {object(maxKeys + 1), false},
		"no JSON":                 {"]]}},,\\\"", true},
	} {
		for _, pieces := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
			var s limits
			if _, err := io.Copy(taker{&s}, pieces(strings.NewReader(c.text))); c.allowed != (err == nil) || err != nil && !errors.Is(err, errLimits) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

type taker struct{ *limits }

func (s taker) Write(p []byte) (int, error) { return len(p), s.take(p) }
