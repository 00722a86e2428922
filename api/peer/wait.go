package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// waits is the path of a wait, the one that names no session and that peers pass on all the same.
const waits = "/wait"

// How long the answer of a wait may be on its way, and how often it is asked whether its node is alive.
const (
	waitGrace  = 5 * time.Second
	aliveEvery = 2 * time.Second
)

// Wait has a wait answered, as the principal of the context, by the node that has all of its sessions; done is false where none has, or where that one did not
// answer: then this node answers out of its list, which is as old as what Core tells.
func (f *Forwarder) Wait(ctx context.Context, want *resource.WaitRequest, timeout time.Duration) (a resource.WaitAnswer, done bool, err error) {
	who := access.Of(ctx)
	if f == nil || who == nil || who.Via != "" || who.Scope == access.Agent || want.Select != nil {
		return a, false, nil
	}
	node := f.nodeOfAll(ctx, want.Sessions)
	if node == "" || !f.under.Take(who, 1) {
		return a, false, nil
	}
	defer f.under.Give(who, 1)
	there, left := *want, timeout.Milliseconds()
	there.TimeoutMs = &left
	text, err := json.Marshal(&there)
	if err != nil {
		return a, false, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer f.whileAlive(ctx, node, cancel)()
	resp, err := f.ask(ctx, node, who, &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: waits}, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}, timeout+waitGrace)
	if err != nil {
		return a, false, nil
	}
	defer resp.Body.Close()
	answer := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		p := new(protocol.Problem)
		if answer.Decode(p) == nil && p.Code == protocol.CodePromptNotFound { // what else may be wrong this node says as well
			return a, true, p
		}
		return a, false, nil
	}
	if answer.Decode(&a) != nil {
		return resource.WaitAnswer{}, false, nil
	}
	return a, true, nil
}

// nodeOfAll is the other node that has every session; "": none.
func (f *Forwarder) nodeOfAll(ctx context.Context, ids []string) (node string) {
	for i, id := range ids {
		if !protocol.ValidSessionID(id) {
			return ""
		}
		switch at := f.node(ctx, id, false); {
		case at == "", i > 0 && at != node:
			return ""
		default:
			node = at
		}
	}
	return node
}

// whileAlive ends something once a node is not alive any more. What it gives ends that.
func (f *Forwarder) whileAlive(ctx context.Context, node string, end func()) (stop func()) {
	stopped := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	go func() { // ends with stop, which waits for it
		defer close(stopped)
		look := time.NewTicker(aliveEvery)
		defer look.Stop()
		for {
			select {
			case <-look.C:
				if _, err := f.cfg.Reaches(ctx, node); err != nil {
					end()
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-stopped
	}
}
