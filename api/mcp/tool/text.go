package tool

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type textInput struct {
	SessionID string `json:"session_id"`
	EntryID   string `json:"entry_id" jsonschema:"of an event of session_events, or text_entry of session_join and session_message"`
	Offset    int    `json:"offset,omitempty" minimum:"0" jsonschema:"where to begin, in bytes: next_offset of the call before"`
}

type textOutput struct {
	NextOffset int    `json:"next_offset,omitempty" jsonschema:"pass it as offset to read on; absent: this is the end"`
	Bytes      int    `json:"bytes" jsonschema:"of the whole text"`
	Text       string `json:"text"`
}

func (o *textOutput) Words() string {
	if o.NextOffset == 0 {
		return fmt.Sprintf("the end of %d bytes\n%s", o.Bytes, o.Text)
	}
	return fmt.Sprintf("next_offset %d of %d bytes\n%s", o.NextOffset, o.Bytes, o.Text)
}

// maxTextPage is a page of a text, in bytes of its JSON.
const maxTextPage = 12 << 10

func (s *logs) addText(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_text", Title: "Read a long text whole", Annotations: call.Reads,
		Description: "Reads the whole text of a message, a thought or a tool's output, page by page, where an event or an answer has only its beginning (truncated, text_bytes). The entry must have ended.",
	}, s.text)
}

func (s *logs) text(ctx context.Context, _ *call.Call, in *textInput) (*textOutput, error) {
	if err := problem.CheckID(in.SessionID); err != nil {
		return nil, err
	}
	if in.Offset < 0 {
		return nil, problem.Invalid("offset is 0 or more.", "Pass next_offset of the call before, or leave it out.")
	}
	whole, err := s.backend.EntryText(ctx, in.SessionID, in.EntryID)
	if err != nil {
		return nil, err
	}
	if in.Offset > len(whole) || in.Offset < len(whole) && !utf8.RuneStart(whole[in.Offset]) {
		return nil, problem.Invalid(fmt.Sprintf("The offset is none of this text, which has %d bytes.", len(whole)),
			"Pass next_offset of the call before, or leave it out.")
	}
	page := protocol.HeadJSON(whole[in.Offset:], maxTextPage)
	out := &textOutput{Bytes: len(whole), Text: strings.Clone(page)} // and not the whole, while the client does not read
	if end := in.Offset + len(page); end < len(whole) {
		out.NextOffset = end
	}
	return out, nil
}
