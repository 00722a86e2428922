package bridge

import (
	"context"
	"io"
	"net/http"
)

// post sends a message. An MCP session that the daemon has forgotten, as after a restart, is opened anew and the message sent
// again: a client at a pipe has no way to.
func (b *bridge) post(ctx context.Context, m *message) (*http.Response, error) {
	h := b.header(m)
	session := h.Get("Mcp-Session-Id")
	resp, err := b.daemon(ctx, http.MethodPost, h, m.line)
	if err != nil || resp.StatusCode != http.StatusNotFound || session == "" || !b.revive(ctx, session) {
		return resp, err
	}
	_ = resp.Body.Close()
	return b.daemon(ctx, http.MethodPost, b.header(m), m.line)
}

// revive opens a new MCP session in place of one that is lost, as the client opened it. It says whether there is one.
func (b *bridge) revive(ctx context.Context, lost string) bool {
	b.reviving.Lock()
	defer b.reviving.Unlock()
	b.mu.Lock()
	now, hello, level := b.session, b.hello, b.level
	b.mu.Unlock()
	if now != lost {
		return true // another message was first
	}
	h := b.header(&message{})
	h.Del("Mcp-Session-Id")
	h.Del("Mcp-Protocol-Version")
	session, ok := b.quietly(ctx, h, hello)
	if !ok || session == "" {
		return false
	}
	b.mu.Lock()
	b.session = session
	b.mu.Unlock()
	if _, ok := b.quietly(ctx, b.header(&message{}), []byte(`{"jsonrpc":"2.0","method":"`+initialized+`"}`)); !ok {
		return false
	}
	if level != nil {
		_, ok = b.quietly(ctx, b.header(&message{}), level)
	}
	b.complain("the daemon had forgotten this MCP session: opened it again")
	return ok
}

// quietly sends a message whose answer is not for the client, and gives the MCP session that the answer names.
func (b *bridge) quietly(ctx context.Context, h http.Header, line []byte) (session string, ok bool) {
	resp, err := b.daemon(ctx, http.MethodPost, h, line)
	if err != nil {
		return "", false
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxLine))
	return resp.Header.Get("Mcp-Session-Id"), err == nil && resp.StatusCode < http.StatusBadRequest
}
