package raw

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// dir says where a line went.
type dir uint8

const (
	dirOut dir = iota
	dirIn
	dirErr
	dirMeta
	dirNote
)

var dirs = [...]string{dirOut: "out", dirIn: "in", dirErr: "err", dirMeta: "meta", dirNote: "note"}

// item is one record.
type item struct {
	dir         dir
	last        bool // of its connection
	incarnation uint32
	batch       uint64
	time        int64 // Unix ms
	end         int   // of its text
}

// appendRecord adds a record with its newline.
func appendRecord(b []byte, it *item, text []byte) []byte {
	b = append(b, `{"t_ms":`...)
	b = strconv.AppendInt(b, it.time, 10)
	b = append(b, `,"dir":"`...)
	b = append(b, dirs[it.dir]...)
	b = append(b, `","incarnation":`...)
	b = strconv.AppendUint(b, uint64(it.incarnation), 10)
	if it.batch != 0 {
		b = append(b, `,"batch":`...)
		b = strconv.AppendUint(b, it.batch, 10)
	}
	b = append(b, `,"data":`...)
	b = appendData(b, it.dir, text)
	return append(b, '}', '\n')
}

// appendData adds a line as it is where it is a JSON object, else as a JSON string.
func appendData(b []byte, d dir, text []byte) []byte {
	if d == dirIn {
		text = elide(text)
	}
	n := len(text)
	if d != dirErr && n > 1 && text[0] == '{' && text[n-1] == '}' && bytes.IndexByte(text, '\n') < 0 && json.Valid(text) {
		return append(b, text...)
	}
	quoted, err := json.Marshal(string(text))
	if err != nil {
		return append(b, `""`...) // cannot be: a string always encodes
	}
	return append(b, quoted...)
}

// Line is one record of an archive.
type Line struct {
	Number      uint64 // of the record in the session's archive, from 1
	Time        int64  // Unix ms
	Dir         string // out, in, err, meta, note
	Incarnation uint32
	Batch       uint64          // 0: the line made no drafts
	Data        json.RawMessage // the line, or a JSON string of it
	// Record is the whole record, without its newline. Like Data it is valid until the next line.
	Record []byte
}

// Native is the line as it was.
func (l *Line) Native() []byte {
	if len(l.Data) > 0 && l.Data[0] == '"' {
		var s string
		if json.Unmarshal(l.Data, &s) == nil {
			return []byte(s)
		}
	}
	return l.Data
}

// parse reads what appendRecord wrote; ok is false for anything else.
func parse(record []byte) (l Line, ok bool) {
	l.Record = record
	rest, ok := bytes.CutPrefix(record, []byte(`{"t_ms":`))
	if !ok {
		return l, false
	}
	var n uint64
	if n, rest, ok = number(rest); !ok {
		return l, false
	}
	l.Time = int64(n)
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"dir":"`)); !ok {
		return l, false
	}
	word, rest, ok := bytes.Cut(rest, []byte(`","incarnation":`))
	if l.Dir = word2dir(word); !ok || l.Dir == "" {
		return l, false
	}
	if n, rest, ok = number(rest); !ok {
		return l, false
	}
	l.Incarnation = uint32(n)
	if more, has := bytes.CutPrefix(rest, []byte(`,"batch":`)); has {
		if l.Batch, rest, ok = number(more); !ok {
			return l, false
		}
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"data":`)); !ok {
		return l, false
	}
	if rest, ok = bytes.CutSuffix(rest, []byte("}")); !ok || !json.Valid(rest) {
		return l, false
	}
	l.Data = json.RawMessage(rest)
	return l, true
}

func word2dir(word []byte) string {
	for _, d := range dirs {
		if string(word) == d {
			return d
		}
	}
	return ""
}

// number reads the digits at the front.
func number(b []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for i < len(b) && i < 20 && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	n, err := strconv.ParseUint(string(b[:i]), 10, 64)
	return n, b[i:], err == nil
}
