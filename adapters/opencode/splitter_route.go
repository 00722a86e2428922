package opencode

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// route is where an event belongs.
type route struct {
	kind    string // of the types that matter here; empty for others, see reading
	session string // empty: none
	event   []byte // without the frame of /global/event
	bad     bool   // it is no event
}

// readRoute reads of a line what tells its session, and no more: it runs for every line.
//
// The session stands in different places: properties.sessionID; of a session's own events properties.info.id; of messages
// properties.info.sessionID; of parts properties.part.sessionID.
func readRoute(line []byte) route {
	r := route{event: line}
	m := native.Scan(line)
	for {
		key, ok := m.Key()
		if !ok {
			r.bad = m.Bad
			return r
		}
		switch string(key) {
		case "payload": // /global/event
			value, ok := m.Rest()
			if !ok {
				return route{event: line, bad: true}
			}
			if len(value) == 0 || value[0] != '{' {
				continue
			}
			return readRoute(value)
		case "type":
			value, ok := m.Rest()
			if !ok {
				return route{event: line, bad: true}
			}
			r.kind = native.Text(value)
		case "properties", "data":
			if r.session = sessionOf(m.Object(), strings.HasPrefix(r.kind, "session.")); r.session != "" {
				return r
			}
			fallthrough
		default:
			if _, ok := m.Rest(); !ok {
				return route{event: line, bad: true}
			}
		}
	}
}

// sessionOf finds the session in the properties of an event. own says that info is the session itself.
func sessionOf(m native.Members, own bool) (session string) {
	for {
		key, ok := m.Key()
		if !ok {
			return session
		}
		switch string(key) {
		case "sessionID":
			if value, ok := m.Rest(); ok {
				return native.Text(value)
			}
			return session
		case "info", "part":
			name := "sessionID"
			if own && string(key) == "info" {
				name = "id"
			}
			if found := member(m.Object(), name); found != "" {
				session = found
				if string(key) == "part" {
					return session
				}
			}
		}
		if _, ok := m.Rest(); !ok {
			return session
		}
	}
}

// member is a member of an object, where it is a string.
func member(m native.Members, name string) string {
	for {
		key, value, ok := m.Next()
		if !ok {
			return ""
		}
		if string(key) == name {
			return native.Text(value)
		}
	}
}

// sessionIn is the session that the path of a call is about; empty: none.
func sessionIn(path string) string {
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimPrefix(path, "/api")
	rest, ok := strings.CutPrefix(path, "/session/")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	if !strings.HasPrefix(id, "ses_") {
		return "" // /session/status
	}
	return id
}
