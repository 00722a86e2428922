package bridge

import (
	"encoding/json"
	"slices"
	"strings"
)

// memory is what an MCP session of the old era has at the daemon besides its opening. It goes with the daemon, so the bridge says it
// again to the next one, as the client said it.
type memory struct {
	level      []byte   // logging/setLevel, the last one; nil: none
	subscribed []kept   // resources/subscribe, by URI
	offered    []kept   // session_message with nothing but its caller_tools, by session and caller
	watched    []record // sessions whose events are pushed

	reading map[string]bool // tools that only read, in both eras; not said again
}

// kept is a line of the client that is said again.
type kept struct {
	key  string
	line []byte
}

// record is how far a session was pushed.
type record struct {
	session string
	index   int // of the newest event that the client was told of
}

// Bounds, as the daemon has them for one client; what is older goes.
const (
	maxSubscribed = 256
	maxOffered    = 64
	maxWatched    = 256
)

// told is what a bridge looks at in an answer or a notification of the daemon.
type told struct {
	Method string          `json:"method"`
	Error  json.RawMessage `json:"error"`
	Result struct {
		Version    string          `json:"protocolVersion"`
		IsError    bool            `json:"isError"`
		Structured json.RawMessage `json:"structuredContent"`
		Tools      []tool          `json:"tools"`
	} `json:"result"`
	Params struct {
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	} `json:"params"`
}

type tool struct {
	Name        string `json:"name"`
	Annotations struct {
		ReadOnly bool `json:"readOnlyHint"`
	} `json:"annotations"`
}

// listed notes which tools only read.
func (k *memory) listed(tools []tool) {
	for _, t := range tools {
		if t.Annotations.ReadOnly {
			if k.reading == nil {
				k.reading = map[string]bool{}
			}
			k.reading[t.Name] = true
		}
	}
}

// answered notes what a call of the client has brought about.
func (k *memory) answered(m *message, t *told) {
	if t.Error != nil || t.Result.IsError {
		return
	}
	switch m.Method {
	case setLevel:
		k.level = m.line
	case subscribe:
		k.subscribed = keep(k.subscribed, kept{m.Params.URI, m.line}, maxSubscribed)
	case unsubscribe:
		k.subscribed = slices.DeleteFunc(k.subscribed, func(x kept) bool { return x.key == m.Params.URI })
	case callTool:
		var out struct {
			SessionID string `json:"session_id"`
			Last      *int   `json:"last_event_index"`
			Push      string `json:"push"`
		}
		if json.Unmarshal(t.Result.Structured, &out) != nil || out.SessionID == "" || out.Last == nil || out.Push == "" {
			return // none of the tools that begin to push
		}
		k.watch(out.SessionID, *out.Last, false)
		k.offer(m, out.SessionID)
	}
}

// offer notes the tools that the client carries out for a session's agent.
func (k *memory) offer(m *message, session string) {
	var call struct {
		Params struct {
			Arguments struct {
				Caller string            `json:"caller_id"`
				Tools  []json.RawMessage `json:"caller_tools"`
			} `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(m.line, &call) != nil || call.Params.Arguments.Tools == nil {
		return
	}
	args := &call.Params.Arguments
	key := session + " " + args.Caller
	if len(args.Tools) == 0 {
		k.offered = slices.DeleteFunc(k.offered, func(x kept) bool { return x.key == key })
		return
	}
	k.offered = keep(k.offered, kept{key, toolCall("session_message", map[string]any{
		"session_id": session, "caller_id": args.Caller, "caller_tools": args.Tools,
	})}, maxOffered)
}

// pushed notes how far a session was pushed.
func (k *memory) pushed(t *told) {
	var it struct {
		SessionID string `json:"session_id"`
		Seq       int    `json:"seq"`
	}
	if strings.HasPrefix(t.Params.Logger, "ringmaster.") && json.Unmarshal(t.Params.Data, &it) == nil && it.SessionID != "" && it.Seq > 0 {
		k.watch(it.SessionID, it.Seq-1, true)
	}
}

// watch notes a session. What it says of one that is known counts where the client has seen it.
func (k *memory) watch(session string, index int, seen bool) {
	i := slices.IndexFunc(k.watched, func(r record) bool { return r.session == session })
	switch {
	case i < 0:
		k.watched = append(k.watched, record{session, index})
		k.watched = k.watched[max(0, len(k.watched)-maxWatched):]
	case seen:
		k.watched[i].index = index
	}
}

// keep puts a line to the end, in the place of an earlier one of its key.
func keep(list []kept, x kept, most int) []kept {
	list = slices.DeleteFunc(list, func(y kept) bool { return y.key == x.key })
	list = append(list, x)
	return list[max(0, len(list)-most):]
}

func toolCall(name string, args map[string]any) []byte {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": "ringmaster-mcp", "method": callTool, "params": map[string]any{"name": name, "arguments": args},
	})
	if err != nil {
		panic(err) // it is strings, numbers and what was JSON before
	}
	return line
}

// updated tells a client that a resource may have changed. subscription is the id of its call in the new era; nil: it has none.
func updated(uri string, subscription json.RawMessage) []byte {
	params := map[string]any{"uri": uri}
	if subscription != nil {
		params["_meta"] = map[string]any{"io.modelcontextprotocol/subscriptionId": subscription}
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": params})
	if err != nil {
		panic(err) // it is strings and what was JSON before
	}
	return line
}
