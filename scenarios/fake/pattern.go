package fake

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strings"
)

// names are what $names have taken, as values of JSON.
type names map[string]any

var name = regexp.MustCompile(`\$[a-z][a-zA-Z0-9]*`)

// match says whether a line is as a pattern; then taken has what its names took.
func match(want any, line []byte, have names) (taken names, ok bool) {
	var got any
	if json.Unmarshal(line, &got) != nil {
		return nil, false
	}
	taken = maps.Clone(have)
	return taken, same(want, got, taken)
}

func same(want, got any, have names) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return false
		}
		for k, v := range w {
			if x, there := g[k]; !there || !same(v, x, have) {
				return false
			}
		}
		return true
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !same(w[i], g[i], have) {
				return false
			}
		}
		return true
	case string:
		if w != "" && name.FindString(w) == w {
			return have.take(w[1:], got)
		}
		g, ok := got.(string)
		return ok && like(have.inside(w), g)
	}
	return reflect.DeepEqual(want, got)
}

// take gives a name a value, or compares it with the one that it has.
func (n names) take(key string, got any) bool {
	if has, ok := n[key]; ok {
		return reflect.DeepEqual(has, got)
	}
	n[key] = got
	return true
}

// like compares with a text in which * stands for any other.
func like(want, got string) bool {
	first, rest, star := strings.Cut(want, "*")
	if !star {
		return want == got
	}
	if !strings.HasPrefix(got, first) {
		return false
	}
	for got = got[len(first):]; ; got = got[1:] {
		if like(rest, got) {
			return true
		}
		if got == "" {
			return false
		}
	}
}

// inside puts texts for the names inside a string. What is no name stays.
func (n names) inside(s string) string {
	return name.ReplaceAllStringFunc(s, func(m string) string {
		switch v := n[m[1:]].(type) {
		case nil:
			return m
		case string:
			return v
		default:
			return string(encode(v))
		}
	})
}

// fill makes the line to write. A name that stands for a value must have one.
func (n names) fill(line string) (string, error) {
	var missing error
	line = regexp.MustCompile(`"`+name.String()+`"`).ReplaceAllStringFunc(line, func(m string) string {
		v, ok := n[m[2:len(m)-1]]
		if !ok {
			missing = fmt.Errorf("nothing was taken for %s", m)
		}
		return string(encode(v))
	})
	line = name.ReplaceAllStringFunc(line, func(m string) string {
		switch v := n[m[1:]].(type) {
		case nil:
			return m
		case string:
			quoted := encode(v)
			return string(quoted[1 : len(quoted)-1])
		default:
			return string(encode(v))
		}
	})
	return line, missing
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("null") // what came from JSON cannot fail
	}
	return b
}

// arguments finds some arguments one behind the other.
func arguments(want, got []string, have names) bool {
	if len(want) == 0 {
		return true
	}
	for i := 0; i+len(want) <= len(got); i++ {
		taken, ok := maps.Clone(have), true
		for k, w := range want {
			ok = ok && same(w, got[i+k], taken)
		}
		if ok {
			maps.Copy(have, taken)
			return true
		}
	}
	return false
}
