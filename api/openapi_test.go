package api

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var update = flag.Bool("update", false, "write the committed descriptions anew")

func described(t *testing.T) *API {
	a, err := New(Config{Supervisor: newTree(t), Token: testToken})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func specsOf(t *testing.T, a *API) map[string][]byte {
	t.Helper()
	specs, err := a.specs.Files()
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

// TestOpenAPIDrift: the committed files are what the daemon serves.
func TestOpenAPIDrift(t *testing.T) {
	specs := specsOf(t, described(t))
	for _, name := range []string{"openapi.json", "openapi-3.0.json"} { // 3.2 is made of the first
		b := specs[name]
		if *update {
			if err := os.WriteFile(name, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		committed, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(committed, b) {
			t.Errorf("%s is not what the code describes (%v): run go generate ./api and review the change", name, err)
		}
	}
}

// TestOpenAPIIsStable: two builds of the description are the same bytes.
func TestOpenAPIIsStable(t *testing.T) {
	first, second := described(t), described(t)
	if !reflect.DeepEqual(specsOf(t, first), specsOf(t, second)) {
		t.Error("the description depends on the order of maps")
	}
}

func loadSpec(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(specsOf(t, described(t))["openapi-3.0.json"])
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestOpenAPIIsValid also checks what linters ask for and generators need.
func TestOpenAPIIsValid(t *testing.T) {
	doc := loadSpec(t)
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	inPath := regexp.MustCompile(`\{(\w+)\}`)
	ids := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			at := method + " " + path
			if op.OperationID == "" || ids[op.OperationID] || op.Summary == "" || op.Description == "" || len(op.Tags) != 1 {
				t.Errorf("%s: operationId %q, summary %q, tags %v", at, op.OperationID, op.Summary, op.Tags)
			}
			ids[op.OperationID] = true
			for _, m := range inPath.FindAllStringSubmatch(path, -1) {
				if op.Parameters.GetByInAndName("path", m[1]) == nil {
					t.Errorf("%s: {%s} has no parameter", at, m[1])
				}
			}
			for _, p := range op.Parameters {
				if p.Value.Description == "" && p.Value.Name != "limit" {
					t.Errorf("%s: parameter %s has no description", at, p.Value.Name)
				}
			}
			open := path == "/health" || path == "/ready" || path == "/login" && method == http.MethodPost
			if isOpen := op.Security != nil && len((*op.Security)[0]) == 0; isOpen != open {
				t.Errorf("%s: documented as open: %v", at, isOpen)
			}
			for status, r := range op.Responses.Map() {
				if status[0] == '2' || status[0] == '3' {
					continue
				}
				if c := r.Value.Content[protocol.ProblemType]; c == nil || c.Schema.Ref != "#/components/schemas/Problem" {
					t.Errorf("%s: %s is no Problem", at, status)
				}
			}
			if body := op.RequestBody; body != nil {
				for _, c := range body.Value.Content {
					if c.Schema.Ref == "" {
						t.Errorf("%s: the body has no name", at)
					}
				}
			}
		}
	}
	if err := allRefs(doc); err != "" {
		t.Error(err)
	}
}

// allRefs finds references to schemas that are not there; the loader resolves those of known places only.
func allRefs(doc *openapi3.T) string {
	b, err := doc.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	for _, m := range regexp.MustCompile(`"#/components/schemas/(\w+)"`).FindAllSubmatch(b, -1) {
		if doc.Components.Schemas[string(m[1])] == nil {
			return "no schema " + string(m[1])
		}
	}
	return ""
}

// TestEveryRouteIsDescribed, and nothing else; the files and pages that describe are no operations themselves.
func TestEveryRouteIsDescribed(t *testing.T) {
	a := described(t)
	doc := loadSpec(t)
	plain := map[string]bool{"/openapi.json": true, "/openapi-3.0.json": true, "/openapi-3.2.json": true}
	described := 0
	for pattern := range a.routes.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		if plain[path] || strings.HasPrefix(path, "/docs") || slices.Contains(pageRoutes, pattern) {
			continue
		}
		if item := doc.Paths.Value(path); item == nil || item.GetOperation(method) == nil {
			t.Errorf("%s is not described", pattern)
		}
		described++
	}
	everyOperation(readJSON(t, specsOf(t, a)["openapi.json"]), func(at string, _ object) {
		if described--; a.routes.Row(at) == nil {
			t.Errorf("%s is described and not there", at)
		}
	})
	if described != 0 {
		t.Errorf("%d routes more than operations", described)
	}
}

// TestEventsMatchTheDescription: what the codec writes is what the unions say, for every type, delta and kind of entry.
// Proves: 002.4.5/members
func TestEventsMatchTheDescription(t *testing.T) {
	doc := loadSpec(t)
	union := doc.Components.Schemas["SessionEvent"].Value
	stream := doc.Components.Schemas["StreamMessage"].Value
	seen := map[protocol.Type]bool{}
	check := func(line []byte) {
		t.Helper()
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]*openapi3.Schema{"SessionEvent": union, "StreamMessage": stream} {
			if err := s.VisitJSON(v); err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
			}
		}
	}
	for i := range schema.ExampleEvents {
		e := &schema.ExampleEvents[i]
		seen[e.Payload.Type()] = true
		check(protocol.Append(nil, e))
	}
	for i, typ := range protocol.Types() {
		if !seen[typ] {
			t.Errorf("no example of %s", typ)
		}
		if schema.Payloads[i].Type() != typ {
			t.Errorf("payloads[%d] is %s, want %s", i, schema.Payloads[i].Type(), typ)
		}
	}
	for _, d := range schema.Deltas {
		check(protocol.Append(nil, &protocol.Event{Seq: 1, Time: 1, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: filled(d)}}))
	}
	kinds := schema.Enums[reflect.TypeFor[protocol.EntryType]()]
	for _, k := range kinds {
		data := filled(protocol.NewEntryData(protocol.EntryType(k.(string))))
		check(protocol.Append(nil, &protocol.Event{Seq: 1, Time: 1, Payload: &protocol.EntryStart{
			EntryID: "e1", EntryType: protocol.EntryType(k.(string)), Data: data,
		}}))
		check(protocol.Append(nil, &protocol.Event{Seq: 1, Time: 1, Payload: &protocol.EntryEnd{
			EntryID: "e1", EntryType: protocol.EntryType(k.(string)), Data: data,
		}}))
	}
	for _, p := range schema.Payloads {
		check(protocol.Append(nil, &protocol.Event{Seq: 1, Time: 1, Payload: filled(p)}))
	}
	for _, frame := range []string{
		string(protocol.AppendHeartbeat(nil, protocol.Cursor{Epoch: 1, Seq: 3}, 5)),
		string(protocol.AppendReset(nil, protocol.Reset{Epoch: 1, Oldest: 1, Newest: 3})),
	} {
		_, data, _ := strings.Cut(frame, "data: ")
		var v any
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			t.Fatal(err)
		}
		if err := stream.VisitJSON(v); err != nil {
			t.Errorf("%s: %v", data, err)
		}
		if union.VisitJSON(v) == nil {
			t.Errorf("%s counts as an event of the log", data)
		}
	}
	for _, bad := range []string{
		`{"seq":1,"ts":1,"type":"nothing"}`, `{"seq":1,"ts":1,"type":"status","state":"nope","agentStatus":"idle"}`, `{"ts":1,"type":"status","state":"idle","agentStatus":"idle"}`,
		`{"seq":1,"ts":1,"type":"entry_start","entryId":"e1","entryType":"tool_call","data":{"text":"x"}}`,
		`{"seq":1,"ts":1,"type":"entry_end","entryId":"e1","entryType":"plan","data":[]}`,
		`{"seq":1,"ts":1,"type":"entry_end","entryId":"e1","data":{"text":"x"}}`,
		`{"seq":1,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"status_change","status":"x"}}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(bad), &v); err != nil {
			t.Fatal(err)
		}
		if union.VisitJSON(v) == nil {
			t.Errorf("the description takes %s", bad)
		}
	}
}

// filled sets every member of a struct of package protocol to something, so that the encoder writes all of them.
func filled[T any](v T) T {
	fill(reflect.ValueOf(v).Elem())
	return v
}

func fill(v reflect.Value) {
	if words := schema.Enums[v.Type()]; words != nil {
		v.SetString(words[0].(string))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Extra" {
				fill(v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(`{"raw":1}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("k"), reflect.ValueOf("v"))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Interface:
		switch v.Type() {
		case reflect.TypeFor[protocol.EntryData]():
			v.Set(reflect.ValueOf(filled(&protocol.MessageData{})))
		case reflect.TypeFor[protocol.Delta]():
			v.Set(reflect.ValueOf(filled(&protocol.TextAppend{})))
		}
	}
}

// TestAnswersMatchTheDescription validates real answers, with nothing in them that is not described.
func TestAnswersMatchTheDescription(t *testing.T) {
	h := newHarness(t)
	doc := loadSpec(t)
	id := h.create("asking")
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`)
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"y"}`)
	for path, schema := range map[string]string{
		"/sessions": "SessionPage", "/sessions/" + id: "SessionDetail", "/sessions/" + id + "/prompts": "PromptList",
		"/sessions/" + id + "/requests": "RequestList", "/sessions/" + id + "/state": "SessionState", "/agents": "AgentList",
		"/health": "Health", "/ready": "Readiness",
	} {
		s := doc.Components.Schemas[schema]
		if s == nil {
			t.Errorf("no schema %s", schema)
			continue
		}
		var v map[string]any
		h.want(http.StatusOK, "GET", path, "").into(t, &v)
		if err := s.Value.VisitJSON(v, openapi3.VisitAsResponse()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for k := range v {
			if s.Value.Properties[k] == nil {
				t.Errorf("%s: %s is not described", path, k)
			}
		}
	}
	var v any
	h.do("GET", "/sessions/none", "").into(t, &v)
	if err := doc.Components.Schemas["Problem"].Value.VisitJSON(v); err != nil {
		t.Error(err)
	}
}

// TestStreamsAreDescribed: in each version, in its words, what one event of a stream and one line of a log is.
// Proves: I10.3/streams
func TestStreamsAreDescribed(t *testing.T) {
	specs := specsOf(t, described(t))
	for _, row := range []struct{ spec, path, media, at, want string }{
		{"openapi.json", "/sessions/{id}/stream", schema.EventStream, "schema.$ref", "StreamMessage"},
		{"openapi-3.0.json", "/sessions/{id}/stream", schema.EventStream, "schema.$ref", "StreamMessage"},
		{"openapi-3.2.json", "/sessions/{id}/stream", schema.EventStream, "itemSchema.properties.data.contentSchema.$ref", "StreamMessage"},
		{"openapi.json", "/sessions/{id}/log/events", schema.EventStream, "schema.$ref", "StreamMessage"},
		{"openapi-3.2.json", "/sessions/{id}/log/events", schema.EventStream, "itemSchema.properties.data.contentSchema.$ref", "StreamMessage"},
		{"openapi.json", "/mcp", schema.EventStream, "schema.$ref", "McpMessage"},
		{"openapi.json", "/sessions/{id}/log", schema.NDJSONType, "schema.format", "binary"},
		{"openapi.json", "/sessions/{id}/log", schema.NDJSONType, "x-itemSchema.$ref", "SessionEvent"},
		{"openapi-3.0.json", "/sessions/{id}/log", schema.NDJSONType, "schema.format", "binary"},
		{"openapi-3.2.json", "/sessions/{id}/log", schema.NDJSONType, "itemSchema.$ref", "SessionEvent"},
		{"openapi-3.2.json", "/sessions/{id}/raw", schema.NDJSONType, "itemSchema.$ref", "RawLine"},
	} {
		media := dig(readJSON(t, specs[row.spec]), "paths", row.path, "get", "responses", "200", "content", row.media)
		got, _ := dig(media, strings.Split(row.at, ".")...).(string)
		if strings.TrimPrefix(got, schema.Prefix) != row.want {
			t.Errorf("%s: %s: %s of %s is %q, want %s", row.spec, row.path, row.at, row.media, got, row.want)
		}
	}
}

// Proves: 002.13/4
func TestSpecIsServed(t *testing.T) {
	h := newHarness(t)
	for name, b := range specsOf(t, h.api) {
		r := h.want(http.StatusOK, "GET", "/"+name, "")
		served := readJSON(t, r.body)
		if url := dig(served["servers"].([]any)[0], "url"); url != h.base {
			t.Errorf("%s: the server is %v, want %s", name, url, h.base)
		}
		if back := bytes.Replace(r.body, []byte(h.base), []byte("http://"+DefaultAddress), 1); !bytes.Equal(back, b) || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v", name, r.Header)
		}
		h.want(http.StatusNotModified, "GET", "/"+name, "", "If-None-Match", r.Header.Get("ETag"))
	}
}

// TestDocsToken: only the page itself is told the token, and only the one that its own request has brought.
// Proves: I10.3/docs
func TestDocsToken(t *testing.T) {
	h := newHarness(t)
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+testToken))
	for _, row := range []struct {
		auth, site string
		status     int
		want       string
	}{
		{basic, "same-origin", http.StatusOK, testToken},
		{basic, "none", http.StatusNoContent, ""}, // typed into the address bar
		{basic, "", http.StatusNoContent, ""},
		{basic, "same-site", http.StatusForbidden, ""},
		{basic, "cross-site", http.StatusForbidden, ""},
		{"Bearer " + testToken, "same-origin", http.StatusNoContent, ""},
		{"Basic " + base64.StdEncoding.EncodeToString([]byte("me:wrong")), "same-origin", http.StatusUnauthorized, ""},
	} {
		header := []string{"Authorization", row.auth}
		if row.site != "" {
			header = append(header, "Sec-Fetch-Site", row.site)
		}
		r := h.do("GET", "/docs/token", "", header...)
		if r.StatusCode != row.status || row.status < 300 && string(r.body) != row.want || row.status >= 300 && strings.Contains(string(r.body), testToken) {
			t.Errorf("%s of a page that is %q: %d %s", strings.Fields(row.auth)[0], row.site, r.StatusCode, r.body)
		}
		if r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("it is kept: %s", r.Header.Get("Cache-Control"))
		}
	}
}

// TestDocs: the page and all it loads come from here, and its policy lets nothing else in.
func TestDocs(t *testing.T) {
	h := newHarness(t)
	page := h.want(http.StatusOK, "GET", "/docs", "")
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "http") || strings.Contains(policy, "unsafe-eval") {
		t.Errorf("policy %q", policy)
	}
	found := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllSubmatch(page.body, -1)
	if len(found) != 4 {
		t.Fatalf("the page loads %d files", len(found))
	}
	for _, m := range found {
		path := string(m[1])
		if path == "data:," { // no icon
			continue
		}
		if !strings.HasPrefix(path, "/docs/") {
			t.Errorf("the page loads %s", path)
			continue
		}
		r := h.want(http.StatusOK, "GET", path, "")
		if ct := r.Header.Get("Content-Type"); !strings.HasPrefix(ct, "text/javascript") && !strings.HasPrefix(ct, "text/css") {
			t.Errorf("%s is %s", path, ct)
		}
		body := decoded(t, r.Header.Get("Content-Encoding"), r.body)
		if len(body) < 50 {
			t.Errorf("%s has %d bytes", path, len(body))
		}
	}
	for _, path := range []string{"/agents", "/sessions/none", "/health", "/metrics"} {
		hd := h.do("GET", path, "").Header
		if hd.Get("X-Content-Type-Options") != "nosniff" || hd.Get("Referrer-Policy") != "no-referrer" || !strings.Contains(hd.Get("Content-Security-Policy"), "default-src 'none'") || hd.Get("Cache-Control") == "" {
			t.Errorf("%s: %v", path, hd)
		}
	}
}
