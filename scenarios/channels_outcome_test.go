package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// outcome is what every channel has to say of a turn that has ended. A turn whose agent was lost has failed, however the agent itself
// counts it: it never gives a completion, in no channel.
type outcome struct {
	turn, prompt string
	want         protocol.ItemOutcome
	cause        protocol.TurnCause
	last         bool // no turn has begun since
}

func (o outcome) failed() bool { return o.want == protocol.ItemFailed }

// outcomes are those of a log. They are read off its events here, and by nothing that a channel is made with.
func outcomes(log []protocol.Event) (list []outcome) {
	prompts := map[string]string{}
	for i := range log {
		switch p := log[i].Payload.(type) {
		case *protocol.TurnStart:
			for k := range list {
				list[k].last = false
			}
			if p.Prompt != nil {
				prompts[p.TurnID] = p.Prompt.PromptID
			}
		case *protocol.TurnEnd:
			o := outcome{turn: p.TurnID, prompt: prompts[p.TurnID], want: protocol.ItemOutcome(p.Status), cause: p.Cause, last: true}
			if p.Cause == protocol.CauseLost || p.Status == protocol.TurnError {
				o.want = protocol.ItemFailed
			}
			list = append(list, o)
		}
	}
	return list
}

// checkOutcomes holds the items of one channel, from the first to the last, against what became of the turns.
func checkOutcomes(list []protocol.SessionEvent, all []outcome) (problems []string) {
	wrong := func(o outcome, format string, a ...any) {
		problems = append(problems, fmt.Sprintf("turn %s, %s %s: ", o.turn, o.want, o.cause)+fmt.Sprintf(format, a...))
	}
	for _, o := range all {
		ends, next := 0, ""
		for i, it := range list {
			if ends == 1 && next == "" && it.Type == protocol.ItemStatus {
				next = it.Text
			}
			if it.TurnID != o.turn || it.Outcome == "" && it.Type != protocol.ItemCompletion {
				continue
			}
			ends++
			kind := protocol.ItemCompletion
			if o.failed() {
				kind = protocol.ItemError
			}
			if it.Type != kind || it.Outcome != o.want || it.Reason != o.cause {
				wrong(o, "item %d is %s, %s %s", i, it.Type, it.Outcome, it.Reason)
			}
		}
		if ends != 1 {
			wrong(o, "%d items end it", ends)
		}
		if o.cause == protocol.CauseLost && next != "" && next != string(protocol.StateFailed) {
			wrong(o, "the next status says %s", next)
		}
	}
	return problems
}

// checkWaiting asks what those are told who wait: session_join of the newest turn, and, where there are tasks, the task of each.
func (c *mcpClient) checkWaiting(id string, all []outcome) error {
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
		if j := said.Sessions[0]; o.last && j.Resting {
			if j.Outcome != string(o.want) || (j.Error == "") != (o.want == protocol.ItemCompleted) || !o.failed() && !strings.Contains(j.Error, string(o.cause)) {
				return fmt.Errorf("turn %s, %s %s: session_join says %+v", o.turn, o.want, o.cause, j)
			}
		}
		if o.prompt == "" || !c.modern() {
			continue
		}
		k, err := c.task(id + "." + o.prompt)
		if err != nil {
			return fmt.Errorf("task of %s: %w", o.prompt, err)
		}
		if err := k.is(o); err != nil {
			return fmt.Errorf("turn %s, %s %s: the task %w", o.turn, o.want, o.cause, err)
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

// is says whether a task is what became of its turn: one that the agent itself has failed was carried out, and its result is an error.
func (k task) is(o outcome) error {
	want, isError := "cancelled", false
	switch {
	case o.want == protocol.ItemCompleted:
		want = "completed"
	case o.cause == protocol.CauseLost, o.want == protocol.ItemInterrupted && o.cause == protocol.CauseDaemon:
		want = "failed"
	case o.failed():
		want, isError = "completed", true
	}
	if got := k.Result != nil && k.Result.IsError; k.Status != want || got != isError {
		return fmt.Errorf("is %s, an error: %t", k.Status, got)
	}
	return nil
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
