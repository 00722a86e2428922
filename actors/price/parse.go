package price

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Bounds of a price file.
const (
	MaxFile  = 1 << 20 // bytes
	maxNames = 4096
	maxName  = 256 // bytes
	maxRate  = 1e6 // US dollars for a million tokens
)

// FileError says what is wrong with a price file.
type FileError struct {
	Line int // from 1
	Text string
}

func (f *FileError) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.Text) }

// Form is what a price file looks like, for hints.
const Form = `it is JSON: {"MODEL": {"input": 1.25, "cachedInput": 0.125, "output": 10}}, in US dollars for a million tokens; * in MODEL stands for any text`

// parser reads a price file, token by token: a fault has the line on which it stands.
type parser struct {
	text []byte
	json *json.Decoder
	out  Table
	seen map[string]bool
}

// Parse reads a price file. An error is a *FileError.
func Parse(text []byte) (*Table, error) {
	p := &parser{text: text, json: json.NewDecoder(bytes.NewReader(text)), out: Table{named: map[string]Rate{}}, seen: map[string]bool{}}
	p.json.UseNumber()
	if err := p.object("the file", p.model); err != nil {
		return nil, err
	}
	if _, err := p.json.Token(); !errors.Is(err, io.EOF) {
		return nil, p.fault("there is something behind the end of the object")
	}
	slices.SortStableFunc(p.out.globs, func(a, b glob) int { return cmp.Compare(b.letters, a.letters) })
	return &p.out, nil
}

// model reads the rate of one model, or of all that a pattern fits.
func (p *parser) model(name string) error {
	switch {
	case name == "" || len(name) > maxName:
		return p.fault("the name of a model has 1 to %d bytes", maxName)
	case p.seen[name]:
		return p.fault("%q is there twice", name)
	case len(p.seen) == maxNames:
		return p.fault("there are more than %d models", maxNames)
	}
	p.seen[name] = true
	var r Rate
	members := map[string]*float64{"input": &r.Input, "cachedInput": &r.CachedInput, "output": &r.Output, "reasoningOutput": &r.ReasoningOutput}
	has := map[string]bool{}
	err := p.object(fmt.Sprintf("%q", name), func(member string) error {
		to := members[member]
		if to == nil {
			return p.fault("%q has the unknown member %q: want input, output, cachedInput and reasoningOutput", name, short(member))
		}
		if has[member] {
			return p.fault("%q has %s twice", name, member)
		}
		has[member] = true
		n, err := p.number()
		if err != nil {
			return p.fault("%s of %q is no number from 0 to %d", member, name, int(maxRate))
		}
		*to = n
		return nil
	})
	switch {
	case err != nil:
		return err
	case !has["input"] || !has["output"]:
		return p.fault("%q needs input and output", name)
	}
	if !has["cachedInput"] {
		r.CachedInput = r.Input
	}
	if !has["reasoningOutput"] {
		r.ReasoningOutput = r.Output
	}
	if parts := strings.Split(name, "*"); len(parts) > 1 {
		p.out.globs = append(p.out.globs, glob{parts, len(name) - len(parts) + 1, r})
	} else {
		p.out.named[name] = r
	}
	return nil
}

// object reads an object, and has each of its members read.
func (p *parser) object(what string, member func(name string) error) error {
	if t, err := p.json.Token(); err != nil || t != json.Delim('{') {
		return p.broken(err, what+" is no object")
	}
	for p.json.More() {
		t, err := p.json.Token()
		name, is := t.(string)
		if err != nil || !is {
			return p.broken(err, what+" has a member without a name")
		}
		if err := member(name); err != nil {
			return err
		}
	}
	_, err := p.json.Token() // the end of the object
	if err != nil {
		return p.broken(err, what+" does not end")
	}
	return nil
}

var errNumber = errors.New("no number")

func (p *parser) number() (float64, error) {
	t, err := p.json.Token()
	n, is := t.(json.Number)
	if err != nil || !is {
		return 0, errNumber
	}
	f, err := n.Float64()
	if err != nil || f < 0 || f > maxRate {
		return 0, errNumber
	}
	return f, nil
}

// broken is a fault of the text itself where there is one, else of what it means.
func (p *parser) broken(err error, meaning string) error {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return p.fault("%s", syntax.Error())
	}
	return p.fault("%s", meaning)
}

// fault is on the line that was read last.
func (p *parser) fault(format string, args ...any) error {
	at := min(int(p.json.InputOffset()), len(p.text))
	return &FileError{1 + bytes.Count(p.text[:at], []byte("\n")), fmt.Sprintf(format, args...)}
}

func short(s string) string { return s[:min(len(s), 64)] }
