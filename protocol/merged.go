package protocol

// The types of the signals of a merged stream (spec §7.13), besides those of a session's own stream. No event of a log has one of them.
const (
	TypeSession        Type = "session"
	TypeRosterComplete Type = "roster_complete"
	TypeSessionGone    Type = "session_gone"
	TypeOver           Type = "over"
	TypeRefused        Type = "refused"
	TypeItem           Type = "item"
	TypeEvent          Type = "event" // a line around an event, in NDJSON
)

// AppendMergedHead writes what stands in the frame of an event of a merged stream before its line; the line follows, and two newlines. The id names the session
// and the cursor, which is given as its text.
func AppendMergedHead(b []byte, sessionID string, cursor []byte) []byte {
	b = append(b, "id: "...)
	b = append(b, sessionID...)
	b = append(b, '/')
	b = append(b, cursor...)
	return append(b, "\ndata: "...)
}

// AppendMergedLine writes an event of a merged stream as a line of NDJSON with its newline: the log's line stands in it as it is.
func AppendMergedLine(b []byte, sessionID string, cursor, line []byte) []byte {
	b = append(b, `{"type":"event","sessionId":"`...)
	b = append(b, sessionID...)
	b = append(b, `","cursor":"`...)
	b = append(b, cursor...)
	b = append(b, `","event":`...)
	b = append(b, line...)
	return append(b, "}\n"...)
}
