// Package client reads a session with the client that oapi-codegen made of ../../openapi-3.0.json. The tests that need a daemon
// get it of TestGeneratedClients of package api.
package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestReadSession(t *testing.T) {
	url, token := os.Getenv("RINGMASTER_URL"), os.Getenv("RINGMASTER_TOKEN")
	if url == "" {
		t.Skip("RINGMASTER_URL names no daemon")
	}
	ctx := t.Context()
	c, err := NewClientWithResponses(url, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	var prompt NewSession_Prompt
	if err := prompt.FromNewSessionPrompt0("hello"); err != nil {
		t.Fatal(err)
	}
	created, err := c.CreateSessionWithResponse(ctx, nil, NewSession{Agent: os.Getenv("RINGMASTER_AGENT"), Cwd: os.Getenv("RINGMASTER_CWD"), Prompt: &prompt})
	if err != nil || created.JSON201 == nil || created.JSON201.Prompt == nil {
		t.Fatalf("%v %s", err, created.Body)
	}
	id, cursor := created.JSON201.Id, created.JSON201.Prompt.Cursor

	// The raw client: the typed one would read the stream to its end.
	stream, err := c.ClientInterface.StreamSession(ctx, id, &StreamSessionParams{Since: &cursor})
	if err != nil {
		t.Fatal(err)
	}
	answered := false
	seen, err := read(stream, func(m StreamMessage, event any) error {
		end, ok := event.(EntryEndEvent)
		if ok {
			text, err := shown(&end)
			answered = answered || end.EntryType == string(AssistantMessage) && strings.Contains(text, "hello")
			return err
		}
		if _, over := event.(TurnEndEvent); over {
			return errEnough
		}
		return nil
	})
	if err != nil || !answered {
		t.Fatalf("the prompt was answered %v, %v", answered, err)
	}
	sendOnce(t, c, id)
	end, err := c.EndSessionWithResponse(ctx, id, nil, EndSession{})
	if err != nil || end.JSON200 == nil {
		t.Fatalf("%v %s", err, end.Body)
	}
	replay, err := c.ClientInterface.ReadSessionEvents(ctx, id, &ReadSessionEventsParams{Since: &cursor})
	if err != nil {
		t.Fatal(err)
	}
	all, err := read(replay, func(StreamMessage, any) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	log, err := c.GetSessionLogWithResponse(ctx, id, &GetSessionLogParams{Since: &cursor})
	if err != nil || log.StatusCode() != http.StatusOK {
		t.Fatalf("%v %s", err, log.Body)
	}
	if whole := append(bytes.Join(all, []byte("\n")), '\n'); !bytes.Equal(whole, log.Body) {
		t.Errorf("the log's events are\n%s, its bytes\n%s", whole, log.Body)
	}
	for i := range seen {
		if !bytes.Equal(all[i], seen[i]) {
			t.Fatalf("the stream gave %s, the log %s", seen[i], all[i])
		}
	}
	state, err := c.GetSessionStateWithResponse(ctx, id, nil)
	if err != nil || state.JSON200 == nil || state.JSON200.Entries == nil || len(*state.JSON200.Entries) == 0 {
		t.Fatalf("%v %s", err, state.Body)
	}
	for _, e := range *state.JSON200.Entries {
		if _, err := e.ValueByDiscriminator(); err != nil {
			t.Errorf("%s: %v", e.EntryId, err)
		}
	}
	missing, err := c.GetSessionWithResponse(ctx, "none")
	if err != nil || missing.ApplicationproblemJSON404 == nil || missing.ApplicationproblemJSON404.Code != "session_not_found" {
		t.Errorf("%v %s", err, missing.Body)
	}
	t.Logf("read %d events", len(all))
}

// sendOnce sends a prompt twice with one key: it is one prompt. Another one with that key is refused.
func sendOnce(t *testing.T, c *ClientWithResponses, id string) {
	t.Helper()
	send := func(text string) *SendPromptResponse {
		key := "from-go"
		sent, err := c.SendPromptWithResponse(t.Context(), id, &SendPromptParams{IdempotencyKey: &key}, NewPrompt{Text: &text})
		if err != nil {
			t.Fatal(err)
		}
		return sent
	}
	first, again, other := send("once"), send("once"), send("another")
	if first.JSON202 == nil || again.JSON202 == nil || again.JSON202.PromptId != first.JSON202.PromptId || again.JSON202.Repeated == nil || !*again.JSON202.Repeated {
		t.Errorf("one key: %s, again %s", first.Body, again.Body)
	}
	if other.ApplicationproblemJSON409 == nil || other.ApplicationproblemJSON409.Code != "conflict" {
		t.Errorf("the key for another prompt: %d %s", other.StatusCode(), other.Body)
	}
}

var errEnough = errors.New("enough")

// read hands on what the frames of an answer say, as the union and as its case, and returns their bytes.
func read(answer *http.Response, take func(m StreamMessage, event any) error) (seen [][]byte, err error) {
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		seen = append(seen, []byte(data))
		var m StreamMessage
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			return seen, err
		}
		event, err := m.ValueByDiscriminator()
		if err == nil {
			err = take(m, event)
		}
		if errors.Is(err, errEnough) {
			return seen, nil
		}
		if err != nil {
			return seen, err
		}
	}
	return seen, lines.Err()
}

// shown is the content of an entry, by its case.
func shown(e *EntryEndEvent) (string, error) {
	v, err := e.ValueByDiscriminator()
	switch c := v.(type) {
	case UserMessageEntry:
		return c.Data.Text, err
	case AssistantMessageEntry:
		return c.Data.Text, err
	case ToolCallEntry:
		return c.Data.ToolName + " " + string(c.Data.Status), err
	case ThinkingEntry:
		return c.Data.Text, err
	case SystemEntry:
		return c.Data.Text, err
	default:
		return e.EntryType, err
	}
}

// TestUnknown: what this client was not generated with can be read all the same.
func TestUnknown(t *testing.T) {
	frames := `data: {"seq":7,"ts":1,"type":"moon_phase","phase":"full"}` + "\n\n"
	var m StreamMessage
	_, err := read(&http.Response{Body: io.NopCloser(strings.NewReader(frames))}, func(StreamMessage, any) error { return nil })
	if err == nil {
		t.Error("an event of an unknown type has a case")
	}
	var e SessionEvent
	if err := errors.Join(json.Unmarshal([]byte(frames[6:]), &m), json.Unmarshal([]byte(frames[6:]), &e)); err != nil || m.Type != "moon_phase" || e.Type != m.Type || e.Seq != 7 {
		t.Errorf("%v: %q %q %d", err, m.Type, e.Type, e.Seq)
	}
	line := `{"seq":8,"ts":1,"type":"entry_end","entryId":"e1","entryType":"drawing","data":{"strokes":3}}`
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	end, err := e.AsEntryEndEvent()
	data, _ := end.Data.(map[string]any)
	if err != nil || end.EntryType != "drawing" || end.EntryId != "e1" || data["strokes"] != 3.0 {
		t.Errorf("%v: %+v", err, end)
	}
	again, err := json.Marshal(e)
	if err != nil || !strings.Contains(string(again), `"data":{"strokes":3}`) {
		t.Errorf("%v: %s", err, again)
	}
	var d Delta
	if err := json.Unmarshal([]byte(`{"op":"fold_up","by":2}`), &d); err != nil || d.Op != "fold_up" {
		t.Errorf("%v: %q", err, d.Op)
	}
}
