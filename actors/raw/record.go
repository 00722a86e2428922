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

// form says what is kept of a line of the agent.
type form uint8

const (
	whole   form = iota // all of it
	begins              // all of it; the next one may be a change of it
	changed             // what it has other than the one before of its connection
)

// item is one record.
type item struct {
	dir         dir
	form        form
	last        bool // of its connection
	incarnation uint32
	batch       uint64
	time        int64 // Unix ms
	size        int   // bytes of the line
	end         int   // of what is kept of it, in the text of all
}

// appendRecord adds a record as clients read it, without a newline, and says where its data begins.
func appendRecord(b []byte, it *item, text []byte) (record []byte, data int) {
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
	data = len(b)
	return append(appendData(b, it.dir, text), '}'), data
}

// appendData adds a line as it is where it is a JSON object, else as a JSON string.
func appendData(b []byte, d dir, text []byte) []byte {
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

	native []byte // the line; nil: Data says it
}

// Native is the line as it was.
func (l *Line) Native() []byte {
	if l.native != nil {
		return l.native
	}
	if len(l.Data) > 0 && l.Data[0] == '"' {
		var s string
		if json.Unmarshal(l.Data, &s) == nil {
			return []byte(s)
		}
	}
	return l.Data
}

// Gone is why records are not there, as a note says it.
type Gone string

// The reasons.
const (
	GoneMissing Gone = "missing"     // it is known that there were some
	GoneDamaged Gone = "damaged"     // they cannot be read
	GoneAway    Gone = "unreachable" // they are in an object store that does not answer
)

// Missing stands for records that are not there: {"event":"missing"}.
func Missing(number uint64, why Gone) Line {
	return stated(number, &item{dir: dirNote}, encode(note{Event: string(why)}))
}

// TooLong stands for a record of so many bytes that is not kept: {"event":"line_too_long"}.
func TooLong(l *Line) Line {
	it := item{dir: dirNote, time: l.Time, incarnation: l.Incarnation, batch: l.Batch}
	return stated(l.Number, &it, encode(note{Event: eventTooLong, Bytes: int64(len(l.Record))}))
}

const eventTooLong = "line_too_long"

// ParseRecord is the line of a record (Line.Record), which stays the caller's; a text that is none is a note that says so.
func ParseRecord(number uint64, record []byte) Line {
	l, ok := parse(record)
	if !ok {
		return damaged(number, 0)
	}
	l.Number = number
	return l
}

// damaged stands for records that cannot be read.
func damaged(number uint64, time int64) Line {
	return stated(number, &item{dir: dirNote, time: time}, encode(note{Event: string(GoneDamaged)}))
}

func stated(number uint64, it *item, text []byte) Line {
	record, data := appendRecord(nil, it, text)
	return Line{Number: number, Time: it.time, Dir: dirs[it.dir], Record: record, Data: bytes.Clone(record[data : len(record)-1])}
}
