package form

import (
	"context"
	"reflect"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFormsAreTaken by a client of the SDK, which checks them, and what its user does with them is the answer to the request.
func TestFormsAreTaken(t *testing.T) {
	colours := []protocol.Option{{ID: "red", Label: "Red"}, {ID: "green"}}
	ask := func(q ...protocol.Question) *protocol.RequestOpened {
		return &protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestQuestion, Title: "Tell me", Questions: q}
	}
	approval := &protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestApproval, Title: "May I?", Text: "rm -r /", Options: []protocol.Option{
		{ID: protocol.AllowOnce, Label: "Yes"}, {ID: protocol.DenyStop},
	}}
	accept := func(content map[string]any) *sdk.ElicitResult {
		return &sdk.ElicitResult{Action: "accept", Content: content}
	}
	for name, c := range map[string]struct {
		r    *protocol.RequestOpened
		does *sdk.ElicitResult
		want *control.Answer
	}{
		"an approval":          {approval, accept(map[string]any{"option": "allow_once"}), &control.Answer{Option: "allow_once"}},
		"an approval declined": {approval, &sdk.ElicitResult{Action: "decline"}, &control.Answer{Outcome: protocol.OutcomeDenied}},
		"an approval closed":   {approval, &sdk.ElicitResult{Action: "cancel"}, nil},
		"any approval": {
			&protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestApproval, Title: "May I?"},
			accept(map[string]any{"option": "deny"}), &control.Answer{Option: "deny"},
		},
		"one option": {
			ask(protocol.Question{Text: "Which?", Options: colours}), accept(map[string]any{"answer_1": "green"}),
			&control.Answer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"green"}}},
		},
		"several options": {
			ask(protocol.Question{Text: "Which?", Options: colours, Multiple: true}), accept(map[string]any{"answer_1": []any{"green", "red"}}),
			&control.Answer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"green", "red"}}},
		},
		"free text, and options": {
			ask(protocol.Question{Text: "Which?", Options: colours, FreeText: true}, protocol.Question{Header: "Why", Text: "Why?"}),
			accept(map[string]any{"answer_1": "blue", "answer_2": "I like it."}),
			&control.Answer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"blue"}, {"I like it."}}},
		},
		"a question declined": {ask(protocol.Question{Text: "Why?"}), &sdk.ElicitResult{Action: "decline"}, &control.Answer{Outcome: protocol.OutcomeCancelled}},
		"a question closed":   {ask(protocol.Question{Text: "Why?"}), &sdk.ElicitResult{Action: "cancel"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			here, there := sdk.NewInMemoryTransports()
			server := sdk.NewServer(&sdk.Implementation{Name: "server"}, nil)
			ss, err := server.Connect(t.Context(), here, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer ss.Close()
			client := sdk.NewClient(&sdk.Implementation{Name: "client"}, &sdk.ClientOptions{
				ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) { return c.does, nil },
			})
			cs, err := client.Connect(t.Context(), there, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
			if err != nil {
				t.Fatal(err)
			}
			defer cs.Close()
			res, err := ss.Elicit(t.Context(), Elicitation(c.r))
			if err != nil {
				t.Fatal(err)
			}
			if c.want != nil {
				c.want.RequestID, c.want.By = "r1", "client:test"
			}
			if got := Elicited(c.r, res, "client:test"); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
