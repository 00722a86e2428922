package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// mcp connects a client, of the era that this run is of where the step does not say.
func (w *world) mcp(a args) error {
	if w.clients[a["NAME"]] != nil {
		return fmt.Errorf("there is a client %s already; it can reconnect", a["NAME"])
	}
	revision := a["REVISION"]
	if revision == "" {
		revision = w.era
	}
	c := w.newMCP(a["NAME"], revision)
	if a["SESSION"] != "" {
		if c.secret = w.daemon.agentToken(w.id(a["SESSION"])); c.secret == "" {
			return fmt.Errorf("the agent of session %s has no token: it needs \"mcp\": true", a["SESSION"])
		}
	}
	w.clients[a["NAME"]] = c
	return c.connect(false)
}

func (w *world) client(name string) (*mcpClient, error) {
	if c := w.clients[name]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("there is no MCP client %s", name)
}

// setsLevel begins to be told, or ceases to be.
func (w *world) setsLevel(a args) error {
	c, err := w.client(a["NAME"])
	if err != nil {
		return err
	}
	c.level = a["LEVEL"]
	for _, x := range c.order {
		x.stop() // a call in the new era has the level that it began with
		x.partial = x.partial || !c.isToldAll()
		x.start()
	}
	return c.raise()
}

// watches asks to be told of a session from now on, or from an index on.
func (w *world) watches(a args) error {
	c, err := w.client(a["NAME"])
	if err != nil {
		return err
	}
	id, arguments := w.id(a["SESSION"]), map[string]any{}
	if a["INDEX"] != "" {
		index, err := strconv.Atoi(a["INDEX"])
		if err != nil {
			return err
		}
		arguments["since_index"] = index
	}
	return c.watchFrom(id, arguments)
}

// watchFrom asks for pushes in the old era. In the new one there are none: the client looks where the log ends and follows.
func (c *mcpClient) watchFrom(id string, arguments map[string]any) error {
	_, past := arguments["since_index"]
	defer func() {
		if x := c.watched[id]; x != nil {
			x.late = x.late || past
		}
	}()
	arguments["session_id"] = id
	if c.modern() {
		since, ok := arguments["since_index"].(int)
		var s struct {
			LastIndex int    `json:"last_index"`
			Epoch     uint64 `json:"epoch"`
		}
		if !ok {
			if err := c.ask("session_get", map[string]any{"session_id": id}, &s); err != nil {
				return err
			}
			since = s.LastIndex
		}
		c.watch(id, uint64(since+1), s.Epoch)
		return nil
	}
	var told struct {
		LastEventIndex int `json:"last_event_index"`
	}
	if err := c.ask("session_watch", arguments, &told); err != nil {
		return err
	}
	c.watch(id, uint64(told.LastEventIndex+1), 0)
	return nil
}

// calls calls a tool and keeps its answer. Who sends a message is told what follows from it: in the new era it follows itself.
func (w *world) calls(a args) error {
	c, err := w.client(a["NAME"])
	if err != nil {
		return err
	}
	arguments := json.RawMessage("{}")
	if a["FILE"] != "" {
		arguments = w.data(a["FILE"])
	}
	var out json.RawMessage
	err = c.ask(a["TOOL"], arguments, &out)
	if refused := toolError(""); errors.As(err, &refused) {
		w.last = &answer{code: "refusal", body: []byte(refused)}
		return nil
	}
	if err != nil {
		return err
	}
	w.last = &answer{code: "result", body: out}
	var told struct {
		SessionID      string `json:"session_id"`
		LastEventIndex int    `json:"last_event_index"`
	}
	if err := json.Unmarshal(out, &told); err != nil {
		return err
	}
	if a["SESSION"] != "" {
		w.named(a["SESSION"], told.SessionID)
	}
	if a["TOOL"] == "session_message" {
		c.watch(told.SessionID, uint64(told.LastEventIndex+1), 0)
	}
	return nil
}

func (w *world) subscribes(a args) error {
	c, err := w.client(a["NAME"])
	if err != nil {
		return err
	}
	return c.subscribe(w.id(a["SESSION"]))
}

// disconnects cuts the client off, in the middle of whatever it does.
func (c *mcpClient) disconnects() {
	c.wire.cut()
	c.stop()
}

// stopsReading leaves unread what comes, until the client disconnects or reconnects.
func (c *mcpClient) stopsReading() {
	c.wire.block()
	for _, x := range c.order {
		x.late = true
	}
}

// stop ends what the client reads by calls.
func (c *mcpClient) stop() {
	for _, x := range c.order {
		x.late = true
		x.stop()
	}
	for _, s := range c.subscribed {
		s.stop()
	}
}

// reconnects lets the client go on. In the old era its transport resumes by itself; anew, and in the new era, the client asks
// for what comes after the last it knows.
func (c *mcpClient) reconnects(anew bool) error {
	c.wire.mend()
	if !anew && !c.modern() {
		return nil
	}
	c.close()
	if err := c.connect(false); err != nil {
		return err
	}
	for _, x := range c.order {
		x.start()
		if c.modern() {
			continue
		}
		var told struct{}
		if err := c.ask("session_watch", map[string]any{"session_id": x.session, "since_index": int(x.reached()) - 1}, &told); err != nil {
			return err
		}
	}
	for _, s := range c.subscribed {
		if err := s.start(); err != nil {
			return err
		}
	}
	return nil
}
