package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// task is a system line about a sub-agent or a background job, and the members by which the lines of sub-agents name theirs.
type task struct {
	TaskID          string `json:"task_id"`
	ToolUseID       string `json:"tool_use_id"`
	TaskType        string `json:"task_type"`
	SubagentType    string `json:"subagent_type"`
	Description     string `json:"description"`
	TaskDescription string `json:"task_description"`
	Prompt          string `json:"prompt"`
	Status          string `json:"status"` // completed, failed, stopped
	Summary         string `json:"summary"`
	AgentID         string `json:"agent_id"`
	Backgrounded    bool   `json:"is_backgrounded"`
}

// isAgent says that the task is a sub-agent, of which the agent tells by the call that started it.
func (e *task) isAgent() bool {
	return e.ToolUseID != "" && (e.TaskType == "local_agent" || e.SubagentType != "")
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

func (t *Translator) system(subtype string, line []byte, out *adapters.Output) {
	switch subtype {
	case "init":
		t.turnInit(line, out)
	case "status":
		t.status(line, out)
	case "api_retry":
		t.retry(line, out)
	case "compact_boundary":
		t.compactBoundary(line, out)
	case "task_notification":
		t.taskNotification(line, out)
	case "session_title_changed", "informational", "notification", "local_command_output", "model_fallback", "model_consent_fallback",
		"model_refusal_fallback", "model_refusal_no_fallback", "mirror_error", "session_writes_lost", "instruction_size_warning":
		t.aside(subtype, line, out)
	default:
		if !ignored[subtype] {
			native.Keep("system."+subtype, line, out)
		}
	}
}

// turnInit takes system/init, which comes at the beginning of every turn.
func (t *Translator) turnInit(line []byte, out *adapters.Output) {
	var e struct {
		Session string `json:"session_id"`
		Model   string `json:"model"`
		Mode    string `json:"permissionMode"`
		Version string `json:"claude_code_version"`
	}
	_ = native.Decode(line, &e)
	now := native.Told{Session: e.Session, Model: e.Model, Mode: e.Mode}
	if !t.told.ready {
		t.told.Session, t.told.Model, t.told.Mode, t.told.version = now.Session, now.Model, now.Mode, e.Version
		t.ready(out)
	}
	t.tell(now, out)
	t.takeUnnamed(out)
	t.begin(out)
}

// status says what the agent does: a new model request, at which it takes the prompts that have come meanwhile, or a compaction.
func (t *Translator) status(line []byte, out *adapters.Output) {
	var e struct {
		Status        string `json:"status"`
		Mode          string `json:"permissionMode"`
		CompactResult string `json:"compact_result"`
		CompactError  string `json:"compact_error"`
	}
	_ = native.Decode(line, &e)
	t.tell(native.Told{Mode: e.Mode}, out)
	switch e.Status {
	case "requesting":
		t.takeUnnamed(out)
		t.begin(out)
		t.phase(protocol.StateResponding, out)
	case "compacting":
		t.begin(out)
		t.phase(protocol.StateCompacting, out)
	}
	if e.CompactResult != "" && t.turn.on {
		t.phase(protocol.StateResponding, out)
	}
	if e.CompactResult == "failed" {
		t.notice("warning", "compaction_failed", cmp.Or(e.CompactError, "the compaction failed"), out)
	}
}

// taskNotification tells of the end of a background job or sub-agent. The end of one that a call waits for is the call's result.
func (t *Translator) taskNotification(line []byte, out *adapters.Output) {
	var e task
	_ = native.Decode(line, &e)
	if c := t.tools[e.ToolUseID]; c != nil && !c.launched {
		return
	}
	level := "info"
	if e.Status == "failed" {
		level = "warning"
	}
	t.notice(level, "background_task", cmp.Or(e.Summary, e.Status), out)
}

// aside handles news of the session beside its turns.
func (t *Translator) aside(subtype string, line []byte, out *adapters.Output) {
	var e struct {
		Title   string `json:"title"`
		Content string `json:"content"`
		Text    string `json:"text"`
		Level   string `json:"level"`
		Error   string `json:"error"`
	}
	_ = native.Decode(line, &e)
	if subtype == "session_title_changed" {
		t.tell(native.Told{Title: e.Title}, out)
		return
	}
	level := "info"
	switch {
	case e.Level == "warning", subtype != "informational" && subtype != "notification" && subtype != "local_command_output":
		level = "warning"
	}
	t.notice(level, subtype, cmp.Or(e.Content, e.Text, e.Error, subtype), out)
}

func (t *Translator) rateLimit(line []byte, out *adapters.Output) {
	var e struct {
		Info struct {
			Status string `json:"status"` // allowed, allowed_warning, rejected
			Type   string `json:"rateLimitType"`
		} `json:"rate_limit_info"`
	}
	_ = native.Decode(line, &e)
	if e.Info.Status != "" && e.Info.Status != "allowed" {
		t.notice("warning", "rate_limit", "The provider's rate limit: "+e.Info.Status+" "+e.Info.Type, out)
	}
}

func (t *Translator) authStatus(line []byte, out *adapters.Output) {
	var e struct {
		Error string `json:"error"`
	}
	_ = native.Decode(line, &e)
	t.notice("error", "auth_status", e.Error, out)
}
