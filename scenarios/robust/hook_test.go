package robust

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// receiver is told of an arena's sessions by a webhook, over all lives of its daemon. What is new of a session comes in the order of its log; what comes again has
// the id that it had. That everything comes is shown by scenarios/webhooks.
type receiver struct {
	server *httptest.Server

	mu   sync.Mutex
	seen map[string]bool
	last map[string]uint64 // event, by session
	bad  error
}

// newReceiver listens until the context is done.
func newReceiver(ctx context.Context) *receiver {
	r := &receiver{seen: map[string]bool{}, last: map[string]uint64{}}
	r.server = httptest.NewServer(r)
	context.AfterFunc(ctx, r.server.Close)
	return r
}

func (r *receiver) ServeHTTP(_ http.ResponseWriter, in *http.Request) {
	var n struct {
		Data struct{ SessionID, Cursor string }
	}
	if json.NewDecoder(in.Body).Decode(&n) != nil {
		return // the daemon was killed meanwhile
	}
	id := in.Header.Get("Webhook-Id")
	at, err := protocol.ParseCursor(n.Data.Cursor)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil || r.seen[id]: // that a session was deleted has no cursor
	case at.Seq <= r.last[n.Data.SessionID]:
		r.bad = fmt.Errorf("the webhook told %s behind event %d of its session", id, r.last[n.Data.SessionID])
	default:
		r.last[n.Data.SessionID] = at.Seq
	}
	r.seen[id] = true
}

// err says what was told out of order.
func (r *receiver) err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bad
}

// hook has a daemon tell the receiver.
func (r *receiver) hook(ctx context.Context, d *daemon) error {
	all := resource.NewWebhook{URL: r.server.URL + "/in"}
	for _, k := range notice.Kinds() {
		all.Kinds = append(all.Kinds, resource.WebhookKind(k))
	}
	status, _, body, err := d.call(ctx, http.MethodPost, "/webhooks", "", all)
	if err == nil && status != http.StatusCreated {
		err = fmt.Errorf("POST /webhooks: %d: %s", status, body)
	}
	return err
}
