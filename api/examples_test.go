package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestEveryBodyHasAnExample, and every example is what its schema says, in both directions: of an answer's example no member is
// without a description, as it is of the very type that answers have.
func TestEveryBodyHasAnExample(t *testing.T) {
	doc := loadSpec(t)
	bodies, checked := 0, 0
	check := func(at string, media *openapi3.MediaType, dir ...openapi3.SchemaValidationOption) {
		t.Helper()
		bodies++
		examples := map[string]any{}
		if media.Example != nil {
			examples["example"] = media.Example
		}
		for name, e := range media.Examples {
			examples[name] = e.Value.Value
			if e.Value.Summary == "" {
				t.Errorf("%s: the example %s has no summary", at, name)
			}
		}
		if len(examples) == 0 {
			t.Errorf("%s has no example: add one in api/bodyexamples.go", at)
		}
		for name, v := range examples {
			checked++
			if err := media.Schema.Value.VisitJSON(v, dir...); err != nil {
				t.Errorf("%s: the example %s: %v", at, name, err)
			}
			undescribed(t, at+" "+name, media.Schema.Value, v)
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			at := method + " " + path
			if op.RequestBody != nil {
				for media, m := range op.RequestBody.Value.Content {
					check(at+" "+media, m, openapi3.VisitAsRequest())
				}
			}
			for status, r := range op.Responses.Map() {
				for media, m := range r.Value.Content {
					check(at+" "+status+" "+media, m, openapi3.VisitAsResponse())
				}
			}
		}
	}
	if bodies < 250 || checked < bodies {
		t.Errorf("%d bodies, %d examples", bodies, checked)
	}
}

// undescribed finds members of an example that its schema does not have; those of unions are held by VisitJSON.
func undescribed(t *testing.T, at string, s *openapi3.Schema, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		if len(s.OneOf) > 0 || len(s.Properties) == 0 {
			return
		}
		for k, x := range v {
			p := s.Properties[k]
			if p == nil {
				t.Errorf("%s: %s is not described", at, k)
				continue
			}
			undescribed(t, at+"."+k, p.Value, x)
		}
	case []any:
		for _, x := range v {
			if s.Items != nil {
				undescribed(t, at+"[]", s.Items.Value, x)
			}
		}
	}
}

// TestRequestExamplesAreTaken sends every example of a request: what it is refused for is never its form.
func TestRequestExamplesAreTaken(t *testing.T) {
	h := newHarness(t)
	operations := map[string]string{}
	everyOperation(readJSON(t, specsOf(t, h.api)["openapi.json"]), func(at string, op object) {
		if _, ok := op["requestBody"]; ok {
			operations[op["operationId"].(string)] = at
		}
	})
	if want := slices.Sorted(maps.Keys(operations)); !slices.Equal(want, slices.Sorted(maps.Keys(requestExamples))) {
		t.Errorf("operations with a body are %v: requestExamples of api/bodyexamples.go has others", want)
	}
	for op, examples := range requestExamples {
		for _, e := range examples {
			id := h.create("asking")
			body, err := json.Marshal(e.Value)
			if err != nil {
				t.Fatal(err)
			}
			method, path := at(operations[op], id)
			var r reply
			if op == "streamSessions" { // goes on for ever
				r = h.ask("Bearer "+testToken, method, path, string(body))
			} else {
				r = h.do(method, path, string(body), "Accept", "application/json, text/event-stream")
			}
			switch code := r.code(); {
			case r.StatusCode < http.StatusBadRequest:
			case op == "wait" && code == protocol.CodeSessionNotFound: // it names one
			case op == "createWebhook" && code == protocol.CodeForbidden: // this daemon may send nowhere
			case (op == "changeWebhook" || op == "rotateWebhookSecret") && code == protocol.CodeNotFound:
			case op == "login" && code == protocol.CodeNotFound: // nobody waits with it
			case op == "drainNode" && code == protocol.CodeNotFound: // there is no Core
			case op == "addRoot" && code == protocol.CodeForbidden: // without the unix socket
			case code == protocol.CodeAgentNotFound, code == protocol.CodePromptNotFound, code == protocol.CodeRequestNotFound, code == protocol.CodeNotSupported:
			default:
				t.Errorf("%s, the example %s: %d %s", op, e.Name, r.StatusCode, r.body)
			}
		}
	}
}
