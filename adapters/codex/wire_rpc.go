package codex

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// message is one JSON-RPC message in either direction, its parts as raw JSON: a notification has a method, a request a
// method and an id, a response only an id.
type message struct {
	method string
	kind   string // the member type, of lines that are no JSON-RPC
	id     []byte // nil: none
	params []byte
	result []byte
	fault  []byte // the member error
}

// parse takes a line apart without decoding it; ok is false for what is no JSON object.
func parse(line []byte) (m message, ok bool) {
	walk := native.Scan(line)
	for {
		key, value, more := walk.Next()
		if !more {
			return m, !walk.Bad
		}
		switch string(key) {
		case "method":
			m.method = native.Text(value)
		case "type":
			m.kind = native.Text(value)
		case "id":
			if string(value) != "null" {
				m.id = value
			}
		case "params":
			m.params = value
		case "result":
			m.result = value
		case "error":
			m.fault = value
		}
	}
}

func (m *message) isRequest() bool      { return m.method != "" && m.id != nil }
func (m *message) isNotification() bool { return m.method != "" && m.id == nil }
func (m *message) isResponse() bool     { return m.method == "" && m.id != nil }

// member is a member of an object, as raw JSON; nil where there is none.
func member(object []byte, name string) []byte {
	if len(object) == 0 {
		return nil
	}
	walk := native.Scan(object)
	for {
		key, value, more := walk.Next()
		if !more {
			return nil
		}
		if string(key) == name {
			return value
		}
	}
}

// text is a member that is a string, some levels down.
func text(object []byte, path ...string) string {
	for _, name := range path {
		object = member(object, name)
	}
	return native.Text(object)
}

// ownPrefix begins the ids that a splitter gives.
const ownPrefix = "rm"

// unique makes the id of a lane's request unique in its connection, so that the response tells the lane and the id. It is
// a string: rm, the lane, a colon, the kind of the lane's id and the id.
func unique(lane uint32, id []byte) []byte {
	b := strconv.AppendUint([]byte(`"`+ownPrefix), uint64(lane), 10)
	if len(id) >= 2 && id[0] == '"' {
		return append(append(b, ":s"...), id[1:]...)
	}
	return append(append(append(b, ":n"...), id...), '"')
}

// split takes an id of unique apart; ok is false for all others.
func split(id []byte) (lane uint32, inner []byte, ok bool) {
	rest, ok := bytes.CutPrefix(id, []byte(`"`+ownPrefix))
	if !ok {
		return 0, nil, false
	}
	digits, rest, ok := bytes.Cut(rest, []byte(":"))
	n, err := strconv.ParseUint(string(digits), 10, 32)
	if !ok || err != nil || len(rest) < 2 {
		return 0, nil, false
	}
	switch rest[0] {
	case 's':
		return uint32(n), append([]byte(`"`), rest[1:]...), true
	case 'n':
		return uint32(n), bytes.Clone(rest[1 : len(rest)-1]), true
	}
	return 0, nil, false
}

// withID is a line with another id.
func withID(line, id []byte) []byte {
	b := make([]byte, 0, len(line)+len(id)+8)
	b = append(append(b, `{"id":`...), id...)
	walk := native.Scan(line)
	for {
		key, value, more := walk.Next()
		if !more {
			return append(b, '}')
		}
		if string(key) != "id" {
			b = append(append(b, ',', '"'), key...)
			b = append(append(b, '"', ':'), value...)
		}
	}
}

// call is a request to the server.
type call struct {
	ID     string `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params"`
}

// encode writes what consists of strings, numbers and raw JSON that was checked before: it cannot fail.
func encode(v any) []byte {
	line, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return line
}

// response is an answer to a request of the server.
type response struct {
	ID     json.RawMessage `json:"id"`
	Result any             `json:"result"`
}

// codeUnsupported is JSON-RPC's "method not found".
const codeUnsupported = -32601

// fault is the error of a response.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// failure answers a request of the server with an error, so that no turn waits for it.
func failure(id []byte, why string) []byte {
	return encode(struct {
		ID    json.RawMessage `json:"id"`
		Error fault           `json:"error"`
	}{id, fault{codeUnsupported, why}})
}
