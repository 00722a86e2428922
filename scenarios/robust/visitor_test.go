package robust

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// visitor makes short-lived sessions, one after the other, that work for one which stays: create, prompt, end, remove, over HTTP and by tools of MCP. It
// knows what it was told of the last one, so that the next life of the daemon can be held to it, and what all of them have used.
type visitor struct {
	bill    bill
	id      string // of the last one; empty: none that anybody was told of
	leaving bool   // its removal was asked for
	gone    bool   // and answered
	visits  int
	key     int // of the creation, which is asked for with it until it is answered
	token   token
	removal removal
}

// token is one that is made with a key again and again, until something is answered: then it was made once, or nobody knows and it was made once at most.
type token struct {
	n     int
	tried bool // without an answer
	gone  bool // its removal was asked for
}

// once makes the token, looks whether it is there once, and takes it back.
func (k *token) once(ctx context.Context, d *daemon) (alive bool, err error) {
	key := fmt.Sprintf("token-%d", k.n)
	again := k.tried
	k.tried = true
	status, _, body, err := d.call(ctx, http.MethodPost, "/tokens", key, map[string]string{"name": key, "scope": "admin"})
	if err != nil {
		return false, nil
	}
	var p struct{ Code protocol.Code }
	if err := json.Unmarshal(body, &p); err != nil {
		return true, err
	}
	ids, alive, err := k.made(ctx, d, key)
	if !alive || err != nil {
		return alive, err
	}
	switch {
	case status == http.StatusCreated && len(ids) == 1:
	case again && p.Code == protocol.CodeAnswerGone && (len(ids) == 1 || k.gone && len(ids) == 0):
	case again && p.Code == protocol.CodeUncertain && len(ids) <= 1:
	default:
		return true, fmt.Errorf("%w: the key %s was answered with %d %s, and has made %d tokens", audit.ErrIdempotent, key, status, p.Code, len(ids))
	}
	for _, id := range ids {
		k.gone = true
		status, _, body, err := d.call(ctx, http.MethodDelete, "/tokens/"+id, "", nil)
		if err != nil {
			return false, nil
		}
		if status/100 != 2 {
			return true, fmt.Errorf("revoke: %d: %s", status, body)
		}
	}
	*k = token{n: k.n + 1}
	return true, nil
}

// made gives the ids of the tokens that have this name.
func (*token) made(ctx context.Context, d *daemon, name string) (ids []string, alive bool, err error) {
	_, list, err := d.get(ctx, "/tokens")
	if err != nil {
		return nil, false, nil
	}
	var all struct{ Tokens []struct{ ID, Name string } }
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, true, fmt.Errorf("tokens: %w: %s", err, list)
	}
	for _, t := range all.Tokens {
		if t.Name == name {
			ids = append(ids, t.ID)
		}
	}
	return ids, true, nil
}

// visit goes on until ctx is done or the daemon is dead.
func (v *visitor) visit(ctx context.Context, d *daemon) error {
	for {
		if alive, err := v.once(ctx, d); !alive || err != nil {
			return err
		}
		v.visits++
		if !pause(ctx, pollEvery) {
			return nil
		}
	}
}

func (v *visitor) once(ctx context.Context, d *daemon) (alive bool, err error) {
	if alive, err := v.removal.answered(ctx, d); !alive || err != nil { // that the last life may have carried out
		return alive, err
	}
	if alive, err := v.check(ctx, d); !alive || err != nil {
		return alive, err
	}
	if v.id == "" || v.gone {
		v.bill.settle()
		v.id, v.leaving, v.gone = "", false, false
		if alive, err := v.bill.open(ctx, d); !alive || err != nil {
			return alive, err
		}
		if alive, err := v.create(ctx, d); !alive || err != nil {
			return alive, err
		}
	}
	if alive, err := v.bill.use(ctx, d, v.id, v.key); !alive || err != nil {
		return alive, err
	}
	if alive, err := v.end(ctx, d); !alive || err != nil {
		return alive, err
	}
	if alive, err := v.bill.ended(ctx, d, v.id); !alive || err != nil {
		return alive, err
	}
	v.leaving = true
	if v.key%2 == 0 {
		v.removal = removal{key: fmt.Sprintf("clean-%d", v.key), visit: fmt.Sprintf("visit-%d", v.key-1), id: v.id}
		if alive, err := v.removal.answered(ctx, d); !alive || err != nil {
			return alive, err
		}
	}
	status, _, body, err := d.call(ctx, http.MethodDelete, "/sessions/"+v.id, "", nil)
	if err != nil {
		return false, nil
	}
	if status/100 != 2 && status != http.StatusNotFound { // the removal has taken it
		return true, fmt.Errorf("delete session %s: %d: %s", v.id, status, body)
	}
	v.gone = true
	return v.token.once(ctx, d)
}

// end ends the session, over HTTP or by a tool, with a key that may have done so before the last kill.
func (v *visitor) end(ctx context.Context, d *daemon) (alive bool, err error) {
	key := fmt.Sprintf("end-%d", v.key)
	if v.key%2 == 0 {
		in := map[string]any{"session_id": v.id, "idempotency_key": key}
		uncertain, alive, err := keyedTool(ctx, d, "session_end", in, new(struct{}))
		if uncertain { // ending twice does no harm
			delete(in, "idempotency_key")
			_, alive, err = keyedTool(ctx, d, "session_end", in, new(struct{}))
		}
		return alive, err
	}
	status, _, body, err := d.call(ctx, http.MethodPost, "/sessions/"+v.id+"/end", key, nil)
	if err != nil {
		return false, nil
	}
	if status/100 != 2 && status != http.StatusConflict { // it had ended before the kill, or nobody knows whether it had
		return true, fmt.Errorf("end session %s: %d: %s", v.id, status, body)
	}
	return true, nil
}

// create makes a session with a key that may have made it before the last kill: there is one, however often it was asked for.
func (v *visitor) create(ctx context.Context, d *daemon) (alive bool, err error) {
	key := fmt.Sprintf("visit-%d", v.key)
	want := map[string]any{"agent": "scripted", "cwd": d.root, "labels": map[string]string{"visit": key}, "parentSessionId": v.bill.host}
	status, _, body, err := d.call(ctx, http.MethodPost, "/sessions", key, want)
	if err != nil {
		return false, nil
	}
	id, err := created(status, body)
	if err != nil {
		return true, err
	}
	_, list, err := d.get(ctx, "/sessions?label=visit:"+key)
	if err != nil {
		return false, nil
	}
	var page struct{ Sessions []struct{ ID string } }
	if err := json.Unmarshal(list, &page); err != nil || len(page.Sessions) != 1 || page.Sessions[0].ID != id {
		return true, fmt.Errorf("%w: the key %s has made %s, and there are %s", audit.ErrIdempotent, key, id, list)
	}
	v.id = id
	v.key++
	return true, nil
}

// check holds the daemon to what it said of the last session: one that was made is there, one that was removed is not.
func (v *visitor) check(ctx context.Context, d *daemon) (alive bool, err error) {
	if v.id == "" {
		return true, nil
	}
	if alive, err := v.bill.check(ctx, d); !alive || err != nil {
		return alive, err
	}
	status, _, body, err := d.call(ctx, http.MethodGet, "/sessions/"+v.id, "", nil)
	switch {
	case err != nil:
		return false, nil
	case status == http.StatusOK && v.gone:
		return true, fmt.Errorf("%w: session %s was removed and is there: %s", audit.ErrDurable, v.id, body)
	case status == http.StatusNotFound && !v.leaving:
		return true, fmt.Errorf("%w: session %s was made and is not there", audit.ErrLost, v.id)
	case status == http.StatusNotFound:
		v.gone = true
	case status != http.StatusOK:
		return true, fmt.Errorf("session %s: %d: %s", v.id, status, body)
	}
	return true, nil
}

func newSession(d *daemon) map[string]string {
	return map[string]string{"agent": "scripted", "cwd": d.root}
}

func created(status int, body []byte) (id string, err error) {
	var made struct{ ID string }
	if err := json.Unmarshal(body, &made); err != nil || status != http.StatusCreated || made.ID == "" {
		return "", fmt.Errorf("create: %d: %s", status, body)
	}
	return made.ID, nil
}
