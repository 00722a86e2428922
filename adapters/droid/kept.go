package droid

import (
	"context"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

var _ adapters.Keeper = Agent{}

// NativeSessions reads the first lines of the session files of all folders.
func (Agent) NativeSessions(ctx context.Context, env []string, cwd string) ([]adapters.NativeSession, error) {
	files, err := filepath.Glob(filepath.Join(native.Home(env, "", ".factory", "sessions"), "*", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	return native.Sessions(ctx, files, cwd, func(_ string, line []byte, n *adapters.NativeSession) bool {
		var s struct {
			Type  string `json:"type"`
			ID    string `json:"id"`
			Cwd   string `json:"cwd"`
			Title string `json:"title"`
		}
		if native.Decode(line, &s) == nil && s.Type == "session_start" && native.SafeID(s.ID) {
			n.ID, n.Cwd, n.Title = s.ID, s.Cwd, s.Title
		}
		return false
	})
}
