package scripted

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// dialogue is an agent with its translator between it and us, held to the grammar of drafts.
type dialogue struct {
	*client
	tr     adapters.Translator
	ledger conformance.Ledger
	drafts []adapters.Draft
	on     func(adapters.Draft) // called for every draft of a turn; may send commands
}

func converse(t testing.TB, transport Transport, spec adapters.Spec) *dialogue {
	agent := Agent{}
	d := &dialogue{client: connect(t, transport, agent.Launch(spec)), tr: agent.Translator(spec)}
	var out adapters.Output
	d.tr.Start(&out)
	d.pass(out)
	return d
}

// pass takes what the translator has to say.
func (d *dialogue) pass(out adapters.Output) {
	for _, draft := range out.Drafts {
		if broken := d.ledger.Take(draft); broken != "" {
			d.t.Errorf("%s: %s", conformance.Describe(draft), broken)
		}
		d.drafts = append(d.drafts, draft)
	}
	for _, line := range out.Lines {
		d.send(string(line))
	}
}

func (d *dialogue) command(c adapters.Command) {
	var out adapters.Output
	d.tr.Command(c, &out)
	d.pass(out)
}

// turn prompts and plays to the turn's end. Requests get outcome; the answer to a question is its first option.
func (d *dialogue) turn(text string, outcome protocol.Outcome) (ended adapters.TurnEnded) {
	d.t.Helper()
	d.drafts = nil
	d.command(adapters.Prompt{ID: "p", Text: text})
	for next := 0; ; {
		for ; next < len(d.drafts); next++ {
			if d.on != nil {
				d.on(d.drafts[next])
			}
			switch draft := d.drafts[next].(type) {
			case adapters.RequestOpened:
				answer := adapters.Answer{Key: draft.Key, Outcome: outcome}
				if len(draft.Request.Options) > 0 {
					answer.Option = draft.Request.Options[0].ID
				}
				if len(draft.Request.Questions) > 0 {
					answer.Outcome, answer.Answers = protocol.OutcomeAnswered, [][]string{{"Blue"}}
				}
				d.command(answer)
			case adapters.TurnEnded:
				return draft
			}
		}
		frame, err := d.framer.Next()
		if err != nil {
			d.t.Fatalf("the agent ended inside the turn: %v", err)
		}
		if frame.TooLong == nil {
			var out adapters.Output
			d.tr.Line(frame.Line, &out)
			d.pass(out)
		}
	}
}

// texts returns the final texts of the turn's messages, the prompt's too.
func (d *dialogue) texts() string {
	var all []string
	for _, draft := range d.drafts {
		if c, ok := draft.(adapters.EntryClosed); ok {
			if m, ok := c.Data.(*protocol.MessageData); ok {
				all = append(all, m.Text)
			}
		}
	}
	return strings.Join(all, "|")
}

// The translator of the agent whose protocol this one speaks takes everything that it says.
func TestNativeTranslator(t *testing.T) {
	tests := []struct {
		name, script, prompt string
		outcome              protocol.Outcome
		status               protocol.TurnStatus
		texts                string
	}{
		{"echo", "", "hi", "", protocol.TurnCompleted, "You said: hi|Done: 2 characters repeated."},
		{
			"echo of what looks like a placeholder", "", "{{prompt}} {{answer}}", "", protocol.TurnCompleted,
			"You said: {{prompt}} {{answer}}|Done: 21 characters repeated.",
		},
		{"retry", "faults", "retry", "", protocol.TurnCompleted, "Third time lucky."},
		{"final failure", "faults", "fail", "", protocol.TurnError, ""},
		{"refusal", "faults", "refuse", "", protocol.TurnError, ""},
		{"garbage", "faults", "garbage", "", protocol.TurnCompleted, "That was noise."},
		{"slow", "faults", "slow", "", protocol.TurnCompleted, "Every line takes its time."},
		{"demo, allowed", "demo", "Please.", protocol.OutcomeAllowed, protocol.TurnCompleted, "Fixed:"},
		{"demo, denied", "demo", "Please.", protocol.OutcomeDenied, protocol.TurnCompleted, "All right,"},
		{"flood", "", "\n" + fence + `script` + "\n" + `[{"flood":{"lines":20000}},{"say":{"text":"Done."}}]` + "\n" + fence, "", protocol.TurnCompleted, "Done."},
		{"question", "", "\n" + fence + `script` + "\n" + `[{"ask":{"method":"select","title":"Colour?","options":["Red","Blue"],"then":[{"say":{"text":"{{answer}}."}}]}}]` + "\n" + fence, "", protocol.TurnCompleted, "Blue."},
		{"compaction", "", "\n" + fence + `script` + "\n" + `[{"compact":{"summary":"Short."}},{"say":{"text":"On."}}]` + "\n" + fence, "", protocol.TurnCompleted, "On."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				spec := adapters.Spec{SessionID: "11111111-1111-4111-8111-111111111111"}
				if tt.script != "" {
					spec.Args = []string{"--script", tt.script}
				}
				d := converse(t, Transport{Seed: 1}, spec)
				ended := d.turn(tt.prompt, tt.outcome)
				if ended.Status != tt.status || !strings.Contains(d.texts(), tt.texts) {
					t.Errorf("%+v, texts %.300q", ended, d.texts())
				}
				d.conn.Stop(time.Minute)
				d.end()
			})
		})
	}
}

// Steering and interrupting, through the translator: a message into a running tool is answered in the same turn, and the
// interrupt ends a turn that would never end.
func TestNativeSteerAndInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := converse(t, Transport{Seed: 1, Script: []byte(`{"default":{"steps":[
			{"tool":{"name":"bash","output":["a"],"every":"1s"}},{"stall":{}}]}}`)}, adapters.Spec{SessionID: "s"})
		d.on = func(draft adapters.Draft) {
			switch draft := draft.(type) {
			case adapters.EntryOpened:
				if draft.Type == protocol.EntryToolCall {
					d.command(adapters.Prompt{ID: "s", Text: "Hurry.", Steer: true})
				}
			case adapters.EntryClosed:
				if strings.Contains(d.texts(), "I heard: Hurry.") && d.on != nil {
					d.on = nil
					d.command(adapters.Interrupt{})
				}
			}
		}
		if ended := d.turn("go", ""); ended.Status != protocol.TurnInterrupted || d.on != nil {
			t.Errorf("%+v, texts %q", ended, d.texts())
		}
		d.conn.Stop(time.Minute)
		if _, exit := d.end(); exit.Code != 0 {
			t.Errorf("exit %+v", exit)
		}
	})
}
