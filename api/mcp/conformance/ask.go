//go:build conformance

package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addElicitationFixtures adds tools that ask the client or its user while they run, as the old era does.
func (s *suite) addElicitationFixtures() {
	fixtureWith(s, "test_sampling", "asks the client's model", func(ctx context.Context, r *sdk.CallToolRequest, in struct {
		Prompt string `json:"prompt"`
	},
	) (*sdk.CallToolResult, error) {
		res, err := r.Session.CreateMessage(ctx, sampling(100, in.Prompt)) //nolint:staticcheck // of the old era
		if err != nil {
			return nil, err
		}
		if text, ok := res.Content.(*sdk.TextContent); ok {
			return textResult("LLM response: " + text.Text), nil
		}
		return nil, errors.New("no text in the answer")
	})
	fixtureWith(s, "test_elicitation", "asks the user", func(ctx context.Context, r *sdk.CallToolRequest, in struct {
		Message string `json:"message"`
	},
	) (*sdk.CallToolResult, error) {
		text := func(description string) *jsonschema.Schema {
			return &jsonschema.Schema{Type: "string", Description: description}
		}
		return askUser(ctx, r, in.Message, "User response", object([]string{"username", "email"}, map[string]*jsonschema.Schema{
			"username": text("User's response"), "email": text("User's email address"),
		}))
	})
	s.fixture("test_elicitation_sep1034_defaults", "asks with defaults", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		with := func(kind, value string, enum ...any) *jsonschema.Schema {
			return &jsonschema.Schema{Type: kind, Default: json.RawMessage(value), Enum: enum}
		}
		return askUser(ctx, r, "defaults", "Elicitation completed", object(nil, map[string]*jsonschema.Schema{
			"name": with("string", `"John Doe"`), "age": with("integer", "30"), "score": with("number", "95.5"),
			"status": with("string", `"active"`, "active", "inactive", "pending"), "verified": with("boolean", "true"),
		}))
	})
	s.fixture("test_elicitation_sep1330_enums", "asks for choices", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		plain := []any{"option1", "option2", "option3"}
		titled := func(titles ...string) (list []*jsonschema.Schema) {
			for i, t := range titles {
				list = append(list, &jsonschema.Schema{Const: new(any(fmt.Sprintf("value%d", i+1))), Title: t})
			}
			return list
		}
		return askUser(ctx, r, "enums", "Elicitation completed", object(nil, map[string]*jsonschema.Schema{
			"untitledSingle": {Type: "string", Enum: plain},
			"titledSingle":   {Type: "string", OneOf: titled("First Option", "Second Option", "Third Option")},
			"legacyEnum": {
				Type: "string", Enum: []any{"opt1", "opt2", "opt3"},
				Extra: map[string]any{"enumNames": []any{"Option One", "Option Two", "Option Three"}},
			},
			"untitledMulti": {Type: "array", Items: &jsonschema.Schema{Type: "string", Enum: plain}},
			"titledMulti":   {Type: "array", Items: &jsonschema.Schema{AnyOf: titled("First Choice", "Second Choice", "Third Choice")}},
		}))
	})
}

func sampling(tokens int64, prompt string) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{
		MaxTokens: tokens, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: prompt}}},
	}
}

func askUser(ctx context.Context, r *sdk.CallToolRequest, message, answer string, form *jsonschema.Schema) (*sdk.CallToolResult, error) {
	res, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: message, RequestedSchema: form})
	if err != nil {
		return nil, err
	}
	content, err := json.Marshal(res.Content)
	return textResult(fmt.Sprintf("%s: action=%s, content=%s", answer, res.Action, content)), err
}

// stateKey seals what a client carries from one round of a call to the next.
var stateKey = []byte(rand.Text())

func seal(state string) string {
	m := hmac.New(sha256.New, stateKey)
	_, _ = m.Write([]byte(state))
	return state + "." + hex.EncodeToString(m.Sum(nil))
}

func unseal(sealed string) (string, error) {
	i := strings.LastIndexByte(sealed, '.')
	if i < 0 || !hmac.Equal([]byte(seal(sealed[:i])), []byte(sealed)) {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState is not what it was"}
	}
	return sealed[:i], nil
}

func field(key, message, name, kind string) sdk.InputRequestMap {
	return sdk.InputRequestMap{key: &sdk.ElicitParams{
		Message: message, RequestedSchema: object([]string{name}, map[string]*jsonschema.Schema{name: {Type: kind}}),
	}}
}

func needs(requests sdk.InputRequestMap, state string) *sdk.CallToolResult {
	return &sdk.CallToolResult{InputRequests: requests, RequestState: state}
}

func given(r *sdk.CallToolRequest, key string) (map[string]any, bool) {
	res, ok := r.Params.InputResponses[key].(*sdk.ElicitResult)
	if !ok || res == nil {
		return nil, false
	}
	return res.Content, true
}

// addInputFixtures adds tools that ask by answering that they need input, as the new era does.
func (s *suite) addInputFixtures() {
	add := func(name string, do fixtureTool) {
		s.fixture("test_input_required_result_"+name, "needs input: "+name, do)
	}
	add("elicitation", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		content, _ := given(r, "user_name")
		if name, ok := content["name"].(string); ok {
			return textResult("Hello, " + name + "!"), nil
		}
		return needs(field("user_name", "What is your name?", "name", "string"), ""), nil
	})
	question := sampling(100, "What is the capital of France?")
	add("sampling", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["capital_question"]; ok {
			b, err := json.Marshal(answer)
			return textResult(string(b)), err
		}
		return needs(sdk.InputRequestMap{"capital_question": question}, ""), nil
	})
	add("list_roots", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["client_roots"].(*sdk.ListRootsResult); ok { //nolint:staticcheck // of the suite
			b, err := json.Marshal(answer.Roots)
			return textResult("roots: " + string(b)), err
		}
		return needs(sdk.InputRequestMap{"client_roots": &sdk.ListRootsParams{}}, ""), nil //nolint:staticcheck // of the suite
	})
	confirm := func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if _, ok := given(r, "confirm"); !ok {
			return needs(field("confirm", "Please confirm", "ok", "boolean"), seal("step1")), nil
		}
		_, err := unseal(r.Params.RequestState)
		return textResult("state-ok"), err
	}
	add("request_state", confirm)
	add("tampered_state", confirm)
	add("multiple_inputs", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if len(r.Params.InputResponses) >= 3 {
			_, err := unseal(r.Params.RequestState)
			return textResult("all inputs received"), err
		}
		all := field("user_name", "What is your name?", "name", "string")
		all["greeting"] = sampling(50, "Generate a greeting")
		all["client_roots"] = &sdk.ListRootsParams{} //nolint:staticcheck // of the suite
		return needs(all, seal("multi")), nil
	})
	add("multi_round", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if r.Params.RequestState == "" {
			return needs(field("step1", "Step 1: What is your name?", "name", "string"), seal("r1")), nil
		}
		switch state, err := unseal(r.Params.RequestState); {
		case err != nil:
			return nil, err
		case state == "r1":
			return needs(field("step2", "Step 2: What is your favorite color?", "color", "string"), seal("r2")), nil
		}
		return textResult("complete"), nil
	})
	add("capabilities", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		all := sdk.InputRequestMap{}
		can := r.ClientCapabilities()
		if can != nil && can.Elicitation != nil {
			all = field("elicit", "name?", "name", "string")
		}
		if can != nil && can.Sampling != nil {
			all["sample"] = question
		}
		return needs(all, ""), nil
	})
}
