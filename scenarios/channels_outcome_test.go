package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// checkOutcomes holds the items of one channel, from the first to the last, against what became of the turns.
func checkOutcomes(list []protocol.SessionEvent, all []audit.Outcome) error {
	for _, o := range all {
		if err := o.Items(list); err != nil {
			return err
		}
	}
	return nil
}

// checkWaiting asks what those are told who wait: session_join of the newest turn, and, where there are tasks, the task of each.
func (c *mcpClient) checkWaiting(id string, all []audit.Outcome) error {
	var said struct {
		Sessions []struct {
			Resting bool   `json:"resting"`
			Error   string `json:"error"`
			Outcome string `json:"outcome"`
		} `json:"sessions"`
	}
	if err := c.ask("session_join", map[string]any{"session_ids": []string{id}, "wait_ms": 0}, &said); err != nil {
		return err
	}
	for _, o := range all {
		if j := said.Sessions[0]; o.Newest && j.Resting {
			if err := o.Result(j.Outcome, j.Error); err != nil {
				return fmt.Errorf("session_join: %w", err)
			}
		}
		if o.PromptID == "" || !c.modern() {
			continue
		}
		k, err := c.task(id + "." + o.PromptID)
		if err != nil {
			return fmt.Errorf("task of %s: %w", o.PromptID, err)
		}
		if err := o.Task(k.Status, k.Result != nil && k.Result.IsError); err != nil {
			return err
		}
	}
	return nil
}

// task is one as the wire has it: the SDK knows none.
type task struct {
	Status string `json:"status"`
	Result *struct {
		IsError bool `json:"isError"`
	} `json:"result"`
}

const tasksExtension = "io.modelcontextprotocol/tasks"

func (c *mcpClient) task(id string) (k task, err error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": map[string]any{
		"taskId": id,
		"_meta": map[string]any{
			sdk.MetaKeyProtocolVersion: c.revision, sdk.MetaKeyClientInfo: map[string]any{"name": c.name, "version": "1"},
			sdk.MetaKeyClientCapabilities: map[string]any{"extensions": map[string]any{tasksExtension: map[string]any{}}},
		},
	}})
	if err != nil {
		return k, err
	}
	ctx, cancel := context.WithTimeout(c.w.ctx, c.w.patient)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.w.daemon.url()+"/mcp", bytes.NewReader(body))
	if err != nil {
		return k, err
	}
	for key, value := range map[string]string{
		"Authorization": "Bearer " + c.w.daemon.token(), "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": c.revision, "Mcp-Method": "tasks/get", "Mcp-Name": id,
	} {
		r.Header.Set(key, value)
	}
	res, err := c.w.daemon.client().Do(r)
	if err != nil {
		return k, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return k, err
	}
	if _, data, found := bytes.Cut(raw, []byte("data: ")); found {
		raw, _, _ = bytes.Cut(data, []byte("\n"))
	}
	var answer struct {
		Result *task
		Error  json.RawMessage
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return k, fmt.Errorf("%w: %s", err, raw)
	}
	if answer.Result == nil {
		return k, errors.New(string(answer.Error))
	}
	return *answer.Result, nil
}

// toldOf is all that a client was told of a session.
func (c *mcpClient) toldOf(id string) (list []protocol.SessionEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.told[id] {
		list = append(list, n.SessionEvent)
	}
	return list
}
