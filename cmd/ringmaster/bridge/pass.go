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
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Times between two tries for a stream.
const (
	firstRetry = 250 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// pass sends a message to the daemon and its answers to the client. What the daemon refuses becomes the answer of the call; a call that it
// breaks off, as when it is killed, is sent once more where that does no harm.
func (b *bridge) pass(ctx context.Context, m *message) {
	for n := 1; !b.carry(ctx, m); n++ {
		if ctx.Err() != nil {
			return
		}
		if n == passTries || !b.harmless(m) || !pause(ctx, firstRetry) {
			b.refuse(m, brokenOff)
			return
		}
	}
}

const (
	passTries = 2
	brokenOff = "The daemon broke off its answer. Whether it has carried out the call is not known: look first, or call again with the same idempotency_key."
)

// harmless says that a call may be carried out twice.
func (b *bridge) harmless(m *message) bool {
	switch m.Method {
	case callTool:
		b.mu.Lock()
		defer b.mu.Unlock()
		return m.Params.Arguments.Key != "" || b.memory.reading[m.Params.Name]
	case "tasks/update":
		return false
	}
	return m.call
}

// carry says whether the client has its answer, also one that says why there is none: else it broke off.
func (b *bridge) carry(ctx context.Context, m *message) (done bool) {
	resp, err := b.post(ctx, m)
	switch {
	case err != nil && cut(err):
		return false
	case err != nil:
		if ctx.Err() == nil {
			b.refuse(m, whyNot(err))
		}
		return true
	}
	defer func() { _ = resp.Body.Close() }()
	session := resp.Header.Get("Mcp-Session-Id")
	b.mu.Lock()
	if m.Method == initialize && session != "" {
		b.session, b.hello = session, m.line
	}
	session = b.session
	b.mu.Unlock()
	switch media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media {
	case "text/event-stream":
		if m.modern() && m.Method == listen {
			b.listened(ctx, m, resp)
			return true
		}
		return b.answered(ctx, m, resp, session)
	case "application/json":
		text, err := io.ReadAll(io.LimitReader(resp.Body, maxLine))
		if err != nil {
			return false
		}
		b.tell(text, m)
	default:
		if resp.StatusCode >= http.StatusBadRequest {
			b.refuse(m, refusal(resp))
		}
	}
	return true
}

// answered passes on the stream of a call and says whether the answer was in it. One of the old era that breaks off is taken up again where
// it was, unless the MCP session has gone, and the call with it.
func (b *bridge) answered(ctx context.Context, m *message, resp *http.Response, session string) (done bool) {
	at, done := b.events(resp.Body, m)
	for n := 0; !done && ctx.Err() == nil; n++ {
		if m.modern() || at == "" || n == 3 || b.sessionNow() != session {
			return false
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
	return done
}

func (b *bridge) sessionNow() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

// listened passes on the stream of notifications of the new era. One that breaks off is opened again, as the client opened it; what it has
// missed meanwhile it is told to look at.
func (b *bridge) listened(ctx context.Context, m *message, resp *http.Response) {
	again := *m
	again.repeated = true
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		if resp != nil {
			_, done := b.events(resp.Body, m)
			_ = resp.Body.Close()
			if done {
				return
			}
			m, wait = &again, firstRetry
		}
		if !pause(ctx, wait) {
			return
		}
		var err error
		if resp, err = b.post(ctx, m); err != nil {
			resp = nil // there is no daemon yet
			continue
		}
		if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media != "text/event-stream" {
			b.refuse(m, refusal(resp))
			_ = resp.Body.Close()
			return
		}
	}
}

// events passes on the messages of a stream. done says that the answer of m was among them; nil: it is the stream of notifications.
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
		done = b.tell(frame.Data, m) || done
	}
}

// tell writes a message of the daemon on one line and says whether it is an answer. m is the call that it came with; nil: none.
func (b *bridge) tell(text []byte, m *message) (answer bool) {
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		b.complain("the daemon's answer is no JSON")
		return false
	}
	var t told
	_ = json.Unmarshal(line.Bytes(), &t) // of several at once nothing is noted
	if m != nil && m.repeated && t.Method == acknowledged {
		for _, uri := range m.Params.Notifications.Resources {
			b.say(updated(uri, m.ID))
		}
		return false
	}
	b.note(m, &t) // first: what the client says next may need it
	b.say(line.Bytes())
	if m != nil && m.begun != nil && t.Method == acknowledged {
		m.begun()
	}
	return t.Method == ""
}

// note remembers of a message of the daemon what a later one has to be told.
func (b *bridge) note(m *message, t *told) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case m == nil:
		b.memory.pushed(t)
	case m.Method == listTools:
		b.memory.listed(t.Result.Tools)
	case m.modern() || t.Method != "":
	default:
		if m.Method == initialize && t.Result.Version != "" {
			b.version = t.Result.Version
		}
		b.memory.answered(m, t)
	}
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

// whyNot says why a request could not be sent, and what to do about it.
func whyNot(err error) string {
	var p *protocol.Problem
	if errors.As(err, &p) {
		return strings.TrimSpace(p.Detail + " " + p.Hint)
	}
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		return err.Error() + ": " + h.Hint()
	}
	return err.Error()
}

// cut says that a connection ended under a request.
func cut(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
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
			if n > 0 { // a daemon that has gone may have had some to tell
				b.tellUpdates()
			}
			if id, _ := b.events(resp.Body, nil); id != "" {
				at = id
			}
			_ = resp.Body.Close()
		case errors.Is(err, errRefused):
			at = "" // what was missed may be gone
		}
		pause(ctx, wait)
		wait = min(2*wait, lastRetry)
	}
}

// pause says whether the time has passed; else ctx is done.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
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
