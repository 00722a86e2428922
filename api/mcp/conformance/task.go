//go:build conformance

package conformance

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
)

// fixtureTasks are the tasks of the suite's tools, by id: functions that run, where the product's tasks are turns of agents.
// They come and go by the same middleware and methods.
var fixtureTasks sync.Map // of *fixtureTask

type fixtureTask struct {
	cancel context.CancelFunc

	mu      sync.Mutex
	wire    task.Wire
	waiting map[string]chan json.RawMessage
}

// Source gives the tasks of the suite.
func Source(id string) task.Source {
	if t, ok := fixtureTasks.Load(id); ok {
		return t.(*fixtureTask)
	}
	return nil
}

func (t *fixtureTask) Get(context.Context, string, bool) (*task.Wire, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.wire
	if len(t.waiting) > 0 {
		w.Status, w.InputRequests = task.InputRequired, sdk.InputRequestMap{}
		for key := range t.waiting {
			w.InputRequests[key] = t.wire.InputRequests[key]
		}
	} else {
		w.InputRequests = nil
	}
	return &w, nil
}

func (t *fixtureTask) Stop(context.Context, string) error {
	t.over(task.Cancelled, nil, nil)
	t.cancel()
	return nil
}

func (t *fixtureTask) Update(_ context.Context, _ string, responses map[string]json.RawMessage) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, response := range responses {
		if c, ok := t.waiting[key]; ok {
			delete(t.waiting, key)
			c <- response
		}
	}
	return nil
}

func (t *fixtureTask) over(status string, r *sdk.CallToolResult, failed *jsonrpc.Error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wire.Status == task.Working {
		if r != nil {
			t.wire.Result = &task.Result{ResultType: "complete", Content: r.Content, StructuredContent: r.StructuredContent, IsError: r.IsError}
		}
		t.wire.Status, t.wire.Error, t.wire.LastUpdatedAt = status, failed, time.Now().UTC()
		clear(t.waiting)
	}
}

// ask waits for an answer by tasks/update.
func (t *fixtureTask) ask(ctx context.Context, key, message string) (*sdk.ElicitResult, error) {
	form := object([]string{"confirm"}, map[string]*jsonschema.Schema{"confirm": {Type: "boolean"}})
	answer := make(chan json.RawMessage, 1)
	t.mu.Lock()
	t.wire.InputRequests[key] = &sdk.ElicitParams{Message: message, RequestedSchema: form}
	t.waiting[key] = answer
	t.mu.Unlock()
	select {
	case raw := <-answer:
		var r sdk.ElicitResult
		return &r, json.Unmarshal(raw, &r)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// later runs do as a task where the client takes tasks; t is nil where it does not.
func (s *suite) later(ctx context.Context, do func(ctx context.Context, t *fixtureTask) (*sdk.CallToolResult, error)) (*sdk.CallToolResult, error) {
	if !task.Taken(ctx) {
		return do(ctx, nil)
	}
	run, cancel := context.WithCancel(s.life)
	now, ttl := time.Now().UTC(), int64(600_000)
	t := &fixtureTask{cancel: cancel, waiting: map[string]chan json.RawMessage{}, wire: task.Wire{
		ResultType: "complete", TaskID: rand.Text(), Status: task.Working, CreatedAt: now, LastUpdatedAt: now, TTLMs: &ttl,
		PollIntervalMs: 200, InputRequests: sdk.InputRequestMap{},
	}}
	fixtureTasks.Store(t.wire.TaskID, t)
	s.start(func() {
		defer cancel()
		t.run(run, do)
	})
	task.Become(ctx, t.wire.TaskID)
	return &sdk.CallToolResult{}, nil
}

func (t *fixtureTask) run(ctx context.Context, do func(ctx context.Context, t *fixtureTask) (*sdk.CallToolResult, error)) {
	defer func() {
		if p := recover(); p != nil {
			t.over(task.Failed, nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprint(p)})
		}
	}()
	res, err := do(ctx, t)
	switch {
	case ctx.Err() != nil:
		t.over(task.Cancelled, nil, nil)
	case err != nil:
		res = &sdk.CallToolResult{}
		res.SetError(err)
		t.over(task.Completed, res, nil)
	default:
		t.over(task.Completed, res, nil)
	}
}

// onlyAsTask refuses a call of a client that takes no tasks.
func onlyAsTask(do fixtureTool) fixtureTool {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if !task.Taken(ctx) {
			return nil, task.Undeclared()
		}
		return do(ctx, r)
	}
}

func (s *suite) addTaskFixtures() {
	fixtureWith(s, "slow_compute", "takes its time", func(ctx context.Context, _ *sdk.CallToolRequest, in struct {
		Seconds float64 `json:"seconds"`
		Label   string  `json:"label,omitempty"`
	},
	) (*sdk.CallToolResult, error) {
		return s.later(ctx, func(ctx context.Context, _ *fixtureTask) (*sdk.CallToolResult, error) {
			rest(ctx, time.Duration(in.Seconds*float64(time.Second)))
			return textResult("computed " + in.Label), ctx.Err()
		})
	})
	s.fixture("failing_job", "fails after a second", onlyAsTask(func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.later(ctx, func(ctx context.Context, _ *fixtureTask) (*sdk.CallToolResult, error) {
			rest(ctx, time.Second)
			return nil, errors.New("the job failed")
		})
	}))
	s.fixture("protocol_error_job", "panics", func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.later(ctx, func(context.Context, *fixtureTask) (*sdk.CallToolResult, error) { panic("internal failure") })
	})
	fixtureWith(s, "confirm_delete", "asks before it deletes", func(ctx context.Context, _ *sdk.CallToolRequest, in struct {
		Filename string `json:"filename"`
	},
	) (*sdk.CallToolResult, error) {
		return s.later(ctx, func(ctx context.Context, t *fixtureTask) (*sdk.CallToolResult, error) {
			if t == nil {
				return nil, task.Undeclared()
			}
			r, err := t.ask(ctx, "confirm-"+rand.Text()[:6], "Delete "+in.Filename+"?")
			if err != nil {
				return nil, err
			}
			return textResult("delete " + in.Filename + ": " + r.Action), nil
		})
	})
	s.fixture("multi_input", "asks twice at once", onlyAsTask(func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.later(ctx, func(ctx context.Context, t *fixtureTask) (*sdk.CallToolResult, error) {
			var wg sync.WaitGroup
			for _, key := range []string{"first", "second"} {
				wg.Go(func() { _, _ = t.ask(ctx, key, key+"?") })
			}
			wg.Wait()
			return textResult("both answered"), ctx.Err()
		})
	}))
	s.fixture("test_tool_with_task", "needs input, then time", onlyAsTask(func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		content, ok := given(r, "user_name")
		if !ok {
			return needs(field("user_name", "What is your name?", "name", "string"), seal("task")), nil
		}
		return s.later(ctx, func(context.Context, *fixtureTask) (*sdk.CallToolResult, error) {
			return textResult(fmt.Sprintf("Hello, %v!", content["name"])), nil
		})
	}))
}
