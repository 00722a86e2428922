package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// maxNotice is how much of a text of the agent about itself is shown, in bytes.
const maxNotice = 8 << 10

// maxTitle is how long a title or a name may be, in bytes.
const maxTitle = 400

// notice says what the agent tells of itself, unless that is nothing.
func notice(level, kind, text string, out *adapters.Output) {
	if text != "" {
		out.Draft(adapters.Notice{Level: level, Kind: kind, Text: native.Head(text, maxNotice)})
	}
}

// ignored are the system lines that say nothing that a reader of the session misses: what other lines say too, and what
// is for the program's own screens.
var ignored = map[string]bool{
	"session_state_changed": true, "thinking_tokens": true, "thinking": true, "permission_denied": true, "permission_retry": true,
	"task_started": true, "task_progress": true, "task_updated": true, "task_summary": true, "background_tasks_changed": true,
	"task_list_statuses": true, "hook_started": true, "hook_progress": true, "hook_response": true, "stop_hook_summary": true,
	"turn_duration": true, "commands_changed": true, "files_persisted": true, "file_snapshot": true, "vcs_state_changed": true,
	"session_metadata": true, "memory_recall": true, "memory_saved": true, "shell_cwd": true, "elicitation_complete": true,
	"control_request_progress": true, "permission_check_status": true, "per_turn_effort_changed": true, "away_summary": true,
	"post_turn_summary": true, "plugin_install": true, "turn_preempted": true, "feedback_draft_queued": true,
}

// aside takes the system lines beside the turns.
func aside(subtype string, line []byte, out *adapters.Output) {
	level := "warning"
	switch subtype {
	case "informational", "notification", "local_command_output":
		level = "info"
	case "model_fallback", "model_consent_fallback", "model_refusal_fallback", "model_refusal_no_fallback", "mirror_error",
		"session_writes_lost", "instruction_size_warning":
	default:
		if !ignored[subtype] {
			native.Keep("system."+subtype, line, out)
		}
		return
	}
	var e struct {
		Content string `json:"content"`
		Text    string `json:"text"`
		Level   string `json:"level"`
		Error   string `json:"error"`
	}
	_ = native.Decode(line, &e)
	if e.Level == "warning" {
		level = "warning"
	}
	notice(level, subtype, cmp.Or(e.Content, e.Text, e.Error, subtype), out)
}

// rateLimit takes what the provider says of its limits.
func rateLimit(line []byte, out *adapters.Output) {
	var e struct {
		Info struct {
			Status string `json:"status"` // allowed, allowed_warning, rejected
			Type   string `json:"rateLimitType"`
		} `json:"rate_limit_info"`
	}
	_ = native.Decode(line, &e)
	if e.Info.Status != "" && e.Info.Status != "allowed" {
		notice("warning", "rate_limit", "The provider's rate limit: "+e.Info.Status+" "+e.Info.Type, out)
	}
}

// authStatus takes what the agent says of its login.
func authStatus(line []byte, out *adapters.Output) {
	var e struct {
		Error string `json:"error"`
	}
	_ = native.Decode(line, &e)
	notice("error", "auth_status", e.Error, out)
}

// notice tells of the end of a background job or sub-agent.
func (e *task) notice(out *adapters.Output) {
	level := "info"
	if e.Status == "failed" {
		level = "warning"
	}
	notice(level, "background_task", cmp.Or(e.Summary, e.Status), out)
}
