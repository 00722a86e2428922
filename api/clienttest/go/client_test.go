// Package client reads a session with the client that oapi-codegen made of ../../openapi-3.0.json. The test needs a daemon;
// TestGeneratedClients of package api brings one.
package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
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

	seen, answered := follow(t, c, id, cursor)
	if !answered {
		t.Error("no entry holds the prompt")
	}
	end, err := c.EndSessionWithResponse(ctx, id, EndSession{})
	if err != nil || end.JSON200 == nil {
		t.Fatalf("%v %s", err, end.Body)
	}
	log, err := c.GetSessionLogWithResponse(ctx, id, &GetSessionLogParams{Since: &cursor})
	if err != nil || log.StatusCode() != http.StatusOK {
		t.Fatalf("%v %s", err, log.Body)
	}
	whole := bytes.Split(bytes.TrimSuffix(log.Body, []byte("\n")), []byte("\n"))
	for i := range seen {
		if !bytes.Equal(whole[i], seen[i]) {
			t.Fatalf("the stream gave %s, the log %s", seen[i], whole[i])
		}
	}
	missing, err := c.GetSessionWithResponse(ctx, "none")
	if err != nil || missing.ApplicationproblemJSON404 == nil || missing.ApplicationproblemJSON404.Code != "session_not_found" {
		t.Errorf("%v %s", err, missing.Body)
	}
	t.Logf("read %d events", len(whole))
}

// follow reads the stream up to the end of the turn. It goes through the raw client: the typed one would read to its end.
func follow(t *testing.T, c *ClientWithResponses, id, cursor string) (seen [][]byte, answered bool) {
	t.Helper()
	stream, err := c.ClientInterface.StreamSession(t.Context(), id, &StreamSessionParams{Since: &cursor})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		seen = append(seen, []byte(data))
		var m StreamMessage
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			t.Fatal(err)
		}
		v, err := m.ValueByDiscriminator()
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		switch e := v.(type) {
		case EntryDeltaEvent:
			if _, err := e.Delta.ValueByDiscriminator(); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
		case EntryEndEvent:
			answered = answered || e.Data.Text != nil && strings.Contains(*e.Data.Text, "hello")
		case TurnEndEvent:
			return seen, answered
		}
	}
	t.Fatal("the stream ended before the turn")
	return nil, false
}
