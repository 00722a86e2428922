package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/schema"
)

// Specs is the description as files. It is written when it is first asked for: that takes a processor's tenth of a second, which
// most daemons never need.
type Specs struct {
	written func() (map[string][]byte, error)
}

// ServeSpecs completes the description, after all operations are registered, and serves it: as OpenAPI 3.1, as 3.0 for tools that
// know no later one, and as 3.2 for those that know what it says of streams. From then on the description is only read.
func ServeSpecs(t *operation.Table, e Examples) *Specs {
	doc := t.Description()
	finishSpec(doc, e)
	s := &Specs{sync.OnceValues(func() (map[string][]byte, error) { return writeSpecs(doc) })}
	for _, name := range []string{latestSpec, olderSpec, newerSpec} {
		t.Routes.Page("GET /"+name, s.serve(t, name, doc.Servers[0].URL))
	}
	return s
}

// The files of the description.
const (
	latestSpec = "openapi.json"
	olderSpec  = "openapi-3.0.json"
	newerSpec  = "openapi-3.2.json"
)

// Files gives the description by the names of its files.
func (s *Specs) Files() (map[string][]byte, error) { return s.written() }

func writeSpecs(doc *huma.OpenAPI) (map[string][]byte, error) {
	latest, err := doc.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("describe the API: %w", err)
	}
	older, err := downgrade(doc)
	if err != nil {
		return nil, fmt.Errorf("describe the API in OpenAPI 3.0: %w", err)
	}
	newer, err := upgrade(latest)
	if err != nil {
		return nil, fmt.Errorf("describe the API in OpenAPI 3.2: %w", err)
	}
	specs := map[string][]byte{latestSpec: latest, olderSpec: older, newerSpec: newer}
	for name, b := range specs {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, b, "", " "); err != nil {
			return nil, fmt.Errorf("describe the API: %w", err)
		}
		pretty.WriteByte('\n')
		specs[name] = pretty.Bytes()
	}
	return specs, nil
}

// serve gives a description that names the daemon as the client has addressed it: generators and pages want a whole address. The
// guard has seen to it that the name is the daemon's.
func (s *Specs) serve(t *operation.Table, name, server string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		specs, err := s.written()
		if err != nil { // a mistake of the program, which the tests of the description find
			operation.WriteProblem(w, &t.Failure(name, err).Problem)
			return
		}
		scheme := "http://"
		if guard.ConnectionOf(r.Context()).TLS {
			scheme = "https://"
		}
		from, to := fmt.Appendf(nil, "%q", server), fmt.Appendf(nil, "%q", scheme+r.Host)
		serveStatic(w, r, "application/json", "", bytes.Replace(specs[name], from, to, 1))
	}
}

// downgrade is huma's OpenAPI 3.0 without what it leaves in of 3.1.
func downgrade(doc *huma.OpenAPI) ([]byte, error) {
	b, err := doc.Downgrade()
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	toOlder(v)
	return json.Marshal(v)
}

// toOlder says binary bodies in the words of 3.0, and takes away what may not stand beside a reference there.
func toOlder(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, binary := v["contentMediaType"].(string); binary {
			delete(v, "contentMediaType")
			v["type"], v["format"] = "string", "binary"
		}
		if _, ref := v["$ref"].(string); ref {
			delete(v, "description")
		}
		for _, x := range v {
			toOlder(x)
		}
	case []any:
		for _, x := range v {
			toOlder(x)
		}
	}
}

// finishSpec completes the schemas that huma made of Go types. Those of bodies stay closed, as the handlers are strict;
// those of answers are open, as clients must be.
func finishSpec(doc *huma.OpenAPI, e Examples) {
	reg := doc.Components.Schemas
	taken := map[string]bool{}
	var described []*huma.Operation
	for _, path := range doc.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op == nil {
				continue
			}
			if op.RequestBody != nil {
				for _, m := range op.RequestBody.Content {
					reach(reg, m.Schema, taken)
				}
			}
			described = append(described, op)
		}
	}
	for name, s := range reg.Map() {
		t := reg.TypeFromRef(schema.Prefix + name)
		if t == nil {
			continue // made by hand, finished there
		}
		closed := s.AdditionalProperties
		schema.Finish(t, s)
		if taken[name] {
			s.AdditionalProperties = closed
		}
		switch {
		case s.Description != "":
		case t.PkgPath() == schema.ProtocolPath:
			s.Description = schema.TypeDocs[t.Name()]
		default:
			s.Description = schema.BodyDocs[name]
		}
		s.PrecomputeMessages()
	}
	for _, op := range described {
		describeParts(reg, op)
		e.addTo(op)
		exampleProblemsOf(doc, op)
	}
}

// describeParts gives the body and the headers of an operation the texts that huma puts on their schemas alone.
func describeParts(reg huma.Registry, op *huma.Operation) {
	if body := op.RequestBody; body != nil && body.Description == "" {
		for _, m := range body.Content {
			body.Description = reg.SchemaFromRef(m.Schema.Ref).Description
		}
	}
	for _, r := range op.Responses {
		for _, h := range r.Headers {
			if h.Description == "" && h.Schema != nil {
				h.Description = h.Schema.Description
			}
		}
	}
}

// reach notes the named schemas that s leads to.
func reach(reg huma.Registry, s *huma.Schema, seen map[string]bool) {
	if s == nil {
		return
	}
	if name, ok := strings.CutPrefix(s.Ref, schema.Prefix); ok {
		if seen[name] {
			return
		}
		seen[name] = true
		s = reg.SchemaFromRef(s.Ref)
	}
	reach(reg, s.Items, seen)
	for _, p := range s.Properties {
		reach(reg, p, seen)
	}
	for _, c := range s.OneOf {
		reach(reg, c, seen)
	}
	if p, ok := s.AdditionalProperties.(*huma.Schema); ok {
		reach(reg, p, seen)
	}
}

// serveStatic serves bytes that never change while the program runs.
func serveStatic(w http.ResponseWriter, r *http.Request, contentType, encoding string, body []byte) {
	sum := sha256.Sum256(body)
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
	h.Set("Cache-Control", "no-cache")
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
