package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The two eras of MCP: clients of the old one are pushed to, those of the new one follow. Both are woken by subscriptions.
const (
	oldEra = "2025-11-25"
	newEra = "2026-07-28"
)

// waits is for how long calls wait, in milliseconds.
const waits = 55000

// host is a client of MCP, made with the official SDK, that is told of one session in every way that its era has, from the beginning on.
type host struct {
	*session
	revision string
	mcp      *sdk.ClientSession
	woken    chan struct{}
	working  sync.WaitGroup // what reads and what follows

	mu       sync.Mutex
	pushed   []protocol.SessionEvent // by notifications: of the old era, or on the stream of the call that follows
	answered []protocol.SessionEvent // by the calls that follow
	lines    []byte                  // read of the log, whenever an update said that there is more
	wrong    error
}

// hosts connects a client of each era; they end with the row.
func (s *session) hosts() []*host {
	s.Helper()
	return []*host{s.host(oldEra), s.host(newEra)}
}

func (s *session) host(revision string) *host {
	s.Helper()
	h := &host{session: s, revision: revision, woken: make(chan struct{}, 1)}
	client := sdk.NewClient(&sdk.Implementation{Name: "live", Version: "1"}, &sdk.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { //nolint:staticcheck // all there is in the old era
			h.told(r.Params.Data)
		},
		ResourceUpdatedHandler: func(context.Context, *sdk.ResourceUpdatedNotificationRequest) { h.wake() },
	})
	url, token := s.daemon.mcpServer(s)
	var err error
	h.mcp, err = client.Connect(s.Context(), &sdk.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearer(token)},
	}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		_ = h.mcp.Close() // the row's calls were given up
		h.working.Wait()
	})
	if got := h.mcp.InitializeResult(); got == nil || got.ProtocolVersion != revision {
		s.Fatalf("the client speaks %+v instead of %s", got, revision)
	}
	if err := h.watch(); err != nil {
		s.Fatalf("%s: %v", revision, err)
	}
	return h
}

func (h *host) modern() bool { return h.revision == newEra }

// watch has the host told in every way.
func (h *host) watch() error {
	if err := h.mcp.Subscribe(h.Context(), &sdk.SubscribeParams{URI: h.uri()}); err != nil {
		return err
	}
	h.wake() // what was there before is read as well
	h.working.Go(h.read)
	if h.modern() {
		h.working.Go(h.follow)
		return nil
	}
	if err := h.mcp.SetLoggingLevel(h.Context(), &sdk.SetLoggingLevelParams{Level: "info"}); err != nil { //nolint:staticcheck // the old era
		return err
	}
	return h.ask("session_watch", map[string]any{"session_id": h.id, "since_index": -1}, &struct{}{})
}

func (h *host) uri() string { return "session://" + h.id + "/log" }

func (h *host) wake() {
	select {
	case h.woken <- struct{}{}:
	default:
	}
}

// bearer is a token that goes with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// ask calls a tool and reads its structured answer.
func (h *host) ask(tool string, args, out any) error {
	p := &sdk.CallToolParams{Name: tool, Arguments: args}
	if h.modern() {
		p.Meta = sdk.Meta{sdk.MetaKeyLogLevel: "info"} //nolint:staticcheck // deprecated, and all there is
	}
	r, err := h.mcp.CallTool(h.Context(), p)
	if err != nil {
		return err
	}
	if r.IsError {
		text, err := json.Marshal(r.Content)
		return fmt.Errorf("%s: %s %w", tool, text, err)
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// told takes a notification.
func (h *host) told(data any) {
	raw, err := json.Marshal(data)
	var it protocol.SessionEvent
	if err == nil {
		err = json.Unmarshal(raw, &it)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil || it.SessionID != "" && it.SessionID != h.id {
		h.wrong = fmt.Errorf("pushed %s: %w", raw, err)
	}
	h.pushed = append(h.pushed, it)
}

// read reads what is new of the log whenever the host is told that there is some; it ends with the row.
func (h *host) read() {
	cursor := ""
	for {
		select {
		case <-h.woken:
		case <-h.Context().Done():
			return
		}
		for more := true; more; {
			uri := h.uri()
			if cursor != "" {
				uri += "?since=" + cursor
			}
			r, err := h.mcp.ReadResource(h.Context(), &sdk.ReadResourceParams{URI: uri})
			if err != nil || len(r.Contents) != 1 {
				h.fails(err)
				return
			}
			c := r.Contents[0]
			h.mu.Lock()
			h.lines = append(h.lines, c.Text...)
			h.mu.Unlock()
			cursor, _ = c.Meta["cursor"].(string)
			more = cursor != c.Meta["newest"]
		}
	}
}

// page is an answer of session_events.
type page struct {
	LastIndex int                     `json:"last_index"`
	HasMore   bool                    `json:"has_more"`
	Events    []protocol.SessionEvent `json:"events"`
}

// follow calls session_events again and again; it ends with the row.
func (h *host) follow() {
	for since := -1; h.Context().Err() == nil; {
		var p page
		err := h.ask("session_events", map[string]any{"session_id": h.id, "since_index": since, "follow": true, "wait_ms": waits}, &p)
		if err != nil {
			h.fails(err)
			return
		}
		h.mu.Lock()
		h.answered = append(h.answered, p.Events...)
		h.mu.Unlock()
		since = p.LastIndex
	}
}

// fails notes what went wrong before the row's end.
func (h *host) fails(err error) {
	if h.Context().Err() != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = fmt.Errorf("a channel broke off: %w", err)
}

// poll reads all items, a page at a time.
func (h *host) poll() (all []protocol.SessionEvent, err error) {
	for p := (page{LastIndex: -1, HasMore: true}); p.HasMore; all = append(all, p.Events...) {
		since := p.LastIndex
		p = page{}
		if err := h.ask("session_events", map[string]any{"session_id": h.id, "since_index": since}, &p); err != nil {
			return all, err
		}
	}
	return all, nil
}

// result is what a call told of a prompt, or of the session's newest turn.
type result struct {
	Outcome string `json:"outcome"`
	Text    string `json:"text"`
	Error   string `json:"error"`
}

// message sends a prompt by its key and waits for what becomes of it. Who repeats it waits for the same prompt.
func (h *host) message(text, key string) (r result, err error) {
	err = h.ask("session_message", map[string]any{"session_id": h.id, "message": text, "idempotency_key": key, "wait_ms": waits}, &r)
	return r, err
}

// join waits for a prompt; empty: for the session to come to rest.
func (h *host) join(prompt string) (result, error) {
	args := map[string]any{"session_ids": []string{h.id}, "wait_ms": waits}
	if prompt != "" {
		args["prompt_id"] = prompt
	}
	var told struct {
		Sessions []result `json:"sessions"`
	}
	if err := h.ask("session_join", args, &told); err != nil {
		return result{}, err
	}
	return told.Sessions[0], nil
}

// heard waits until the host was told in every way, up to the event last and a log of so many bytes, and gives what it was told.
func (h *host) heard(last uint64, log int) (pushed, answered []protocol.SessionEvent, lines []byte, err error) {
	reached := func(list []protocol.SessionEvent, seq uint64) bool {
		return len(list) > 0 && list[len(list)-1].Seq >= seq
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(patience); ; <-tick.C {
		h.mu.Lock()
		pushed, answered, lines, err = h.pushed, h.answered, h.lines, h.wrong
		h.mu.Unlock()
		switch {
		case err != nil || reached(pushed, last) && (!h.modern() || reached(answered, last)) && len(lines) >= log:
			return pushed, answered, lines, err
		case time.Now().After(until):
			return pushed, answered, lines, fmt.Errorf("waited in vain for event %d: pushed %d, answered %d, read %d bytes of %d", last, len(pushed), len(answered), len(lines), log)
		}
	}
}
