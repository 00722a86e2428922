package recording

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// lostConn is a connection to a process that goes on. It is not over: whoever had it connects again, as adapters/remote does. In a
// recording the next connection has a label of its own. It is taken for the one that was lost first, with the lines that
// adapters/remote would have said. One that nobody comes back to ends with the process.
type lostConn struct{ conn, why string }

// lose notes that a connection was lost.
func (t *teller) lose(conn, why string) {
	if conn = t.label(conn); slices.Contains(t.live, conn) && !t.isAway(conn) {
		t.away = append(t.away, lostConn{conn, why})
	}
	t.say(Note{Text: "disconnect"})
}

// comeBack goes on with the connection that was lost: the one of that label, or else the first.
func (t *teller) comeBack(label string) {
	conn := t.label(label)
	if !t.isAway(conn) {
		if len(t.away) == 0 || slices.Contains(t.live, conn) {
			return
		}
		conn = t.away[0].conn
		if t.became == nil {
			t.became = map[string]string{}
		}
		t.became[label] = conn
	}
	lost := httpline.Stream{State: httpline.Lost, Error: t.found(conn)}
	open := httpline.Stream{State: httpline.Open}
	t.last.Conn = conn
	t.say(Out{Line: lost.Append(nil)})
	t.say(Out{Line: open.Append(nil)})
}

// label is the connection that a label stands for.
func (t *teller) label(conn string) string {
	if first, ok := t.became[conn]; ok {
		return first
	}
	return conn
}

func (t *teller) isAway(conn string) bool {
	return slices.ContainsFunc(t.away, func(l lostConn) bool { return l.conn == conn })
}

// found takes a connection off those that were lost, and gives why it was.
func (t *teller) found(conn string) (why string) {
	t.away = slices.DeleteFunc(t.away, func(l lostConn) bool {
		if l.conn == conn {
			why = l.why
		}
		return l.conn == conn
	})
	return why
}
