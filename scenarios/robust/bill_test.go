package robust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// errBill says that the sessions of a tree have used something else than is counted.
var errBill = errors.New("bill")

// bill is what all visits have used: what the daemon counts in the tree above them, whichever of them are there.
type bill struct {
	host  string // the session that they work for
	total int64  // tokens of those before the last one
	last  int64  // of the last one
	known bool   // it uses no more
}

// open makes the session that all visits work for, once.
func (b *bill) open(ctx context.Context, d *daemon) (alive bool, err error) {
	if b.host != "" {
		return true, nil
	}
	status, _, body, err := d.call(ctx, http.MethodPost, "/sessions", "visits", map[string]any{"agent": "scripted", "cwd": d.root})
	if err != nil {
		return false, nil
	}
	b.host, err = created(status, body)
	return true, err
}

// settle adds the last visit, of which nothing is left.
func (b *bill) settle() { b.total, b.last, b.known = b.total+b.last, 0, false }

// use has the agent of a visit use something, and waits until it is done, or nobody knows.
func (b *bill) use(ctx context.Context, d *daemon, id string, n int) (alive bool, err error) {
	if b.known {
		return true, nil
	}
	key := fmt.Sprintf("use-%d", n)
	text := fmt.Sprintf("play\n```script\n[{\"usage\": {\"input\": %d, \"output\": 1}}, {\"say\": {\"text\": \"x\"}}]\n```", 1+n%7)
	status, _, body, err := d.call(ctx, http.MethodPost, "/sessions/"+id+"/prompts", key, map[string]string{"text": text})
	if err != nil {
		return false, nil
	}
	if status/100 != 2 && status != http.StatusConflict { // it has ended before the kill, or nobody knows whether the prompt was taken
		return true, fmt.Errorf("prompt: %d: %s", status, body)
	}
	for {
		have, alive, err := b.read(ctx, d, id)
		if !alive || err != nil {
			return alive, err
		}
		if status == http.StatusConflict || have.Spent.Turns > 0 {
			return true, nil
		}
		if !pause(ctx, pollEvery) {
			return false, nil
		}
	}
}

// ended notes what a visit has used, which has ended.
func (b *bill) ended(ctx context.Context, d *daemon, id string) (alive bool, err error) {
	if b.known {
		return true, nil
	}
	have, alive, err := b.read(ctx, d, id)
	if alive && err == nil {
		b.last, b.known = have.Spent.TotalTokens, true
	}
	return alive, err
}

// check compares what the daemon counts with what was used. Where a visit may have used more than it had when it was looked at, it asks after nothing.
func (b *bill) check(ctx context.Context, d *daemon) (alive bool, err error) {
	if b.host == "" || !b.known {
		return true, nil
	}
	have, alive, err := b.read(ctx, d, b.host)
	if !alive || err != nil {
		return alive, err
	}
	if want := b.total + b.last; have.Tree.Tokens != want {
		return true, fmt.Errorf("%w: the tree has used %d tokens, and is said to have used %d", errBill, want, have.Tree.Tokens)
	}
	return true, nil
}

func (b *bill) read(ctx context.Context, d *daemon, id string) (have resource.SessionBudget, alive bool, err error) {
	status, _, body, err := d.call(ctx, http.MethodGet, "/sessions/"+id+"/budget", "", nil)
	if err != nil {
		return have, false, nil
	}
	if status != http.StatusOK {
		return have, true, fmt.Errorf("budget: %d: %s", status, body)
	}
	return have, true, json.Unmarshal(body, &have)
}
