//go:build conformance

package conformance

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *suite) addResourceFixtures() {
	for _, c := range []sdk.ResourceContents{
		{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."},
		{URI: "test://static-binary", MIMEType: "image/png", Blob: onePixel},
		{URI: "test://watched-resource", MIMEType: "text/plain", Text: "watched"},
	} {
		s.server.AddResource(&sdk.Resource{
			URI: c.URI, Name: strings.TrimPrefix(c.URI, "test://"), Description: "of the suite", MIMEType: c.MIMEType,
		}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{&c}}, nil
		})
	}
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "template", Description: "of the suite", URITemplate: "test://template/{id}/data", MIMEType: "application/json",
	}, func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
			URI: r.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
		}}}, nil
	})
}

func (s *suite) fixturePrompt(name string, arguments []*sdk.PromptArgument, say func(arguments map[string]string) []sdk.Content) {
	s.server.AddPrompt(&sdk.Prompt{Name: name, Description: "of the suite", Arguments: arguments},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			res := &sdk.GetPromptResult{}
			for _, c := range say(r.Params.Arguments) {
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: c})
			}
			return res, nil
		})
}

func (s *suite) addPromptFixtures() {
	required := func(names ...string) (list []*sdk.PromptArgument) {
		for _, n := range names {
			list = append(list, &sdk.PromptArgument{Name: n, Description: "of the suite", Required: true})
		}
		return list
	}
	s.fixturePrompt("test_simple_prompt", nil, func(map[string]string) []sdk.Content {
		return []sdk.Content{&sdk.TextContent{Text: "This is a simple prompt for testing."}}
	})
	s.fixturePrompt("test_prompt_with_arguments", required("arg1", "arg2"), func(a map[string]string) []sdk.Content {
		return []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])}}
	})
	s.fixturePrompt("test_prompt_with_embedded_resource", required("resourceUri"), func(a map[string]string) []sdk.Content {
		return []sdk.Content{
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{
				URI: a["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing.",
			}},
			&sdk.TextContent{Text: "Please process the embedded resource above."},
		}
	})
	s.fixturePrompt("test_prompt_with_image", nil, func(map[string]string) []sdk.Content {
		return []sdk.Content{&sdk.ImageContent{Data: onePixel, MIMEType: "image/png"}, &sdk.TextContent{Text: "Please analyze the image above."}}
	})
	s.server.AddPrompt(&sdk.Prompt{Name: "test_input_required_result_prompt", Description: "of the suite"},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			if len(r.Params.InputResponses) == 0 {
				return &sdk.GetPromptResult{InputRequests: field("user_context", "What context should the prompt use?", "context", "string")}, nil
			}
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "with context"}}}}, nil
		})
}
