package pi

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

var _ adapters.Keeper = Agent{}

// NativeSessions reads the beginnings of the session files of all folders: Pi's names of the folders are its own affair.
func (Agent) NativeSessions(ctx context.Context, env []string, cwd string) ([]adapters.NativeSession, error) {
	files, err := filepath.Glob(filepath.Join(native.Home(env, "PI_CODING_AGENT_DIR", ".pi", "agent"), "sessions", "*", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	return native.Sessions(ctx, files, cwd, func(_ string, line []byte, n *adapters.NativeSession) bool {
		var s struct {
			Type    string `json:"type"`
			ID      string `json:"id"`
			Cwd     string `json:"cwd"`
			Name    string `json:"name"`
			Message struct {
				Role    string          `json:"role"`
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if native.Decode(line, &s) != nil {
			return true
		}
		switch {
		case s.Type == "session" && n.ID == "":
			if s.Cwd != cwd || !native.SafeID(s.ID) {
				return false
			}
			n.ID, n.Cwd = s.ID, s.Cwd
		case s.Type == "message" && s.Message.Role == "user":
			type block struct {
				Text string `json:"text"`
			}
			for _, c := range native.Content(s.Message.Content, func(text string) block { return block{text} }) {
				n.Title += c.Text + " "
			}
		}
		return n.Title == ""
	})
}
