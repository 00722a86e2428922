package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Request is something that waits for an answer.
type Request struct {
	RequestID string           `json:"request_id"`
	Kind      string           `json:"kind" enum:"approval,question,elicitation,caller_tool" jsonschema:"what is wanted. caller_tool: the call of a tool that a client offers, which answers with caller_tool_response; the others: session_answer"`
	SessionID string           `json:"session_id,omitempty" jsonschema:"of the sub-agent that asks, where it is not this session"`
	ToolName  string           `json:"tool_name,omitempty"`
	Subject   string           `json:"subject,omitempty" jsonschema:"what the tool works on: the command line, the paths, the URL"`
	Title     string           `json:"title"`
	Text      string           `json:"text,omitempty"`
	Diff      string           `json:"diff,omitempty" jsonschema:"of an approval: what the tool would change in files, as a unified diff; text has what is asked beside it"`
	Options   []optionOutput   `json:"options,omitempty" jsonschema:"of an approval: what can be answered"`
	Questions []questionOutput `json:"questions,omitempty" jsonschema:"one answer each, in order"`
	CallerID  string           `json:"caller_id,omitempty" jsonschema:"of a caller_tool: who offers the tool and answers with caller_tool_response"`
	Arguments string           `json:"arguments,omitempty" jsonschema:"of a caller_tool: JSON text"`
	Deadline  *time.Time       `json:"deadline,omitempty" jsonschema:"after it, nobody waits for an answer, or the policy answers"`
	Cut       bool             `json:"cut,omitempty" jsonschema:"texts of it are shortened: session_get with request_id shows more of them"`
}

type optionOutput struct {
	ID          string `json:"id"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
}

type questionOutput struct {
	Text     string         `json:"text"`
	Header   string         `json:"header,omitempty"`
	Options  []optionOutput `json:"options,omitempty"`
	Multiple bool           `json:"multiple,omitempty" jsonschema:"several options may be chosen"`
	FreeText bool           `json:"free_text,omitempty" jsonschema:"any text is an answer"`
}

// RequestsOf shows requests that are open.
func RequestsOf(list []protocol.RequestOpened) []Request {
	out := make([]Request, 0, len(list))
	for i := range list {
		r := &list[i]
		o := Request{
			RequestID: r.RequestID, Kind: string(r.Kind), SessionID: r.SessionID, ToolName: r.ToolName, Subject: r.Subject, Title: r.Title,
			Text: r.Said(), Diff: r.Diff, Cut: r.DiffTruncated,
			Options: optionsOf(r.Options), CallerID: r.CallerID, Arguments: r.Arguments,
		}
		if r.Deadline > 0 {
			o.Deadline = new(time.UnixMilli(r.Deadline).UTC())
		}
		for _, q := range r.Questions {
			o.Questions = append(o.Questions, questionOutput{q.Text, q.Header, optionsOf(q.Options), q.Multiple, q.FreeText})
		}
		out = append(out, o)
	}
	return out
}

func optionsOf(list []protocol.Option) (out []optionOutput) {
	for _, o := range list {
		out = append(out, optionOutput{o.ID, o.Label, o.Description})
	}
	return out
}

// Shorten cuts the texts of a request to n bytes each. What is needed to answer stays: ids of options, and the questions.
func (o *Request) Shorten(n int) {
	cut := func(p *string, n int) {
		if short := protocol.Head(*p, n); short != *p {
			*p, o.Cut = short+"…", true
		}
	}
	options := func(list []optionOutput) {
		for i := range list {
			cut(&list[i].Label, min(n, MaxLine))
			cut(&list[i].Description, min(n, MaxLine))
		}
	}
	cut(&o.Title, n)
	cut(&o.Text, n)
	cut(&o.Diff, n)
	cut(&o.Subject, n)
	cut(&o.Arguments, n)
	options(o.Options)
	for i := range o.Questions {
		cut(&o.Questions[i].Text, n)
		cut(&o.Questions[i].Header, n)
		options(o.Questions[i].Options)
	}
}

// FewRequests are the first n, and how many are not shown.
func FewRequests(list []Request, n int) (shown []Request, left int) {
	n = min(n, len(list))
	return list[:n], len(list) - n
}

// WriteLeftOut says that there are further requests, for models.
func WriteLeftOut(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "%d requests more are open: session_get shows them\n", n)
	}
}

// Lines are the request for models.
func (o *Request) Lines(b *strings.Builder) {
	fmt.Fprintf(b, "request %s, %s", o.RequestID, o.Kind)
	for _, x := range []struct{ name, value string }{{"of", o.SessionID}, {"tool", o.ToolName}, {"caller", o.CallerID}} {
		if x.value != "" {
			fmt.Fprintf(b, ", %s %s", x.name, x.value)
		}
	}
	if o.Deadline != nil {
		fmt.Fprintf(b, ", until %s", o.Deadline.Format(time.RFC3339))
	}
	fmt.Fprintf(b, ": %s\n", o.Title)
	for _, text := range []string{o.Subject, o.Text, o.Diff, o.Arguments} {
		if text != "" && text != o.Title {
			b.WriteString("  " + text + "\n")
		}
	}
	writeOptions(b, o.Options)
	for i, q := range o.Questions {
		fmt.Fprintf(b, "  question %d: %s\n", i+1, strings.TrimSpace(q.Header+" "+q.Text))
		writeOptions(b, q.Options)
		switch {
		case q.Multiple:
			b.WriteString("  several options may be chosen\n")
		case q.FreeText && len(q.Options) > 0:
			b.WriteString("  or any text\n")
		}
	}
	if o.Cut {
		b.WriteString("  (shortened: session_get with request_id shows more)\n")
	}
}

func writeOptions(b *strings.Builder, list []optionOutput) {
	for _, o := range list {
		fmt.Fprintf(b, "  option %s", o.ID)
		if o.Label != "" && o.Label != o.ID {
			b.WriteString(": " + o.Label)
		}
		if o.Description != "" {
			b.WriteString(" (" + o.Description + ")")
		}
		b.WriteByte('\n')
	}
}
