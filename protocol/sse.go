package protocol

import (
	"strconv"
	"time"
)

// AppendSSE writes the frame of one event after b: line is the event as Append wrote it, at its own position (spec §7.2).
func AppendSSE(b []byte, at Cursor, line []byte) []byte {
	b = AppendSSEHead(b, at)
	b = append(b, line...)
	return append(b, "\n\n"...)
}

// AppendSSEHead writes what stands in the frame of an event before its line, for one that is sent in pieces. Its line follows,
// and two newlines.
func AppendSSEHead(b []byte, at Cursor) []byte {
	return append(appendID(b, at), "data: "...)
}

// AppendHeartbeat writes a heartbeat: last is the position of the last event sent on this connection, or where the
// connection began. Naming the log's end instead would make a reader that reconnects in mid backfill skip events. It is
// no event: it has no seq of its own and is not in the log (spec §7.4).
func AppendHeartbeat(b []byte, last Cursor, ts int64) []byte {
	b = appendID(b, last)
	b = append(b, `data: {"type":"heartbeat","seq":`...)
	b = strconv.AppendUint(b, last.Seq, 10)
	b = append(b, `,"ts":`...)
	b = strconv.AppendInt(b, ts, 10)
	return append(b, "}\n\n"...)
}

// AppendReset writes a reset: the reader's cursor is not of this log, what it holds behind Common is void, and the stream goes on from
// the oldest event. It has no id, so that a lost connection leaves the reader where it was (spec §7.5).
func AppendReset(b []byte, r Reset) []byte {
	b = append(b, `data: {"type":"reset","epoch":`...)
	b = strconv.AppendUint(b, r.Epoch, 10)
	b = append(b, `,"oldest":`...)
	b = strconv.AppendUint(b, r.Oldest, 10)
	b = append(b, `,"newest":`...)
	b = strconv.AppendUint(b, r.Newest, 10)
	if r.Common > 0 {
		b = append(b, `,"common":`...)
		b = strconv.AppendUint(b, r.Common, 10)
	}
	return append(b, "}\n\n"...)
}

// AppendRetry writes how long a reader shall wait before it reconnects, in whole milliseconds.
func AppendRetry(b []byte, wait time.Duration) []byte {
	b = append(b, "retry: "...)
	b = strconv.AppendInt(b, max(wait.Milliseconds(), 0), 10)
	return append(b, "\n\n"...)
}

func appendID(b []byte, c Cursor) []byte {
	b = append(b, "id: "...)
	b = c.Append(b)
	return append(b, '\n')
}
