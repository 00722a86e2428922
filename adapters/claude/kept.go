package claude

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

var (
	_ adapters.Keeper = Agent{}
	_ adapters.Silent = Agent{}
)

// Bounds of a transcript that is read: of its file, and of the lines of it that are kept, the newest.
const (
	maxTranscript = 256 << 20
	maxPastBytes  = 32 << 20
	maxPastLines  = 4000
)

// transcripts is the folder with the sessions of a working folder: one file ID.jsonl each.
func transcripts(env []string, cwd string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, cwd)
	return filepath.Join(native.Home(env, "CLAUDE_CONFIG_DIR", ".claude"), "projects", name)
}

// stored is a line of a transcript, which has more than the same line on the wire.
type stored struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	Cwd       string `json:"cwd"`
	UUID      string `json:"uuid"`
	Parent    string `json:"parentUuid"`
	Sidechain bool   `json:"isSidechain"`
	Meta      bool   `json:"isMeta"`
	Summary   bool   `json:"isCompactSummary"`
	APIError  bool   `json:"isApiErrorMessage"`

	Message message `json:"message"`
	Title   string  `json:"summary"` // of a line of the type summary
}

// begins says that the line may begin another branch of the conversation: it is of the user's side, and no tool's result. Results of calls at one
// time have several lines for a parent, and begin none.
func (s *stored) begins() bool {
	return s.Type == "user" && !slices.ContainsFunc(blocks(s.Message.Content), func(b contentWire) bool { return b.Type == "tool_result" })
}

// said is what a user has typed; empty: nothing of it.
func (s *stored) said() string {
	if s.Sidechain || s.Meta || s.Summary || !s.begins() {
		return ""
	}
	text := plain(blocks(s.Message.Content))
	if strings.HasPrefix(text, interruptMark) || strings.HasPrefix(text, commandOutput) || strings.HasPrefix(text, "<command-") {
		return ""
	}
	return text
}

// NativeSessions reads the transcripts of the folder. A session is called by what it was asked first.
func (Agent) NativeSessions(ctx context.Context, env []string, cwd string) ([]adapters.NativeSession, error) {
	files, err := filepath.Glob(filepath.Join(transcripts(env, cwd), "*.jsonl"))
	if err != nil {
		return nil, err
	}
	return native.Sessions(ctx, files, cwd, func(path string, line []byte, n *adapters.NativeSession) bool {
		var s stored
		if native.Decode(line, &s) != nil {
			return true
		}
		if n.Cwd == "" {
			n.Cwd = s.Cwd
		}
		if id := strings.TrimSuffix(filepath.Base(path), ".jsonl"); native.SafeID(id) && s.Cwd != "" {
			n.ID = id
		}
		if text := s.said(); text != "" {
			n.Title = text
			return false
		}
		return true
	})
}

// Past reads the transcript of a session: what was said, in the order of the file, of the branch that goes on. What a user has gone back from stays
// in the file, and is left out, as sub-agents' lines are.
func (Agent) Past(ctx context.Context, spec adapters.Spec) ([][]byte, error) {
	if !native.SafeID(spec.NativeSessionID) {
		return nil, nil
	}
	var lines [][]byte
	size, gone := 0, 0        // bytes of lines; lines that were dropped at the beginning
	after := map[string]int{} // by uuid: how many lines there were with that one
	path := filepath.Join(transcripts(spec.Env, spec.Cwd), spec.NativeSessionID+".jsonl")
	err := native.Lines(path, maxTranscript, func(line []byte) bool {
		var s stored
		switch {
		case native.Decode(line, &s) != nil || s.Sidechain || s.Meta:
		case s.Cwd != "" && s.Cwd != spec.Cwd:
		case s.Type == "user" || s.Type == "assistant" || s.Type == "system" && s.Subtype == "compact_boundary":
			if n, known := after[s.Parent]; known && s.begins() {
				for keep := max(0, n-gone); len(lines) > keep; lines = lines[:len(lines)-1] {
					size -= len(lines[len(lines)-1])
				}
			}
			lines = append(lines, bytes.Clone(line))
			for size += len(line); size > maxPastBytes || len(lines) > maxPastLines; lines = lines[1:] {
				size -= len(lines[0])
				gone++
			}
			after[s.UUID] = gone + len(lines)
			return ctx.Err() == nil
		}
		if n, known := after[s.Parent]; known && s.UUID != "" { // of none of these: it goes on where its parent was
			after[s.UUID] = n
		}
		return ctx.Err() == nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return lines, err
}
