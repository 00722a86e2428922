package codex

import (
	"context"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

var _ adapters.Keeper = Agent{}

// NativeSessions reads the beginnings of the rollout files. Threads of sub-agents are left out.
func (Agent) NativeSessions(ctx context.Context, env []string, cwd string) ([]adapters.NativeSession, error) {
	files, err := filepath.Glob(filepath.Join(native.Home(env, "CODEX_HOME", ".codex"), "sessions", "*", "*", "*", "rollout-*.jsonl"))
	if err != nil {
		return nil, err
	}
	return native.Sessions(ctx, files, cwd, func(_ string, line []byte, n *adapters.NativeSession) bool {
		var s struct {
			Type    string `json:"type"`
			Payload struct {
				Type    string `json:"type"`
				ID      string `json:"id"`
				Cwd     string `json:"cwd"`
				Parent  string `json:"parent_thread_id"`
				Message string `json:"message"` // of threads in the legacy mode
				Item    struct {
					Type    string `json:"type"`
					Content []struct {
						Text string `json:"text"`
					} `json:"content"`
				} `json:"item"`
			} `json:"payload"`
		}
		if native.Decode(line, &s) != nil {
			return true
		}
		p := &s.Payload
		switch {
		case s.Type == "session_meta" && n.ID == "":
			if p.Parent != "" || p.Cwd != cwd || !native.SafeID(p.ID) {
				return false
			}
			n.ID, n.Cwd = p.ID, p.Cwd
		case s.Type == "event_msg" && p.Type == "user_message":
			n.Title = p.Message
		case s.Type == "event_msg" && p.Item.Type == "UserMessage":
			for _, c := range p.Item.Content {
				n.Title += c.Text + " "
			}
		}
		return n.Title == ""
	})
}
