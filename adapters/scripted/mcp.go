package scripted

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// mcpServer is the MCP server that the agent was given.
type mcpServer struct {
	url, token string
	timeout    time.Duration // of a call
}

func newMCPServer(url string, timeout time.Duration, env []string) *mcpServer {
	if url == "" {
		return nil
	}
	s := &mcpServer{url: url, timeout: timeout}
	for _, v := range env {
		if token, ok := strings.CutPrefix(v, adapters.MCPTokenEnv+"="); ok {
			s.token = token
		}
	}
	return s
}

// mcpRevision is the revision of MCP that is spoken: the first without MCP sessions.
const mcpRevision = "2026-07-28"

// maxResult bounds what a call may answer, in bytes.
const maxResult = 8 << 20

// mcpRequest is a request of that revision, which says with each who asks.
type mcpRequest struct {
	Version string    `json:"jsonrpc"`
	ID      int       `json:"id"`
	Method  string    `json:"method"`
	Params  mcpParams `json:"params"`
}

type mcpParams struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Meta      struct {
		Revision string `json:"io.modelcontextprotocol/protocolVersion"`
		Client   struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"io.modelcontextprotocol/clientInfo"`
		Capabilities struct{} `json:"io.modelcontextprotocol/clientCapabilities"`
	} `json:"_meta"`
}

// mcpResult is what a tool gave.
type mcpResult struct {
	Content    []mcpText       `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

type mcpText struct {
	Text string `json:"text"`
}

func (r *mcpResult) text() string {
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// value is the result for programs; without one it is the text.
func (r *mcpResult) value() json.RawMessage {
	if r.Structured != nil {
		return r.Structured
	}
	return encode(r.text())
}

// call asks the server to carry out a tool. A call that does not come about has failed.
func (s *mcpServer) call(ctx context.Context, tool string, args json.RawMessage) *mcpResult {
	r, err := s.request(ctx, tool, args)
	if err != nil {
		return &mcpResult{Content: []mcpText{{err.Error()}}, IsError: true}
	}
	return r
}

func (s *mcpServer) request(ctx context.Context, tool string, args json.RawMessage) (*mcpResult, error) {
	q := mcpRequest{Version: "2.0", ID: 1, Method: "tools/call", Params: mcpParams{Name: tool, Arguments: args}}
	q.Params.Meta.Revision = mcpRevision
	q.Params.Meta.Client.Name, q.Params.Meta.Client.Version = "scripted-agent", "1"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(encode(q)))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + s.token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": mcpRevision, "Mcp-Method": q.Method, "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // nothing of it stays
	res, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return readResult(res)
}

// readResult reads the answer to a call, which comes as JSON or as the last event of a stream.
func readResult(res *http.Response) (*mcpResult, error) {
	var answer struct {
		Result *mcpResult `json:"result"`
		Error  *struct {
			Message string `json:"message"`
		} `json:"error"`
		Detail string `json:"detail"` // of a problem: what refuses a token answers so
	}
	stream := strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream")
	var events *protocol.SSEReader
	if stream {
		events = protocol.NewSSEReader(res.Body, maxResult)
	}
	for {
		var text []byte
		var err error
		if stream {
			var frame protocol.SSEFrame
			frame, err = events.Next()
			text = frame.Data
		} else {
			text, err = io.ReadAll(io.LimitReader(res.Body, maxResult))
		}
		if err == nil {
			err = json.Unmarshal(text, &answer)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("read the answer, %s: %w", res.Status, err)
		case answer.Result != nil:
			return answer.Result, nil
		case answer.Error != nil:
			return nil, errors.New(answer.Error.Message)
		case !stream:
			return nil, fmt.Errorf("the server answered %s: %s", res.Status, cmp.Or(answer.Detail, "no result"))
		}
	}
}
