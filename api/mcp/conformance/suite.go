//go:build conformance

package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools, resources and prompts that the official conformance suite calls, by the names and with the answers that it
// wants. They go through the product's own transport, middleware and tasks; a release build does not have them.

// fixtureTool is what a tool of the suite does.
type fixtureTool = func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error)

// suite adds them to a server.
type suite struct {
	server *sdk.Server
	life   context.Context       // done when everything shall end
	start  func(run func()) bool // runs a goroutine that ends with life, unless that is over
}

// Add adds everything that the suite calls.
func Add(life context.Context, server *sdk.Server, start func(run func()) bool) {
	s := &suite{server, life, start}
	s.addContentFixtures()
	s.addCallFixtures()
	s.addChangeFixtures()
	s.addElicitationFixtures()
	s.addInputFixtures()
	s.addResourceFixtures()
	s.addPromptFixtures()
	s.addTaskFixtures()
}

// Watchable lets the suite watch a resource that is none of a session.
func Watchable(uri string) error {
	if uri == "test://watched-resource" {
		return nil
	}
	return sdk.ResourceNotFoundError(uri)
}

func (s *suite) fixture(name, description string, do fixtureTool) {
	sdk.AddTool(s.server, &sdk.Tool{Name: name, Description: description}, func(ctx context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		res, err := do(ctx, r)
		return res, nil, err
	})
}

// fixtureWith is a tool with arguments.
func fixtureWith[In any](s *suite, name, description string, do func(ctx context.Context, r *sdk.CallToolRequest, in In) (*sdk.CallToolResult, error)) {
	sdk.AddTool(s.server, &sdk.Tool{Name: name, Description: description}, func(ctx context.Context, r *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		res, err := do(ctx, r, in)
		return res, nil, err
	})
}

func textResult(text string) *sdk.CallToolResult { return contents(&sdk.TextContent{Text: text}) }

func contents(c ...sdk.Content) *sdk.CallToolResult { return &sdk.CallToolResult{Content: c} }

func always(r *sdk.CallToolResult) fixtureTool {
	return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return r, nil }
}

func decoded(text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

var (
	onePixel = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
	silence  = decoded("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=")
)

func (s *suite) addContentFixtures() {
	image := &sdk.ImageContent{Data: onePixel, MIMEType: "image/png"}
	embedded := func(uri, media, text string) sdk.Content {
		return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: media, Text: text}}
	}
	s.fixture("test_simple_text", "answers text", always(textResult("This is a simple text response for testing.")))
	s.fixture("test_image_content", "answers an image", always(contents(image)))
	s.fixture("test_audio_content", "answers audio", always(contents(&sdk.AudioContent{Data: silence, MIMEType: "audio/wav"})))
	s.fixture("test_embedded_resource", "answers a resource", always(contents(
		embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."))))
	s.fixture("test_multiple_content_types", "answers several contents", always(contents(
		&sdk.TextContent{Text: "Multiple content types test:"}, image,
		embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`))))
	s.fixture("test_error_handling", "always fails", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, errors.New("This tool intentionally returns an error for testing") //nolint:staticcheck // the suite's words
	})
	fixtureWith(s, "greet", "answers at once", func(_ context.Context, _ *sdk.CallToolRequest, in struct {
		Name string `json:"name"`
	},
	) (*sdk.CallToolResult, error) {
		return textResult("Hello, " + in.Name + "!"), nil
	})
	s.server.AddTool(&sdk.Tool{
		Name: "json_schema_2020_12_tool", Description: "has a schema with much in it", InputSchema: json.RawMessage(largeSchema),
	}, always(textResult("ok")))
	s.server.AddTool(&sdk.Tool{
		Name: "test_x_mcp_header", Description: "has an argument that stands in a header",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`),
	}, always(textResult("ok")))
}

const largeSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false}`

func (s *suite) addCallFixtures() {
	logs := func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := logFixture(ctx, r.Session, text); err != nil {
				return nil, err
			}
			rest(ctx, 50*time.Millisecond)
		}
		return textResult("logged"), nil
	}
	s.fixture("test_tool_with_logging", "logs while it runs", logs)
	s.fixture("test_logging_tool", "logs while it runs", logs)
	progress := func(steps ...float64) fixtureTool {
		return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			token := r.Params.GetProgressToken()
			for _, step := range steps {
				if token == nil {
					break
				}
				if err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: step, Total: 100}); err != nil {
					return nil, err
				}
				rest(ctx, 50*time.Millisecond)
			}
			return textResult("done"), nil
		}
	}
	s.fixture("test_tool_with_progress", "tells its progress", progress(0, 50, 100))
	s.fixture("test_streaming_elicitation", "tells its progress", progress(1))
	s.fixture("test_reconnection", "closes its stream while it runs", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if shut := r.Extra.CloseSSEStream; shut != nil {
			shut(sdk.CloseSSEStreamArgs{RetryAfter: 100 * time.Millisecond})
		}
		rest(ctx, 200*time.Millisecond)
		return textResult("reconnected"), nil
	})
	s.fixture("test_missing_capability", "needs sampling", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if c := r.ClientCapabilities(); c == nil || c.Sampling == nil {
			return nil, &jsonrpc.Error{
				Code: sdk.CodeMissingRequiredClientCapabilities, Message: "sampling is required",
				Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
			}
		}
		return textResult("ok"), nil
	})
}

// rest waits, as the suite wants a tool to take its time.
func rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// addChangeFixtures adds tools that change lists for a moment.
func (s *suite) addChangeFixtures() {
	var mu sync.Mutex
	flicker := func(add, remove func()) fixtureTool {
		return func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			s.start(func() {
				mu.Lock()
				defer mu.Unlock()
				add()
				rest(s.life, 20*time.Millisecond)
				remove()
			})
			return textResult("ok"), nil
		}
	}
	s.fixture("test_trigger_tool_change", "changes the list of tools", flicker(
		func() { s.fixture("transient_tool", "comes and goes", always(textResult(""))) },
		func() { s.server.RemoveTools("transient_tool") }))
	s.fixture("test_trigger_prompt_change", "changes the list of prompts", flicker(
		func() { s.fixturePrompt("transient_prompt", nil, func(map[string]string) []sdk.Content { return nil }) },
		func() { s.server.RemovePrompts("transient_prompt") }))
}

func object(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: properties, Required: required}
}
