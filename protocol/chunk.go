package protocol

// ChunkKind says how a terminal shows a part (spec §9).
type ChunkKind string

// The chunk kinds.
const (
	ChunkAnswer   ChunkKind = "answer"   // assistant_message
	ChunkThinking ChunkKind = "thinking" // thinking
	ChunkTool     ChunkKind = "tool"     // tool_call, tool_result: their output
	ChunkRaw      ChunkKind = "raw"      // everything else; may be left out
)

// ChunkOp says what a chunk does to the text of its part.
type ChunkOp string

// The chunk operations.
const (
	OpAppend ChunkOp = "append"
	OpSet    ChunkOp = "set"
)

// Chunk is one change of one part on a terminal. Parts are told apart by PartID.
type Chunk struct {
	Kind     ChunkKind `json:"kind"`
	Op       ChunkOp   `json:"op"`
	PartID   string    `json:"partId"` // the entry's id
	TurnID   string    `json:"turnId,omitempty"`
	ToolName string    `json:"toolName,omitempty"`
	Text     string    `json:"text"`
	Complete bool      `json:"complete,omitempty"` // nothing more will come for this part
}

// Chunks turns the events of one session into chunks: at most one per event. It remembers the open parts and the call ids
// of the running turn. The zero value is ready. An entry whose start was not seen gives its whole chunk at its end; a
// tool_result gives none where the tool_call shows the output.
type Chunks struct {
	open  map[string]*openChunk
	calls map[string]bool // call ids of the running turn's tool calls
}

type openChunk struct {
	Chunk       // as of the part's start
	summary int // the summary part being shown, from 1; 0: none yet
	text    bool
}

// Chunk takes the next event and returns its chunk, if it has one.
func (v *Chunks) Chunk(e *Event) (Chunk, bool) {
	switch p := e.Payload.(type) {
	case *TurnStart, *TurnEnd:
		clear(v.calls)
	case *EntryStart:
		if v.shown(p.Data) {
			break
		}
		c := Chunk{Kind: chunkKind(p.EntryType), Op: OpSet, PartID: p.EntryID, TurnID: p.TurnID}
		c.ToolName, c.Text = chunkText(p.Data)
		if _, unknown := p.Data.(*UnknownData); !unknown {
			put(&v.open, p.EntryID, &openChunk{Chunk: c, text: c.Text != ""})
		}
		return c, true
	case *EntryDelta:
		if o := v.open[p.EntryID]; o != nil {
			return o.delta(p.Delta)
		}
	case *EntryEnd:
		delete(v.open, p.EntryID)
		if v.shown(p.Data) {
			break
		}
		c := Chunk{Kind: chunkKind(p.EntryType), Op: OpSet, PartID: p.EntryID, TurnID: p.TurnID, Complete: true}
		c.ToolName, c.Text = chunkText(p.Data)
		return c, true
	default:
	}
	return Chunk{}, false
}

// shown remembers tool calls, and says that a result's call is one of them.
func (v *Chunks) shown(d EntryData) bool {
	switch d := d.(type) {
	case *ToolCallData:
		if d.CallID != "" {
			put(&v.calls, d.CallID, true)
		}
	case *ToolResultData:
		return v.calls[d.CallID]
	default:
	}
	return false
}

func (o *openChunk) delta(d Delta) (Chunk, bool) {
	c := o.Chunk
	c.Op, c.Text = OpAppend, ""
	switch d := d.(type) {
	case *TextAppend:
		c.Text = d.Text
		if o.summary > 0 && !o.text { // the thinking itself replaces its summaries
			c.Op = OpSet
		}
		o.text = o.text || d.Text != ""
	case *TextSet:
		c.Op, c.Text, o.text = OpSet, d.Text, true
		return c, true
	case *StatusChange:
		c.Text = d.Output
	case *SummaryAppend:
		if o.text || d.Text == "" {
			break
		}
		c.Text = d.Text
		if o.summary > 0 && d.SummaryIndex >= o.summary {
			c.Text = "\n\n" + d.Text
		}
		o.summary = max(d.SummaryIndex, 0) + 1
	case *ArgumentsAppend, *UnknownDelta:
	}
	return c, c.Text != ""
}

func chunkKind(t EntryType) ChunkKind {
	switch t {
	case EntryAssistantMessage:
		return ChunkAnswer
	case EntryThinking:
		return ChunkThinking
	case EntryToolCall, EntryToolResult:
		return ChunkTool
	case EntryUserMessage, EntryPlan, EntryCompaction, EntrySystem:
	}
	return ChunkRaw
}

func chunkText(d EntryData) (toolName, text string) {
	switch d := d.(type) {
	case *MessageData:
		return "", d.Text
	case *ThinkingData:
		return "", thinkingText(d)
	case *ToolCallData:
		return d.ToolName, d.Output
	case *ToolResultData:
		return "", d.Output
	case *PlanData:
		return "", planText(d)
	case *CompactionData:
		return "", d.Summary
	case *SystemData:
		if d.Text == "" {
			return "", string(d.Raw)
		}
		return "", d.Text
	case *UnknownData:
		return "", string(appendMembers(nil, d.Extra))
	}
	return "", ""
}

// appendMembers writes members as an object; none give nothing.
func appendMembers(b []byte, ms []Member) []byte {
	if len(ms) == 0 {
		return b
	}
	c := coder{out: append(b, '{')}
	c.rest(&ms)
	return append(c.out, '}')
}
