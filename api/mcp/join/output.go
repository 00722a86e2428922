package join

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Output is what session_join answers.
type Output struct {
	Done     bool            `json:"done" jsonschema:"what was waited for has come; false: the time is over, or something has to be answered first: then call again"`
	Sessions []SessionOutput `json:"sessions" jsonschema:"in the order of session_ids"`
}

// SessionOutput is what has become of one session, or of one prompt.
type SessionOutput struct {
	SessionID string `json:"session_id"`
	Title     string `json:"title,omitempty"`
	PromptID  string `json:"prompt_id,omitempty"`
	Resting   bool   `json:"resting" jsonschema:"it has ended, is idle, or waits for an answer"`
	Status    string `json:"status" jsonschema:"running, idle, completed or failed"`
	State     string `json:"state" jsonschema:"in detail, such as awaiting_approval"`
	LastIndex int    `json:"last_index" jsonschema:"index of the newest event"`
	output.Result
	Damage          string           `json:"damage,omitempty" jsonschema:"its log is damaged and ends early: what came after cannot be read, and nothing will come"`
	Requests        []output.Request `json:"requests" jsonschema:"that wait for an answer"`
	RequestsLeftOut int              `json:"requests_left_out,omitempty" jsonschema:"so many more wait: session_get shows them"`
}

// Shorten cuts what is longest until the result is short enough: a text that is cut says so, and so does a request. Of very many sessions only
// what has become of each is left.
func (o *Output) Shorten() {
	for n := output.MaxResult; n >= output.LeastShare; n /= 2 {
		for i := range o.Sessions {
			o.Sessions[i].shorten(n)
		}
		if output.SizeOf(o) <= output.MaxResult {
			return
		}
	}
	for _, drop := range []func(*SessionOutput){(*SessionOutput).dropRequests, (*SessionOutput).dropTexts} {
		if output.SizeOf(o) <= output.MostResult {
			return
		}
		for i := range o.Sessions {
			drop(&o.Sessions[i])
		}
	}
}

func (o *SessionOutput) dropRequests() {
	o.RequestsLeftOut += len(o.Requests)
	o.Requests = []output.Request{}
}

func (o *SessionOutput) dropTexts() {
	o.Title, o.Damage = "", protocol.Head(o.Damage, output.LeastShare)
	o.Result.Shorten(0, output.LeastShare)
}

// shorten leaves a session room for n bytes.
func (o *SessionOutput) shorten(n int) {
	o.Result.Shorten(min(max(n-512, n/4, output.LeastShare), protocol.BriefMessage), max(n/4, output.LeastShare))
	var left int
	o.Requests, left = output.FewRequests(o.Requests, max(1, n/512))
	o.RequestsLeftOut += left
	for i := range o.Requests {
		o.Requests[i].Shorten(max(n/(2*len(o.Requests)), output.LeastShare/2))
	}
}

// Words are the answer for models that are shown text.
func (o *Output) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "done %t\n", o.Done)
	for i := range o.Sessions {
		x := &o.Sessions[i]
		fmt.Fprintf(&b, "session %s", x.SessionID)
		if x.Title != "" {
			fmt.Fprintf(&b, " (%s)", x.Title)
		}
		for _, word := range []string{x.PromptID, x.Outcome, x.State} {
			if word != "" {
				b.WriteString(", " + word)
			}
		}
		fmt.Fprintf(&b, ", last_index %d\n", x.LastIndex)
		output.WriteDamage(&b, x.Damage)
		x.Lines(&b)
		for k := range x.Requests {
			x.Requests[k].Lines(&b)
		}
		output.WriteLeftOut(&b, x.RequestsLeftOut)
	}
	return b.String()
}
