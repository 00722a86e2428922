package bridge

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// post sends a message. An MCP session that the daemon has forgotten, as after a restart, is opened anew and the message sent
// again: a client at a pipe has no way to.
func (b *bridge) post(ctx context.Context, m *message) (*http.Response, error) {
	h := b.header(m)
	session := h.Get("Mcp-Session-Id")
	resp, err := b.patiently(ctx, h, m.line)
	if err != nil || resp.StatusCode != http.StatusNotFound || session == "" || !b.revive(ctx, session) {
		return resp, err
	}
	_ = resp.Body.Close()
	return b.patiently(ctx, b.header(m), m.line)
}

// patience is how long a daemon that cannot take a message now is asked again. It has waited for itself before it says so.
const patience = time.Minute

// patiently sends a message, and again where the daemon cannot take it now, as while it starts, and says when to ask: it has done nothing
// of it then.
func (b *bridge) patiently(ctx context.Context, h http.Header, line []byte) (*http.Response, error) {
	for began := time.Now(); ; {
		resp, err := b.daemon(ctx, http.MethodPost, h, line)
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable || time.Since(began) >= patience {
			return resp, err
		}
		seconds, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 16)
		if err != nil {
			return resp, nil //nolint:nilerr // the refusal is the answer
		}
		_ = resp.Body.Close()
		if !pause(ctx, max(firstRetry, time.Duration(seconds)*time.Second)) {
			return nil, context.Cause(ctx)
		}
	}
}

// revive opens a new MCP session in place of one that is lost, as the client opened it. It says whether there is one.
func (b *bridge) revive(ctx context.Context, lost string) bool {
	b.reviving.Lock()
	defer b.reviving.Unlock()
	b.mu.Lock()
	now, hello := b.session, b.hello
	b.mu.Unlock()
	if now != lost {
		return true // another message was first
	}
	h := b.header(&message{})
	h.Del("Mcp-Session-Id")
	h.Del("Mcp-Protocol-Version")
	session, _, ok := b.quietly(ctx, h, hello)
	if !ok || session == "" {
		return false
	}
	b.mu.Lock()
	b.session = session
	b.mu.Unlock()
	if _, _, ok := b.quietly(ctx, b.header(&message{}), []byte(`{"jsonrpc":"2.0","method":"`+initialized+`"}`)); !ok {
		return false
	}
	b.sayAgain(ctx)
	b.complain("the daemon had forgotten this MCP session: opened it again")
	return true
}

// sayAgain tells a new MCP session what the client has told the one that is lost, and has pushed what has happened since. The daemon may
// refuse some of it, as of sessions that were deleted: then the client has nothing to lose of that.
func (b *bridge) sayAgain(ctx context.Context) {
	b.mu.Lock()
	k := b.memory
	k.subscribed, k.watched, k.offered = slices.Clone(k.subscribed), slices.Clone(k.watched), slices.Clone(k.offered)
	b.mu.Unlock()
	if k.level != nil {
		b.quietly(ctx, b.header(&message{}), k.level)
	}
	for _, x := range k.subscribed {
		b.quietly(ctx, b.header(&message{}), x.line)
		b.say(updated(x.key, nil)) // it may have changed meanwhile
	}
	for _, w := range k.watched {
		if !b.rewatch(ctx, map[string]any{"session_id": w.session, "since_index": w.index}) { // the log has become shorter
			b.rewatch(ctx, map[string]any{"session_id": w.session})
		}
	}
	for _, x := range k.offered { // after that: an offer has its session pushed as well, from then on
		b.quietly(ctx, b.header(&message{}), x.line)
	}
}

// tellUpdates tells the client that what it has subscribed to may have changed.
func (b *bridge) tellUpdates() {
	b.mu.Lock()
	subscribed := slices.Clone(b.memory.subscribed)
	b.mu.Unlock()
	for _, x := range subscribed {
		b.say(updated(x.key, nil))
	}
}

func (b *bridge) rewatch(ctx context.Context, args map[string]any) bool {
	_, answer, ok := b.quietly(ctx, b.header(&message{}), toolCall("session_watch", args))
	return ok && !bytes.Contains(answer, []byte(`"isError":true`))
}

// quietly sends a message whose answer is not for the client, and gives the answer and the MCP session that it names.
func (b *bridge) quietly(ctx context.Context, h http.Header, line []byte) (session string, answer []byte, ok bool) {
	resp, err := b.patiently(ctx, h, line)
	if err != nil {
		return "", nil, false
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxLine))
	return resp.Header.Get("Mcp-Session-Id"), answer, err == nil && resp.StatusCode < http.StatusBadRequest
}
