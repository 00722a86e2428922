package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The two eras of MCP. Clients of the old one have a session with the server and are pushed to; those of the new one ask, and
// are told on the stream of what they asked.
const (
	oldEra = "2025-11-25"
	newEra = "2026-07-28"
)

// mcpClient is a client made with the official SDK that keeps all it is told. It belongs to the steps; what the SDK's
// goroutines touch is behind mu.
type mcpClient struct {
	w          *world
	name       string
	revision   string
	level      string // asked for; empty: none
	secret     string // of a session's agent; empty: who administers the daemon
	wire       wire
	session    *sdk.ClientSession // nil: has none now
	watched    map[string]*watch  // by session id
	order      []*watch
	subscribed []*subscription

	mu      sync.Mutex
	told    map[string][]notice // by session id
	lines   [][]byte            // what was told of events, one line each, in order
	shown   int                 // lines that an earlier check has seen
	wrong   []string            // broken promises
	arrived chan struct{}
}

func (w *world) newMCP(name, revision string) *mcpClient {
	return &mcpClient{w: w, name: name, revision: revision, watched: map[string]*watch{}, told: map[string][]notice{}, arrived: make(chan struct{}, 1)}
}

func (c *mcpClient) modern() bool { return c.revision >= newEra }

// connect begins anew: a session of MCP, or in the new era what takes its place. A client that only asks opens no stream of
// notifications.
func (c *mcpClient) connect(asksOnly bool) error {
	if err := c.w.ensure(); err != nil {
		return err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: c.name, Version: "1"}, &sdk.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { //nolint:staticcheck // all there is in the old era
			c.pushed(r.Params.Data)
		},
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { c.updated(r.Params.URI) },
	})
	ctx, cancel := context.WithTimeout(c.w.ctx, c.w.patient)
	defer cancel()
	cs, err := client.Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: c.w.daemon.url() + "/mcp", HTTPClient: c.wire.client(c.w.daemon, c.secret), MaxRetries: 100, DisableStandaloneSSE: asksOnly,
	}, &sdk.ClientSessionOptions{ProtocolVersion: c.revision})
	if err != nil {
		return fmt.Errorf("MCP client %s: %w", c.name, err)
	}
	c.session = cs
	if got := c.negotiated(); got != c.revision {
		return fmt.Errorf("MCP client %s speaks %s instead of %s", c.name, got, c.revision)
	}
	return c.raise()
}

// negotiated is the revision that both sides speak.
func (c *mcpClient) negotiated() string {
	if r := c.session.InitializeResult(); r != nil {
		return r.ProtocolVersion
	}
	return ""
}

// raise tells the level, which a client of the new era says with each call.
func (c *mcpClient) raise() error {
	if c.level == "" || c.modern() {
		return nil
	}
	return c.session.SetLoggingLevel(c.w.ctx, &sdk.SetLoggingLevelParams{Level: sdk.LoggingLevel(c.level)}) //nolint:staticcheck // the old era
}

// close ends what the client reads, and then its session.
func (c *mcpClient) close() {
	c.stop()
	if c.session != nil {
		_ = c.session.Close()
		c.session = nil
	}
}

// toolError is what a tool said that it cannot do.
type toolError string

func (e toolError) Error() string { return string(e) }

// call calls a tool and gives its structured answer.
func (c *mcpClient) call(ctx context.Context, tool string, arguments any) (json.RawMessage, error) {
	p := &sdk.CallToolParams{Name: tool, Arguments: arguments}
	if c.level != "" && c.modern() {
		p.Meta = sdk.Meta{sdk.MetaKeyLogLevel: c.level} //nolint:staticcheck // deprecated, and all there is
	}
	if c.session == nil {
		return nil, errors.New("MCP client " + c.name + " is not connected")
	}
	r, err := c.session.CallTool(ctx, p)
	if err != nil {
		return nil, err
	}
	if r.IsError {
		var text strings.Builder
		for _, x := range r.Content {
			if t, ok := x.(*sdk.TextContent); ok {
				text.WriteString(t.Text)
			}
		}
		return nil, toolError(text.String())
	}
	return json.Marshal(r.StructuredContent)
}

// ask calls a tool, within the world's patience.
func (c *mcpClient) ask(tool string, arguments, result any) error {
	ctx, cancel := context.WithTimeout(c.w.ctx, c.w.patient)
	defer cancel()
	raw, err := c.call(ctx, tool, arguments)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	return json.Unmarshal(raw, result)
}

// pushed takes a log notification, which has the members of an item and no others.
func (c *mcpClient) pushed(data any) {
	raw, err := json.Marshal(data)
	var it protocol.SessionEvent
	if err == nil {
		strict := json.NewDecoder(bytes.NewReader(raw))
		strict.DisallowUnknownFields()
		err = strict.Decode(&it)
	}
	if err != nil {
		c.complain("a notification is no item: %v: %s", err, raw)
		return
	}
	line, err := jsonLines([]protocol.SessionEvent{it})
	if err != nil {
		c.complain("%v", err)
		return
	}
	c.note(bytes.TrimSpace(line), func() { c.keep(it) })
}

func (c *mcpClient) complain(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// note keeps a line, and does under the lock what belongs to it.
func (c *mcpClient) note(line []byte, also func()) {
	c.mu.Lock()
	c.lines = append(c.lines, line)
	if also != nil {
		also()
	}
	c.mu.Unlock()
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// news are the lines since the last check.
func (c *mcpClient) news() [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lines[c.shown:]
}

// received takes the lines since the last check; where nothing says that all has come, it waits for as many as the golden has.
func (c *mcpClient) received(golden []byte) []byte {
	for c.w.loose && countLines(bytes.Join(c.news(), []byte("\n"))) < countLines(golden) {
		if c.wait() != nil {
			break // the comparison says what is missing
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := c.lines[c.shown:]
	c.shown = len(c.lines)
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

func (c *mcpClient) wait() error {
	ctx, cancel := context.WithTimeout(c.w.ctx, c.w.patient)
	defer cancel()
	select {
	case <-c.arrived:
		return nil
	case <-ctx.Done():
		return errNever
	}
}
