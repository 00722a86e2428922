package httpline

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Is says whether a line is one of this package.
func Is(line []byte) bool { return bytes.HasPrefix(line, []byte(Head)) }

// Event makes an agent's event a line that cannot be taken for one of this package.
func Event(data []byte) []byte {
	if Is(data) {
		return append([]byte{' '}, data...)
	}
	return data
}

// wire has the members of all three.
type wire struct {
	HTTP   string          `json:"http"`
	N      uint64          `json:"n"`
	After  int64           `json:"after"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Status int             `json:"status"`
	State  State           `json:"state"`
	Error  string          `json:"error"`
	Body   json.RawMessage `json:"body"`
}

// Parse reads a line; ok is false for one that is not of this package. The line is not kept.
func Parse(line []byte) (l Line, ok bool) {
	if !Is(line) {
		return nil, false
	}
	var w wire
	if json.Unmarshal(line, &w) != nil {
		return nil, false
	}
	switch w.HTTP {
	case "call":
		return &Call{N: w.N, AfterMs: max(0, w.After), Method: w.Method, Path: w.Path, Body: w.Body}, w.Method != "" && w.Path != ""
	case "answer":
		return &Answer{N: w.N, Status: w.Status, Body: w.Body, Error: w.Error}, w.Status != 0 || w.Error != ""
	case "stream":
		return &Stream{State: w.State, Path: w.Path, Error: w.Error}, w.State == Open || w.State == Lost
	}
	return nil, false
}

// heads begin the numbered lines up to their number.
var heads = [...][]byte{[]byte(Head + `call","n":`), []byte(Head + `answer","n":`)}

// Number gives the number of a call or an answer without reading more of it; ok is false for any other line, and for one
// that this package has not written.
func Number(line []byte) (n uint64, ok bool) {
	from, to, ok := number(line)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(string(line[from:to]), 10, 64)
	return n, err == nil
}

// Renumber gives a call or answer another number. A line without a number is given back as it is.
func Renumber(line []byte, n uint64) []byte {
	from, to, ok := number(line)
	if !ok {
		return line
	}
	out := make([]byte, 0, len(line)+8)
	out = strconv.AppendUint(append(out, line[:from]...), n, 10)
	return append(out, line[to:]...)
}

// number finds where the number of a line stands.
func number(line []byte) (from, to int, ok bool) {
	for _, head := range heads {
		if bytes.HasPrefix(line, head) {
			from = len(head)
			for to = from; to < len(line) && line[to] >= '0' && line[to] <= '9'; to++ {
			}
			return from, to, to > from
		}
	}
	return 0, 0, false
}
