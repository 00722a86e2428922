package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// queuedFor waits until a session was given a prompt that tells of another one's.
func (h *harness) queuedFor(lead, child string) (told protocol.PromptQueued) {
	h.t.Helper()
	h.until(lead, func(e *protocol.Event) bool {
		p, is := e.Payload.(*protocol.PromptQueued)
		if is && p.ClientID == "session:"+child {
			told = *p
			return true
		}
		return false
	})
	return told
}

// TestLeadIsPrompted: a lead that asked for it gets a prompt with the answer of the session that works for it, once it is idle; none where it
// has read the answer by then.
// Proves: I10.2/notify
func TestLeadIsPrompted(t *testing.T) {
	for _, era := range []string{oldEra, newEra} {
		t.Run(era, func(t *testing.T) {
			h := newHarness(t)
			c, own := h.offering(newEra)
			a := h.agentOf(own, era)
			read := callTool[told](a.mcpClient, "session_message", args{"agent": "echo", "message": "read", "notify": "prompt"})
			p := h.queuedFor(own, read.SessionID)
			callTool[joinedSessions](a.mcpClient, "session_join", args{"session_ids": []string{read.SessionID}, "prompt_id": read.PromptID})
			h.until(own, func(e *protocol.Event) bool {
				r, is := e.Payload.(*protocol.PromptRemoved)
				return is && r.PromptID == p.PromptID && r.Reason == protocol.RemovedCancelled
			})
			waited := callTool[told](a.mcpClient, "session_message", args{
				"agent": "echo", "message": "waited", "new_session": true, "notify": "prompt", "wait_ms": 60000,
			})
			made := callTool[args](a.mcpClient, "session_create", args{"agent": "echo", "prompt": "made", "title": "Tests", "notify": "prompt"})["session_id"].(string)
			p = h.queuedFor(own, made)
			if !strings.Contains(p.Text, `session "Tests" (`+made+`) has finished prompt p1.`) || !strings.Contains(p.Text, "\n---\nmade 0. ") {
				t.Errorf("%s", p.Text)
			}
			h.agent(own).say(adapters.TurnEnded{Status: protocol.TurnCompleted})
			h.until(own, func(e *protocol.Event) bool {
				start, is := e.Payload.(*protocol.TurnStart)
				if is && start.Prompt != nil && start.Prompt.ClientID == "session:"+waited.SessionID {
					t.Error("it is told what it has waited for")
				}
				return is && start.Prompt != nil && start.Prompt.PromptID == p.PromptID
			})
			for tool, more := range map[string]args{
				"session_message": {"agent": "echo", "message": "x", "new_session": true}, "session_create": {"agent": "echo", "cwd": "/work", "prompt": "x"},
			} {
				more["notify"] = "prompt"
				c.fails(protocol.CodeInvalidRequest, tool, more)
			}
			c.fails(protocol.CodeInvalidRequest, "session_message", args{"session_id": own, "message": "x", "notify": "prompt"})
			h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, http.MethodPost, "/sessions/"+own+"/prompts", `{"text":"x","notify":"prompt"}`)
			h.want(http.StatusAccepted, http.MethodPost, "/sessions/"+made+"/prompts", `{"text":"again","notify":"prompt"}`)
			h.until(own, func(e *protocol.Event) bool {
				q, is := e.Payload.(*protocol.PromptQueued)
				return is && q.ClientID == "session:"+made && q.PromptID != p.PromptID
			})
		})
	}
}
