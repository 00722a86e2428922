package terminal

import (
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxLiveTools bounds the running tools below the text.
const maxLiveTools = 4

var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// Live returns the lines below the final ones: the unfinished line of the text, the running tools and the state. They
// are cut to one row of the terminal each. Frame turns the spinner, nowMs (Unix ms) is for running times.
func (v *View) Live(frame int, nowMs int64) []string {
	n := &v.pen
	var out []string
	if p := v.entries.front; p != nil {
		if rest := p.wrap.rest(); rest != "" {
			out = append(out, n.text(p.kind, rest, p.lines == 0))
		}
	}
	turning := spinner[frame%len(spinner)]
	shown := 0
	for _, p := range v.entries.order {
		d, ok := p.data.(*protocol.ToolCallData)
		if !ok {
			continue
		}
		if shown++; shown > maxLiveTools {
			continue
		}
		out = append(out, n.runningTool(turning, p, d, nowMs)...)
	}
	if shown > maxLiveTools {
		out = append(out, n.style.Dim(indent+"… "+strconv.Itoa(shown-maxLiveTools)+" more tools"))
	}
	if line := v.stateLine(turning, nowMs, shown > 0); line != "" {
		out = append(out, line)
	}
	for i := range out {
		out[i] = cutStyled(out[i], n.opt.Columns)
	}
	return out
}

// runningTool shows a tool at work, and the last line of what it wrote.
func (n *pen) runningTool(turning string, p *part, d *protocol.ToolCallData, nowMs int64) []string {
	took := durationText(p.took(nowMs))
	name := Cut(Visible(d.ToolName), 40)
	head := n.style.Accent(turning) + " " + n.style.Bold(name)
	if what := toolSubject(d); what != "" {
		head += "  " + n.oneLine(what, Cells(name)+len(took)+8)
	}
	out := []string{head + "  " + n.style.Dim(took)}
	text := p.text.String()
	text = strings.TrimRight(Strip(text[max(0, len(text)-4096):]), "\n")
	if text != "" {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		out = append(out, n.style.Dim(gutter+n.cutText(last)))
	}
	return out
}

func (v *View) stateLine(turning string, nowMs int64, tools bool) string {
	text := ""
	switch s := v.status; s.State {
	case protocol.StateStarting:
		text = "starting the agent"
	case protocol.StateQueued:
		text = "waiting for the agent"
	case protocol.StateResponding:
		text = "working"
	case protocol.StateRunningTool:
		if !tools {
			text = v.pen.oneLine("running "+s.ToolName, 20)
		}
	case protocol.StateRetrying:
		text = "retrying"
		if wait := s.RetryAt - nowMs; wait > 0 {
			text += " in " + durationText(wait)
		}
	case protocol.StateCompacting:
		text = "compacting the context"
	case protocol.StateAwaitingApproval:
		text = "waiting for an approval"
		if by := v.asks.deadline(nowMs); by != "" {
			text += ", " + by
		}
	case protocol.StateAwaitingInput:
		text = "waiting for an answer"
		if by := v.asks.deadline(nowMs); by != "" {
			text += ", " + by
		}
	case protocol.StateInterrupting:
		text = "interrupting"
	case protocol.StateIdle, protocol.StateCompleted, protocol.StateTerminated, protocol.StateFailed:
	}
	if text == "" {
		return ""
	}
	if n := v.status.QueuedPrompts; n > 0 {
		text += ", " + strconv.Itoa(n) + " queued"
	}
	if v.status.Stalled {
		text += ", no output for a while"
	}
	if v.turn.began > 0 {
		text += "  " + durationText(nowMs-v.turn.began)
	}
	return v.pen.style.Accent(turning) + " " + v.pen.style.Dim(text)
}
