package scripted

import (
	"bytes"
	"encoding/json"
	"time"
)

// The lines of Pi 1.5 in RPC mode that the agent says, with the members in Pi's order.

type response struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Type    string          `json:"type"`
	Command string          `json:"command,omitempty"`
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// bare is an event without members.
type bare struct {
	Type string `json:"type"`
}

type messageEvent struct {
	Type    string          `json:"type"`
	Message json.RawMessage `json:"message"`
}

type messageUpdate struct {
	Type  string      `json:"type"`
	Usage wireUsage   `json:"usage"`
	Event blockUpdate `json:"assistantMessageEvent"`
}

// blockUpdate is one change of a content block; which members it has depends on its type.
type blockUpdate struct {
	Type         string         `json:"type"`
	ContentIndex int            `json:"contentIndex"`
	ID           string         `json:"id,omitempty"`
	ToolName     string         `json:"toolName,omitempty"`
	Delta        *string        `json:"delta,omitempty"`
	Content      *string        `json:"content,omitempty"`
	ToolCall     *toolCallBlock `json:"toolCall,omitempty"`
}

type turnEnd struct {
	Type        string            `json:"type"`
	Message     json.RawMessage   `json:"message"`
	ToolResults []json.RawMessage `json:"toolResults"`
}

type agentEnd struct {
	Type      string            `json:"type"`
	Messages  []json.RawMessage `json:"messages"`
	WillRetry bool              `json:"willRetry"`
}

type agentSettled struct {
	Type    string `json:"type"`
	Aborted bool   `json:"aborted"`
}

type toolStart struct {
	Type       string          `json:"type"`
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Args       json.RawMessage `json:"args"`
}

type toolUpdate struct {
	Type          string          `json:"type"`
	ToolCallID    string          `json:"toolCallId"`
	ToolName      string          `json:"toolName"`
	Args          json.RawMessage `json:"args"`
	PartialResult toolOutput      `json:"partialResult"`
}

type toolEnd struct {
	Type       string     `json:"type"`
	ToolCallID string     `json:"toolCallId"`
	ToolName   string     `json:"toolName"`
	Result     toolOutput `json:"result"`
	IsError    bool       `json:"isError"`
	DurationMs *int64     `json:"durationMs,omitempty"`
}

type toolOutput struct {
	Content    []textBlock     `json:"content"`
	Details    json.RawMessage `json:"details,omitempty"`
	Structured *structured     `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

type structured struct {
	Output    string  `json:"output"`
	Truncated bool    `json:"truncated"`
	ExitCode  int     `json:"exit_code"`
	Seconds   float64 `json:"wall_time_seconds"`
}

type queueUpdate struct {
	Type string `json:"type"`
	queued
}

// queued is what a queue holds. Nobody sends the agent a follow-up.
type queued struct {
	Steering []string `json:"steering"`
	FollowUp []string `json:"followUp"`
}

type retryStart struct {
	Type         string `json:"type"`
	Attempt      int    `json:"attempt"`
	MaxAttempts  int    `json:"maxAttempts"`
	DelayMs      int64  `json:"delayMs"`
	ErrorMessage string `json:"errorMessage"`
}

type retryEnd struct {
	Type       string `json:"type"`
	Success    bool   `json:"success"`
	Attempt    int    `json:"attempt"`
	FinalError string `json:"finalError,omitempty"`
}

type compactionStart struct {
	Type   string `json:"type"`
	Reason string `json:"reason"`
}

type compactionEnd struct {
	Type      string            `json:"type"`
	Reason    string            `json:"reason"`
	Result    *compactionResult `json:"result,omitempty"`
	Aborted   bool              `json:"aborted"`
	WillRetry bool              `json:"willRetry"`
	Error     string            `json:"errorMessage,omitempty"`
}

type compactionResult struct {
	Summary        string         `json:"summary"`
	FirstKeptEntry string         `json:"firstKeptEntryId"`
	TokensBefore   int            `json:"tokensBefore"`
	TokensAfter    int            `json:"estimatedTokensAfter"`
	Usage          wireUsage      `json:"usage"`
	Details        compactionInfo `json:"details"`
}

type compactionInfo struct {
	ReadFiles     []string `json:"readFiles"`
	ModifiedFiles []string `json:"modifiedFiles"`
}

type entryAppended struct {
	Type  string          `json:"type"`
	Entry json.RawMessage `json:"entry"`
}

type thinkingLevelChanged struct {
	Type  string `json:"type"`
	Level string `json:"level"`
}

type dialogRequest struct {
	Type    string   `json:"type"`
	ID      string   `json:"id"`
	Method  string   `json:"method"`
	Title   string   `json:"title"`
	Message string   `json:"message,omitempty"`
	Options []string `json:"options,omitempty"`
}

// Messages.

type systemMessage struct {
	Content    string            `json:"content"`
	Role       string            `json:"role"`
	Sections   map[string]string `json:"sections"`
	Timestamp  int64             `json:"timestamp"`
	ToolsAdded []toolDeclared    `json:"toolsAdded"`
}

type toolDeclared struct {
	Description string          `json:"description"`
	Name        string          `json:"name"`
	Parameters  json.RawMessage `json:"parameters"`
}

type userMessage struct {
	Role      string    `json:"role"`
	Content   []content `json:"content"`
	Timestamp int64     `json:"timestamp"`
}

type assistantMessage struct {
	Role          string    `json:"role"`
	Content       []content `json:"content"`
	API           string    `json:"api"`
	Provider      string    `json:"provider"`
	Model         string    `json:"model"`
	Usage         wireUsage `json:"usage"`
	StopReason    string    `json:"stopReason"`
	Timestamp     int64     `json:"timestamp"`
	ResponseID    string    `json:"responseId,omitempty"`
	RawStopReason string    `json:"rawStopReason,omitempty"`
	ErrorMessage  string    `json:"errorMessage,omitempty"`
	DurationMs    *int64    `json:"durationMs,omitempty"`
	ThinkingLevel string    `json:"thinkingLevel,omitempty"`
}

type toolResultMessage struct {
	Role       string          `json:"role"`
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Content    []textBlock     `json:"content"`
	Details    json.RawMessage `json:"details,omitempty"`
	IsError    bool            `json:"isError"`
	DurationMs *int64          `json:"durationMs,omitempty"`
	Timestamp  int64           `json:"timestamp"`
}

// content is one block of a message.
//
//sumtype:decl
type content interface{ content() }

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type thinkingBlock struct {
	Type      string `json:"type"`
	Thinking  string `json:"thinking"`
	Signature string `json:"thinkingSignature"`
}

type toolCallBlock struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type imageBlock struct {
	Type     string `json:"type"`
	Data     string `json:"data"`
	MimeType string `json:"mimeType"`
}

func (textBlock) content()     {}
func (thinkingBlock) content() {}
func (toolCallBlock) content() {}
func (imageBlock) content()    {}

type wireUsage struct {
	Input       int      `json:"input"`
	Output      int      `json:"output"`
	CacheRead   int      `json:"cacheRead"`
	CacheWrite  int      `json:"cacheWrite"`
	Reasoning   *int     `json:"reasoning,omitempty"`
	TotalTokens int      `json:"totalTokens"`
	Cost        wireCost `json:"cost"`
}

type wireCost struct {
	Input             float64 `json:"input"`
	Output            float64 `json:"output"`
	CacheRead         float64 `json:"cacheRead"`
	CacheWrite        float64 `json:"cacheWrite"`
	Total             float64 `json:"total"`
	TotalFromProvider *bool   `json:"totalFromProvider,omitempty"`
}

// encode makes JSON as JavaScript does: without escaping HTML. The types of this package always encode.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("scripted: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// list is never null in JSON.
func list(of []json.RawMessage) []json.RawMessage {
	if of == nil {
		return []json.RawMessage{}
	}
	return of
}

func now() int64 { return time.Now().UnixMilli() }

func ptr[T any](v T) *T { return &v }
