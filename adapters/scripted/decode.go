package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"syscall"
)

// maxDepth bounds how deep branches nest.
const maxDepth = 32

func parseSteps(data json.RawMessage, where string) ([]Step, error) {
	return parseList(data, where, 0)
}

func parseList(data json.RawMessage, where string, depth int) ([]Step, error) {
	if len(data) == 0 {
		return nil, nil
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("script: %s: nested deeper than %d", where, maxDepth)
	}
	var list []json.RawMessage
	if err := strict(data, &list); err != nil {
		return nil, fmt.Errorf("script: %s: %w", where, err)
	}
	steps := make([]Step, 0, len(list))
	for i, raw := range list {
		s, err := parseStep(raw, fmt.Sprintf("%s[%d]", where, i), depth)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// parseStep reads {"NAME": {…}}.
func parseStep(data json.RawMessage, where string, depth int) (Step, error) {
	var one map[string]json.RawMessage
	if err := json.Unmarshal(data, &one); err != nil {
		return nil, fmt.Errorf("script: %s: %w", where, err)
	}
	if len(one) != 1 {
		return nil, fmt.Errorf("script: %s: a step is an object with one member, its name", where)
	}
	for name, body := range one {
		s, err := decodeStep(name, body, where+"."+name, depth)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	panic("unreachable")
}

func decodeStep(name string, body json.RawMessage, where string, depth int) (Step, error) {
	switch name {
	case "say":
		return decode[Say](body, where)
	case "think":
		return decode[Think](body, where)
	case "tool":
		return decodeTool(body, where, depth)
	case "mcp":
		return decodeMCP(body, where)
	case "ask":
		return decodeAsk(body, where, depth)
	case "retry":
		return decode[Retry](body, where)
	case "compact":
		return decode[Compact](body, where)
	case "fail":
		return decode[Fail](body, where)
	case "wait":
		return decode[Wait](body, where)
	case "raw":
		return decode[Raw](body, where)
	case "usage":
		return decode[Usage](body, where)
	case "slow":
		return decode[Slow](body, where)
	case "stall":
		return decode[Stall](body, where)
	case "die":
		d, err := decode[Die](body, where)
		if _, known := signals[d.Signal]; err == nil && d.Signal != "" && !known {
			err = fmt.Errorf("script: %s: unknown signal %q", where, d.Signal)
		}
		return d, err
	case "giant":
		g, err := decode[Giant](body, where)
		return g, limit(err, where, g.Bytes, math.MaxInt64)
	case "garbage":
		g, err := decode[Garbage](body, where)
		return g, limit(err, where, g.Bytes, math.MaxInt64)
	case "flood":
		f, err := decode[Flood](body, where)
		return f, limit(err, where, int64(f.Size), 1<<20)
	case "ignore":
		i, err := decode[Ignore](body, where)
		if err == nil {
			err = checkIgnore(i.What)
		}
		return i, err
	case "stderr":
		return decode[Stderr](body, where)
	case "spawn":
		return decode[Spawn](body, where)
	}
	return nil, fmt.Errorf("script: %s: unknown step", where)
}

func limit(err error, where string, n, most int64) error {
	if err == nil && (n < 0 || n > most) {
		return fmt.Errorf("script: %s: %d is not between 0 and %d", where, n, most)
	}
	return err
}

func decode[T any](body json.RawMessage, where string) (T, error) {
	var t T
	if err := strict(body, &t); err != nil {
		return t, fmt.Errorf("script: %s: %w", where, err)
	}
	return t, nil
}

func decodeTool(body json.RawMessage, where string, depth int) (Step, error) {
	w, err := decode[struct {
		Tool
		Allowed json.RawMessage `json:"allowed"`
		Denied  json.RawMessage `json:"denied"`
	}](body, where)
	if err != nil {
		return nil, err
	}
	t := w.Tool
	if t.Name == "" {
		return nil, fmt.Errorf("script: %s: a tool needs a name", where)
	}
	if len(t.Args) == 0 {
		t.Args = json.RawMessage("{}")
	}
	if t.Allowed, err = parseList(w.Allowed, where+".allowed", depth+1); err != nil {
		return nil, err
	}
	t.Denied, err = parseList(w.Denied, where+".denied", depth+1)
	return t, err
}

func decodeMCP(body json.RawMessage, where string) (Step, error) {
	m, err := decode[MCP](body, where)
	if err == nil && m.Tool == "" {
		err = fmt.Errorf("script: %s: the tool's name is missing", where)
	}
	if len(m.Args) == 0 {
		m.Args = json.RawMessage("{}")
	}
	return m, err
}

func decodeAsk(body json.RawMessage, where string, depth int) (Step, error) {
	w, err := decode[struct {
		Ask
		Then json.RawMessage `json:"then"`
		Else json.RawMessage `json:"else"`
	}](body, where)
	if err != nil {
		return nil, err
	}
	a := w.Ask
	switch a.Method {
	case "confirm", "select", "input", "editor":
	default:
		return nil, fmt.Errorf("script: %s: method %q is not one of confirm, select, input, editor", where, a.Method)
	}
	if a.Then, err = parseList(w.Then, where+".then", depth+1); err != nil {
		return nil, err
	}
	a.Else, err = parseList(w.Else, where+".else", depth+1)
	return a, err
}

var signals = map[string]syscall.Signal{
	"KILL": syscall.SIGKILL,
	"TERM": syscall.SIGTERM,
	"SEGV": syscall.SIGSEGV,
	"ABRT": syscall.SIGABRT,
	"HUP":  syscall.SIGHUP,
}

func strict(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("something follows the JSON value")
	}
	return nil
}

func checkIgnore(what []string) error {
	for _, w := range what {
		switch w {
		case ignoreStdin, ignoreTerm, ignoreAbort:
		default:
			return fmt.Errorf("ignore: %q is not one of stdin, term, abort", w)
		}
	}
	return nil
}
