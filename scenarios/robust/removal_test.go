package robust

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// removal is a call of a tool that removes the one session of a visit, made with its key until it is answered. The answer counts what was removed: one that
// was carried out a second time would count none.
type removal struct{ key, visit, id string }

// answered calls the tool, unless it was answered.
func (r *removal) answered(ctx context.Context, d *daemon) (alive bool, err error) {
	if r.key == "" {
		return true, nil
	}
	var done struct {
		Deleted  int
		HasMore  bool `json:"has_more"`
		Failed   []string
		Replayed bool
	}
	uncertain, alive, err := keyedTool(ctx, d, "session_cleanup", map[string]any{
		"max_age_hours": 0, "labels": map[string]string{"visit": r.visit}, "idempotency_key": r.key,
	}, &done)
	switch {
	case !alive || err != nil:
		return alive, err
	case !uncertain && done.Deleted == 0 && (done.HasMore || len(done.Failed) > 0): // the daemon ended, and said so: what is left is asked for with another key
		r.key += "+"
		return true, nil
	case !uncertain && done.Deleted == 0 && strings.HasSuffix(r.key, "+"): // the daemon that ended had removed it all the same, too late to say so
		if status, _, _, err := d.call(ctx, http.MethodGet, "/sessions/"+r.id, "", nil); err != nil {
			return false, nil
		} else if status != http.StatusNotFound {
			return true, fmt.Errorf("%w: the key %s has removed nothing, and the session %s is there (%d)", audit.ErrIdempotent, r.key, r.id, status)
		}
	case !uncertain && done.Deleted != 1:
		return true, fmt.Errorf("%w: the key %s has removed %d sessions (replayed: %v)", audit.ErrIdempotent, r.key, done.Deleted, done.Replayed)
	}
	*r = removal{}
	return true, nil
}

// keyedTool calls a tool with a key. uncertain: the daemon of an earlier life may have done it.
func keyedTool(ctx context.Context, d *daemon, tool string, in, out any) (uncertain, alive bool, err error) {
	cs, err := connect(ctx, d, nil)
	if err != nil {
		return false, false, nil
	}
	defer cs.Close()
	alive, err = call(ctx, cs, tool, in, out)
	if err != nil && strings.Contains(err.Error(), "("+string(protocol.CodeUncertain)+")") {
		return true, true, nil
	}
	return false, alive, err
}
