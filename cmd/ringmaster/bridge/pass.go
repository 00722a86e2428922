package bridge

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Times between two tries for a stream.
const (
	firstRetry = 250 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// pass sends a message to the daemon and its answers to the client. What the daemon refuses becomes the answer of the call.
func (b *bridge) pass(ctx context.Context, m *message) {
	resp, err := b.post(ctx, m)
	if err != nil {
		if ctx.Err() == nil {
			b.refuse(m, err.Error())
		}
		return
	}
	defer func() { _ = resp.Body.Close() }()
	b.mu.Lock()
	switch id := resp.Header.Get("Mcp-Session-Id"); {
	case m.Method == initialize && id != "":
		b.session, b.hello = id, m.line
	case m.Method == setLevel && resp.StatusCode == http.StatusOK:
		b.level = m.line
	}
	b.mu.Unlock()
	switch media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media {
	case "text/event-stream":
		b.answered(ctx, m, resp)
	case "application/json":
		text, err := io.ReadAll(io.LimitReader(resp.Body, maxLine))
		if err != nil {
			b.refuse(m, err.Error())
			return
		}
		b.tell(text)
	default:
		if resp.StatusCode >= http.StatusBadRequest {
			b.refuse(m, refusal(resp))
		}
	}
}

// answered passes on the stream of a call. One of the old era that breaks off is taken up again where it was.
func (b *bridge) answered(ctx context.Context, m *message, resp *http.Response) {
	at, done := b.events(resp.Body, m)
	for n := 0; !done && ctx.Err() == nil; n++ {
		if m.modern() || at == "" || n == 3 {
			b.refuse(m, "The daemon broke off its answer.")
			return
		}
		rest, err := b.get(ctx, at)
		if err != nil {
			continue
		}
		from := at
		at, done = b.events(rest.Body, m)
		if at == "" {
			at = from
		}
		_ = rest.Body.Close()
	}
}

// events passes on the messages of a stream. done says that the answer of m was among them.
func (b *bridge) events(r io.Reader, m *message) (lastID string, done bool) {
	frames := protocol.NewSSEReader(r, maxLine)
	for {
		frame, err := frames.Next()
		if err != nil {
			return frames.LastEventID(), done
		}
		if len(frame.Data) == 0 {
			continue // a place to come back to
		}
		done = b.tell(frame.Data) || done
		if m != nil && m.Method == initialize {
			b.negotiated(frame.Data)
		}
	}
}

// negotiated notes the revision that an answer to initialize names.
func (b *bridge) negotiated(text []byte) {
	var answer struct {
		Result struct {
			Version string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(text, &answer) == nil && answer.Result.Version != "" {
		b.mu.Lock()
		b.version = answer.Result.Version
		b.mu.Unlock()
	}
}

// tell writes a message of the daemon on one line and says whether it is an answer.
func (b *bridge) tell(text []byte) (answer bool) {
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		b.complain("the daemon's answer is no JSON")
		return false
	}
	var kind struct {
		Method string `json:"method"`
	}
	_ = json.Unmarshal(line.Bytes(), &kind)
	b.say(line.Bytes())
	return kind.Method == ""
}

// refuse answers a call in the daemon's place; of other messages it tells whoever reads the log.
func (b *bridge) refuse(m *message, why string) {
	if !m.call || len(m.ID) == 0 {
		b.complain("%s", why)
		return
	}
	text, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32603, "message": why},
	})
	if err == nil {
		b.say(text)
	}
}

// refusal says why the daemon refused a request.
func refusal(resp *http.Response) string {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	var p protocol.Problem
	if json.Unmarshal(text, &p) != nil || p.Code == "" {
		return "The daemon answered " + resp.Status + "."
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s (%s)", p.Detail, p.Hint, p.Code))
}

// errRefused is a stream that the daemon does not give.
var errRefused = errors.New("refused")

func (b *bridge) get(ctx context.Context, lastID string) (*http.Response, error) {
	h := b.header(nil)
	if lastID != "" {
		h.Set("Last-Event-ID", lastID)
	}
	resp, err := b.daemon(ctx, http.MethodGet, h, nil)
	if err != nil || resp.StatusCode == http.StatusOK {
		return resp, err
	}
	_ = resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		b.revive(ctx, h.Get("Mcp-Session-Id"))
	}
	return nil, errRefused
}

// listen keeps the stream of notifications of the old era open. It closes tried after the first try.
func (b *bridge) listen(ctx context.Context, tried chan<- struct{}) {
	at, wait := "", firstRetry
	for n := 0; n == 0 || ctx.Err() == nil; n++ {
		resp, err := b.get(ctx, at)
		if n == 0 {
			close(tried)
		}
		switch {
		case err == nil:
			wait = firstRetry
			if id, _ := b.events(resp.Body, nil); id != "" {
				at = id
			}
			_ = resp.Body.Close()
		case errors.Is(err, errRefused):
			at = "" // what was missed may be gone
		}
		pause := time.NewTimer(wait)
		wait = min(2*wait, lastRetry)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
}

// headerText is a text as a header may carry it: what it may not is base64.
func headerText(text string) string {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] > 0x7e {
			return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
		}
	}
	if strings.TrimSpace(text) != text || strings.HasPrefix(text, "=?base64?") {
		return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
	}
	return text
}
