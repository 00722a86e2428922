package robust

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// visitor makes short-lived sessions, one after the other: create, prompt, end, delete. It knows what it was told of the last
// one, so that the next life of the daemon can be held to it.
type visitor struct {
	id      string // of the last one; empty: none that anybody was told of
	leaving bool   // its removal was asked for
	gone    bool   // and answered
	visits  int
	key     int // of the creation, which is asked for with it until it is answered
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
	if alive, err := v.check(ctx, d); !alive || err != nil {
		return alive, err
	}
	if v.id == "" || v.gone {
		v.id, v.leaving, v.gone = "", false, false
		if alive, err := v.create(ctx, d); !alive || err != nil {
			return alive, err
		}
	}
	for _, step := range []struct{ method, path string }{
		{http.MethodPost, "/sessions/" + v.id + "/end"},
		{http.MethodDelete, "/sessions/" + v.id},
	} {
		v.leaving = v.leaving || step.method == http.MethodDelete
		status, _, body, err := d.call(ctx, step.method, step.path, "", nil)
		if err != nil {
			return false, nil
		}
		if status/100 != 2 && status != http.StatusConflict { // it had ended before the kill
			return true, fmt.Errorf("%s %s: %d: %s", step.method, step.path, status, body)
		}
	}
	v.gone = true
	return true, nil
}

// create makes a session with a key that may have made it before the last kill: there is one, however often it was asked for.
func (v *visitor) create(ctx context.Context, d *daemon) (alive bool, err error) {
	key := fmt.Sprintf("visit-%d", v.key)
	want := map[string]any{"agent": "scripted", "cwd": d.root, "labels": map[string]string{"visit": key}}
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
