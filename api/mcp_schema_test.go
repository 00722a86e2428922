package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// property is one of a tool's schema, at any depth.
type property struct {
	Description string
	Enum        []any
	Minimum     *float64
	Maximum     *float64
	MaxLength   *int
	MaxItems    *int
	Properties  map[string]*property
	Items       *property
}

// each visits the properties of a schema, by their paths.
func (p *property) each(path string, visit func(path, name string, p *property)) {
	for name, q := range p.Properties {
		at := strings.TrimPrefix(path+"."+name, ".")
		visit(at, name, q)
		for inner := q; inner != nil; inner = inner.Items {
			inner.each(at, visit)
		}
	}
}

func schemaOf(t *testing.T, schema any) *property {
	t.Helper()
	p := &property{}
	raw, err := json.Marshal(schema)
	if err == nil {
		err = json.Unmarshal(raw, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (c *mcpClient) list() map[string]*sdk.Tool {
	c.t.Helper()
	list, err := c.ListTools(c.t.Context(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	by := map[string]*sdk.Tool{}
	for _, tool := range list.Tools {
		by[tool.Name] = tool
	}
	return by
}

// closed are the arguments that take one of a list of words, however they are reached.
var closed = []string{
	"agent_list.agent", "session_answer.outcome", "session_change.policy.default", "session_change.policy.mode", "session_change.policy.rules.action", "session_change.when",
	"session_cleanup.agent", "session_create.agent", "session_create.images.media_type", "session_create.policy.default", "session_create.policy.mode",
	"session_create.budget.action", "session_create.notify", "session_create.policy.rules.action", "session_events.types", "session_join.wait", "session_list.agent", "session_list.states",
	"session_list.status", "session_message.agent", "session_message.budget.action", "session_message.images.media_type", "session_message.notify", "session_message.policy.default", "session_message.policy.mode",
	"session_message.policy.rules.action", "session_message.streaming_behavior", "session_prompts.action",
}

// numeric are the arguments that take numbers.
var numeric = []string{
	"session_change.policy.deadline", "session_cleanup.max_age_hours", "session_create.policy.deadline", "session_events.max_bytes", "session_events.max_events", "session_events.max_text",
	"session_events.since_index", "session_events.wait_ms", "session_join.wait_ms", "session_list.limit", "session_message.policy.deadline", "session_message.wait_ms", "session_summary.since_index", "session_text.offset", "session_prompts.from",
	"session_prompts.position", "session_watch.since_index",
}

// TestMCPSchemasSayAll: every property says what it is, closed lists are enums, and numbers have bounds.
// Proves: I10.2/words
func TestMCPSchemasSayAll(t *testing.T) {
	h := newHarness(t, compatible)
	var lists, numbers []string
	for name, tool := range h.connect(newEra).list() {
		in, out := schemaOf(t, tool.InputSchema), schemaOf(t, tool.OutputSchema)
		for what, s := range map[string]*property{"argument": in, "result": out} {
			s.each("", func(path, _ string, p *property) {
				if p.Description == "" {
					t.Errorf("%s: the %s %s has no description", name, what, path)
				}
			})
		}
		if name == "session" {
			continue
		}
		in.each("", func(path, _ string, p *property) {
			if p.Enum != nil || p.Items != nil && p.Items.Enum != nil {
				lists = append(lists, name+"."+path)
			}
			if p.Minimum != nil || p.Maximum != nil {
				numbers = append(numbers, name+"."+path)
			}
		})
	}
	for what, x := range map[string]struct{ have, want []string }{"enums": {lists, closed}, "bounds": {numbers, numeric}} {
		slices.Sort(x.have)
		for _, path := range x.want {
			if !slices.Contains(x.have, path) {
				t.Errorf("%s: %s has none", what, path)
			}
		}
		for _, path := range x.have {
			if !slices.Contains(x.want, path) {
				t.Errorf("%s: %s is not in the list of this test", what, path)
			}
		}
	}
}

// TestMCPEnumsAreKept: what is not in a list is refused, with a code.
// Proves: I10.2/words
func TestMCPEnumsAreKept(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	id := h.create("choosy")
	checked := 0
	for name, tool := range c.list() {
		in := schemaOf(t, tool.InputSchema)
		for arg, p := range in.Properties {
			wrong := map[string]any{}
			switch {
			case p.Enum != nil:
				wrong["another word"] = "dance"
			case p.Items != nil && p.Items.Enum != nil:
				wrong["another word"] = []string{"dance"}
			}
			if p.Minimum != nil {
				wrong["less"] = *p.Minimum - 1
			}
			for what, value := range wrong {
				if what == "less" && *p.Minimum == 1 {
					value = -1 // 0 is as if it were absent
				}
				arguments := maps.Clone(toolArgs(id)[name])
				arguments[arg] = value
				if name == "session_message" {
					delete(arguments, "session_id")
					arguments["cwd"] = "/work"
					if arg != "agent" {
						arguments["agent"] = "echo"
					}
				}
				r := c.call(name, arguments)
				checked++
				if said := resultText(r); !r.IsError || !strings.Contains(said, "(invalid_request)") && !strings.Contains(said, "(agent_not_found)") {
					if name == "session_list" && arg == "agent" || name == "session_cleanup" && arg == "agent" {
						continue // nothing is of an agent that is not there
					}
					t.Errorf("%s with %s of %s: %s", name, what, arg, said)
				}
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d were tried", checked)
	}
}

var snake = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)

// TestMCPTextsNameWhatIs: tools, arguments, results and words that descriptions and instructions name are there.
func TestMCPTextsNameWhatIs(t *testing.T) {
	h := newHarness(t)
	_, own := h.offering(newEra)
	agent := h.agentOf(own, newEra).mcpClient
	for who, c := range map[string]*mcpClient{"clients": h.connect(newEra), "agents": agent} {
		known := map[string]bool{}
		for _, typ := range protocol.ItemTypes() {
			known[string(typ)] = true
		}
		var texts []string
		add := func(what, text string) { texts = append(texts, what+"\x00"+text) }
		for name, tool := range c.list() {
			known[name] = true
			add(name, tool.Description)
			for what, schema := range map[string]any{"arguments": tool.InputSchema, "results": tool.OutputSchema} {
				if schema == nil {
					continue
				}
				schemaOf(t, schema).each("", func(path, prop string, p *property) {
					known[prop] = true
					for _, v := range append(p.Enum, itemEnum(p)...) {
						known[fmt.Sprint(v)] = true
					}
					add(name+" "+what+" "+path, p.Description)
				})
			}
		}
		if init := c.InitializeResult(); init != nil {
			add("instructions", init.Instructions)
		}
		known["caller_tool_response"] = true // agents are told of it as well: it is the clients'
		for _, word := range []string{"allow_once", "allow_always", "deny_stop", "allow_reads", "no_level", "errors_only", "no_stream", "next_turn", "when_idle", "at_start"} {
			known[word] = true
		}
		for _, x := range texts {
			what, text, _ := strings.Cut(x, "\x00")
			for _, word := range snake.FindAllString(text, -1) {
				if !known[word] {
					t.Errorf("%s: %s names %s, which is not there", who, what, word)
				}
			}
		}
		if len(texts) < 100 {
			t.Errorf("%s: only %d texts", who, len(texts))
		}
	}
}

func itemEnum(p *property) []any {
	if p.Items == nil {
		return nil
	}
	return p.Items.Enum
}
