package codex

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// coreItem reads an item of a rollout file, which Codex's core writes in words of its own, into those of the app-server; ok
// is false for a type that is not known.
func coreItem(raw []byte) (w wireItem, ok bool) {
	var c struct {
		Type    string          `json:"type"`
		ID      string          `json:"id"`
		Status  string          `json:"status"`
		Content json.RawMessage `json:"content"`
		Text    string          `json:"text"`
		Phase   string          `json:"phase"`

		Summary    []string `json:"summary_text"`
		RawContent []string `json:"raw_content"`

		Command  []string `json:"command"`
		Cwd      string   `json:"cwd"`
		Source   string   `json:"source"`
		Output   *string  `json:"aggregated_output"`
		ExitCode *int     `json:"exit_code"`
		Duration *struct {
			Secs  int64 `json:"secs"`
			Nanos int64 `json:"nanos"`
		} `json:"duration"`

		Changes map[string]struct {
			Type    string `json:"type"`
			Content string `json:"content"`
			Diff    string `json:"unified_diff"`
			Move    string `json:"move_path"`
		} `json:"changes"`

		Server    string          `json:"server"`
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
		Result    json.RawMessage `json:"result"`
		Error     json.RawMessage `json:"error"`
		Items     []userInput     `json:"content_items"`
		Success   *bool           `json:"success"`
		Query     string          `json:"query"`
		Action    json.RawMessage `json:"action"`
		Path      string          `json:"path"`
		Prompt    string          `json:"prompt"`
		AgentPath string          `json:"agent_path"`
		Kind      string          `json:"kind"`
		Review    string          `json:"review"`
	}
	_ = native.Decode(raw, &c)
	w = wireItem{
		Type: camel(c.Type), ID: c.ID, Status: camel(c.Status), Text: c.Text, Phase: c.Phase, Summary: c.Summary,
		Cwd: strings.TrimPrefix(c.Cwd, "file://"), Source: camel(c.Source), AggregatedOutput: c.Output, ExitCode: c.ExitCode,
		Server: c.Server, Tool: c.Tool, Arguments: c.Arguments, Result: c.Result, ContentItems: c.Items, Success: c.Success,
		Query: c.Query, Action: c.Action, Path: strings.TrimPrefix(c.Path, "file://"), Prompt: c.Prompt, AgentPath: c.AgentPath,
		Kind: c.Kind, Review: c.Review, Content: c.Content,
	}
	if c.Duration != nil {
		ms := c.Duration.Secs*1000 + c.Duration.Nanos/1_000_000
		w.DurationMs = &ms
	}
	if message := first(native.Text(c.Error), text(c.Error, "message")); message != "" {
		w.Error = &struct{ Message string }{message}
	}
	switch w.Type {
	case "webSearch":
		w.Action = searchAction(c.Action)
	case "agentMessage":
		if w.Text == "" {
			w.Text = contentText(c.Content)
		}
	case "reasoning":
		w.Content = encode(c.RawContent)
	case "commandExecution":
		w.Command = shellWords(c.Command)
	case "fileChange":
		for _, path := range slices.Sorted(maps.Keys(c.Changes)) {
			f := c.Changes[path]
			one := change{Path: path, Diff: first(f.Diff, f.Content)}
			one.Kind.Type, one.Kind.MovePath = f.Type, f.Move
			w.Changes = append(w.Changes, one)
		}
	}
	return w, w.ID != "" && w.entryType() != ""
}

// searchAction puts what a search did into the app-server's words.
func searchAction(raw json.RawMessage) json.RawMessage {
	var a struct {
		Type    string   `json:"type"`
		Query   string   `json:"query,omitempty"`
		Queries []string `json:"queries,omitempty"`
		URL     string   `json:"url,omitempty"`
		Pattern string   `json:"pattern,omitempty"`
	}
	if native.Decode(raw, &a) != nil || a.Type == "" {
		return nil
	}
	a.Type = camel(a.Type)
	return encode(a)
}

// contentText joins the texts of a message's content.
func contentText(raw json.RawMessage) string {
	var parts []struct {
		Text string `json:"text"`
	}
	_ = native.Decode(raw, &parts)
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// camel turns CommandExecution and in_progress into commandExecution and inProgress.
func camel(s string) string {
	var b strings.Builder
	up := false
	for i, r := range s {
		switch {
		case r == '_':
			up = true
			continue
		case i == 0:
			b.WriteString(strings.ToLower(string(r)))
		case up:
			b.WriteString(strings.ToUpper(string(r)))
		default:
			b.WriteRune(r)
		}
		up = false
	}
	return b.String()
}

// shellWords writes a command as a shell would take it, as the app-server shows it.
func shellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted[i] = w
	}
	return strings.Join(quoted, " ")
}
