package opencode

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
)

var _ adapters.Teller = Agent{}

// maxTold is how many sessions OpenCode is asked for: what it says of them has to fit into program.Ask's bound.
const maxTold = "100"

// TellSessions runs `opencode session list`, which has the sessions of the folder's project: OpenCode keeps them in a database.
func (Agent) TellSessions(ctx context.Context, spec adapters.Spec) ([]adapters.NativeSession, error) {
	env := program.WithDefaults(spec.Env, quiet...)
	said, err := program.Ask(ctx, spec.Program, spec.Cwd, env, "session", "list", "--format", "json", "--max-count", maxTold)
	if err != nil {
		return nil, err
	}
	return sessionsIn(said, spec.Cwd)
}

// sessionsIn reads the list. Where there are none, some versions say nothing at all.
func sessionsIn(said []byte, cwd string) ([]adapters.NativeSession, error) {
	var list []struct {
		ID        string  `json:"id"`
		Title     string  `json:"title"`
		Directory string  `json:"directory"`
		Updated   float64 `json:"updated"` // Unix ms
	}
	out := []adapters.NativeSession{}
	if len(said) == 0 {
		return out, nil
	}
	if err := json.Unmarshal(said, &list); err != nil {
		return nil, fmt.Errorf("opencode session list: %w", err)
	}
	for _, s := range list {
		if s.Directory != cwd || !native.SafeID(s.ID) {
			continue
		}
		title := s.Title
		if placeholder(title) {
			title = ""
		}
		out = append(out, adapters.NativeSession{ID: s.ID, Cwd: s.Directory, Title: native.Title(title), Updated: time.UnixMilli(int64(s.Updated))})
	}
	return out, nil
}
