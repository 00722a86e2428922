package storms

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// way is one way to make a daemon store something: a route that is no GET, as METHOD PATH of the OpenAPI document, or a tool that is not marked
// as reading.
type way struct {
	name string
	in   func(*fullDaemon) any // the body, or the arguments
	// only says why the answer on a full disk is not read_only but a success; empty: it must be read_only.
	only string
	// once says that it is not asked again when there is room.
	once bool
}

// routeWays tells of the routes in an order in which all of them can be asked, one after the other.
var routeWays = []way{
	{name: "post /roots", in: func(d *fullDaemon) any { return args{"path": d.other} }, only: "it goes into the space that the address file has"},
	{name: "post /config/reload", only: "the same"},
	{name: "post /nodes/{node}/drain", in: func(*fullDaemon) any { return args{"waitMs": 1} }, only: noCore, once: true},
	{name: "post /nodes/{node}/join", only: noCore, once: true},
	{name: "post /nodes/{node}/forget", only: noCore, once: true},
	{name: "post /sessions/{id}/take", only: noCore, once: true},
	{name: "post /gc", in: func(*fullDaemon) any { return args{"keepFor": "8760h"} }, only: makesRoom},
	{name: "delete /tokens/{tid}"},
	{name: "post /tokens", in: func(*fullDaemon) any { return args{"name": "another", "scope": "admin"} }},
	{name: "post /logins", only: "a code is in memory alone"},
	{name: "post /login", in: func(d *fullDaemon) any { return args{"code": d.code(), "name": "a page"} }},
	{name: "delete /login", only: "of a token that is no login's it changes nothing", once: true},
	{name: "put /budgets/{owner}", in: func(*fullDaemon) any { return args{"limits": args{"turns": 1_000_000}} }},
	{name: "delete /budgets/{owner}", only: "it goes into the space that the file of budgets has"},
	{name: "post /webhooks", in: func(*fullDaemon) any { return args{"url": receiver, "kinds": []string{"turn_ended"}} }, only: "it goes into the space that the file of webhooks has"},
	{name: "patch /webhooks/{wid}", in: func(*fullDaemon) any { return args{"name": "another"} }, only: "it goes into the space that the file of webhooks has"},
	{name: "post /webhooks/{wid}/secret", in: func(*fullDaemon) any { return args{} }, only: "it goes into the space that the file of webhooks has"},
	{name: "post /webhooks/{wid}/test", only: "it sends a notice, and keeps nothing of it"},
	{name: "post /webhooks/{wid}/deliveries/{did}/send", only: "there is no such delivery", once: true},
	{name: "post /webhooks/{wid}/dead/send", only: "there is no dead delivery"},
	{name: "delete /webhooks/{wid}", only: "the same"},
	{name: "post /sessions", in: func(d *fullDaemon) any { return args{"agent": "scripted", "cwd": d.root} }},
	{name: "patch /sessions/{id}", in: func(*fullDaemon) any { return args{"title": "another"} }},
	{name: "put /sessions/{id}/budget", in: func(*fullDaemon) any { return args{"session": args{"turns": 1_000_000}} }},
	{name: "post /sessions/{id}/model", in: func(*fullDaemon) any { return args{"model": "scripted-2", "when": "idle"} }},
	{name: "post /sessions/{id}/mode", in: func(*fullDaemon) any { return args{"mode": "rpc"} }, once: true}, // the scripted agent has no modes
	{name: "post /sessions/{id}/prompts", in: func(*fullDaemon) any { return args{"text": "one more"} }},
	{name: "post /sessions/{id}/prompts/{pid}/move", in: func(*fullDaemon) any { return args{"position": 1} }},
	{name: "delete /sessions/{id}/prompts/{pid}"},
	{name: "post /sessions/{id}/requests/{rid}", in: func(*fullDaemon) any { return args{"outcome": "cancelled"} }},
	{name: "post /sessions/{id}/interrupt"},
	{name: "post /sessions/{id}/end"},
	{name: "post /stream", in: func(*fullDaemon) any { return args{"sessions": args{"0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11": ""}} }, only: "it reads; of a session that is not there it ends"},
	{name: "post /wait", in: func(*fullDaemon) any { return args{"select": args{}, "until": args{"ended": true}, "timeoutMs": 0} }, only: "it reads"},
	{name: "post /mcp", only: "a protocol of its own: its tools are asked one by one", once: true},
	{name: "delete /mcp", only: "an MCP session is in memory alone", once: true},
	{name: "delete /sessions/{id}", only: makesRoom},
}

// receiver is where nobody listens. The daemon's list has it.
const receiver = "http://127.0.0.1:9/"

// toolWays tells of the tools, in such an order too.
var toolWays = []way{
	{name: "session_create", in: func(d *fullDaemon) any { return args{"agent": "scripted", "cwd": d.root} }},
	{name: "session_change", in: func(d *fullDaemon) any { return args{"session_id": d.asks, "title": "another"} }},
	{name: "session_message", in: func(d *fullDaemon) any { return args{"session_id": d.asks, "message": "one more"} }},
	{name: "session", in: func(d *fullDaemon) any { return args{"action": "message", "session_id": d.asks, "message": "one more"} }},
	{name: "session_prompts", in: func(d *fullDaemon) any { return args{"session_id": d.asks, "action": "cancel", "prompt_id": d.prompt} }},
	{name: "session_answer", in: func(d *fullDaemon) any {
		return args{"session_id": d.asks, "request_id": d.request, "outcome": "cancelled"}
	}},
	{name: "caller_tool_response", in: func(d *fullDaemon) any { return args{"session_id": d.asks, "request_id": d.request, "result": "r"} }, once: true}, // no call of a tool is open
	{name: "session_interrupt", in: func(d *fullDaemon) any { return args{"session_id": d.asks} }},
	{name: "session_end", in: func(d *fullDaemon) any { return args{"session_id": d.asks} }},
	{name: "session_delete", in: func(d *fullDaemon) any { return args{"session_id": d.gone} }, only: makesRoom},
	{name: "session_cleanup", in: func(*fullDaemon) any { return args{"max_age_hours": 0} }, only: makesRoom},
}

type args = map[string]any

// fullDaemon is a daemon whose disk is full, and what the ways name.
type fullDaemon struct {
	*daemon
	tools   *sdk.ClientSession
	other   string // a folder that is no root
	asks    string // session whose turn waits for an answer, with prompts behind it
	request string
	prompt  string
	gone    string // session that is to be removed
	revoked string // token that is to be revoked
	hook    string // webhook
}

// TestFullDiskEverywhere asks every route and every tool that may store something while the disk is full: each refuses as read_only with a hint,
// /ready is not ready, what is deleted goes; and when there is room all of them do what they are asked, and nothing is missing (P10). A
// route or a tool that is new must be told of above.
func TestFullDiskEverywhere(t *testing.T) {
	needMount(t)
	if !size.full {
		t.Parallel()
	}
	d := &fullDaemon{daemon: start(t, confined{script: `exec unshare -rm sh -c '` + smallDisk + `' sh "$@"`, socket: true, env: []string{"RINGMASTER_MCP_COMPAT=true", "RINGMASTER_WEBHOOK_ALLOW=" + receiver}})}
	d.overSocket()
	d.other = filepath.Join(d.dir, "other")
	if err := os.Mkdir(d.other, 0o700); err != nil {
		t.Fatal(err)
	}
	d.connect(t)
	d.prepare(t)
	if status, body, err := d.call(t.Context(), http.MethodGet, "/ready", nil); err != nil || status != http.StatusOK {
		t.Fatalf("not ready before: %d %s, %v", status, body, err)
	}

	routes, tools := complete(t, d.routes(t), routeWays), complete(t, d.writingTools(t), toolWays)
	second := *d // of the first session the routes are asked, of the second the tools
	second.prepare(t)
	first := d.asks
	ballast := d.inside(filepath.Join(d.data, "ballast"))
	fill(t, ballast)
	accepted := append(d.untilRefused(t, first), d.untilRefused(t, second.asks)...)
	shown := map[string][]byte{first: d.must(http.MethodGet, "/sessions/"+first+"/log", nil), second.asks: d.must(http.MethodGet, "/sessions/"+second.asks+"/log", nil)}

	asked := 0
	refill := func() { fill(t, ballast+fmt.Sprint(asked)); asked++ }
	check := func(w way, ok bool, code, said string) {
		if w.only == makesRoom { // of which a session's journal may have some before the disk is full again
			refill()
			accepted = append(append(accepted, d.untilRefused(t, first)...), d.untilRefused(t, second.asks)...)
		}
		switch {
		case w.only != "" && !ok:
			t.Errorf("%s on a full disk: %s, although: %s", w.name, said, w.only)
		case w.only == "" && code != "read_only":
			t.Errorf("%s on a full disk: %s", w.name, said)
		}
	}
	for _, w := range routes {
		refill()
		status, body := d.route(t, w)
		check(w, status < http.StatusInternalServerError, code(body), fmt.Sprintf("%d %s", status, body))
		var p struct{ Hint string }
		if err := json.Unmarshal(body, &p); w.only == "" && (err != nil || p.Hint == "" || status != http.StatusServiceUnavailable) {
			t.Errorf("%s: %d, without a hint: %s", w.name, status, body)
		}
	}
	if text, err := os.ReadFile(d.inside(filepath.Join(d.data, "address"))); err != nil || !bytes.Contains(text, []byte(d.other)) {
		t.Errorf("the root that was added is not in the address: %s, %v", text, err)
	}
	for _, w := range tools {
		refill()
		if status, body, err := d.call(t.Context(), http.MethodGet, "/ready", nil); err != nil || status != http.StatusServiceUnavailable || code(body) != "read_only" {
			t.Errorf("ready on a full disk: %d %s, %v", status, body, err)
		}
		failed, text := second.tool(t, w)
		check(w, !failed, toolCode(text), text)
	}
	for _, id := range []string{d.gone, second.gone} {
		if status, body, err := d.call(t.Context(), http.MethodGet, "/sessions/"+id, nil); err != nil || status != http.StatusNotFound {
			t.Errorf("what was deleted on a full disk: %d %s, %v", status, body, err)
		}
		if _, err := os.Stat(d.inside(filepath.Join(d.data, "sessions", id))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("its folder is left: %v", err)
		}
	}

	for _, name := range d.ballasts(t) {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if status, body, err := d.call(t.Context(), http.MethodGet, "/ready", nil); err != nil || status != http.StatusOK {
		t.Errorf("not ready with room: %d %s, %v", status, body, err)
	}
	d.goesOn(t, first)
	d.goesOn(t, second.asks)
	d.look(t)
	d.gone, second.gone = d.create(), d.create()
	d.webhook(t)
	second.look(t)
	for _, w := range routes {
		if status, body := d.route(t, w); !w.once && status >= http.StatusBadRequest {
			t.Errorf("%s with room: %d %s", w.name, status, body)
		}
	}
	now := map[string][]byte{first: d.must(http.MethodGet, "/sessions/"+first+"/log", nil), second.asks: d.must(http.MethodGet, "/sessions/"+second.asks+"/log", nil)}
	for _, w := range tools {
		if failed, text := second.tool(t, w); failed && !w.once {
			t.Errorf("%s with room: %s", w.name, text)
		}
	}
	for id, before := range shown {
		if !bytes.HasPrefix(now[id], before) {
			t.Errorf("%s: what was shown is lost", id)
		}
	}
	for _, p := range accepted {
		if !bytes.Contains(append(now[first], now[second.asks]...), []byte(p)) {
			t.Errorf("prompt %s was accepted, and is lost", p)
		}
	}
	if err := d.tools.Close(); err != nil {
		t.Error(err)
	}
	note(t, figures.Figure{Name: "routes and tools that store, asked on a full disk", Value: float64(len(routes) + len(tools)), Promise: "P10"}, true)
	d.stop("no space left")
}

// complete gives the ways of all that there are, in their order.
func complete(t *testing.T, all []string, known []way) []way {
	t.Helper()
	for _, name := range all {
		if !slices.ContainsFunc(known, func(w way) bool { return w.name == name }) {
			t.Errorf("%s is new: tell how it is asked on a full disk", name)
		}
	}
	for _, w := range known {
		if !slices.Contains(all, w.name) {
			t.Errorf("there is no %s", w.name)
		}
	}
	return known
}

// routes are all that the daemon says it has and that are no GET.
func (d *fullDaemon) routes(t *testing.T) (names []string) {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(d.must(http.MethodGet, "/openapi.json", nil), &doc); err != nil {
		t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method := range methods {
			if slices.Contains([]string{"post", "put", "patch", "delete"}, method) {
				names = append(names, method+" "+path)
			}
		}
	}
	return names
}

func (d *fullDaemon) writingTools(t *testing.T) (names []string) {
	t.Helper()
	for tool, err := range d.tools.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint {
			names = append(names, tool.Name)
		}
	}
	return names
}

// overSocket asks over the unix socket, where nothing is refused for want of rights.
func (d *fullDaemon) overSocket() {
	d.address = "localhost"
	d.http.Transport = &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", d.inside(d.daemon.socket()))
	}}
}

func (d *fullDaemon) connect(t *testing.T) {
	t.Helper()
	var err error
	d.tools, err = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: "http://" + d.address + "/mcp", HTTPClient: d.http, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
}

const asking = `[{"ask": {"method": "confirm", "title": "Go on?"}}]`

// prepare makes what the ways name.
func (d *fullDaemon) prepare(t *testing.T) {
	t.Helper()
	d.asks, d.gone = d.create(), d.create()
	d.mustPrompt(d.asks, asking)
	for range 2 {
		d.mustPrompt(d.asks, asking)
	}
	d.look(t)
	var made struct{ ID string }
	if err := json.Unmarshal(d.must(http.MethodPost, "/tokens", args{"name": "n", "scope": "admin:ro"}), &made); err != nil {
		t.Fatal(err)
	}
	d.revoked = made.ID
	d.webhook(t)
}

func (d *fullDaemon) webhook(t *testing.T) {
	t.Helper()
	var made struct{ ID string }
	if err := json.Unmarshal(d.must(http.MethodPost, "/webhooks", args{"url": receiver, "kinds": []string{"turn_ended"}}), &made); err != nil {
		t.Fatal(err)
	}
	d.hook = made.ID
}

// look finds the request that is open, and the first prompt that waits.
func (d *fullDaemon) look(t *testing.T) {
	t.Helper()
	if err := eventually(t.Context(), 20*time.Second, func() error {
		var open struct{ Requests []struct{ RequestID string } }
		var queue struct{ Prompts []struct{ PromptID string } }
		if err := json.Unmarshal(d.must(http.MethodGet, "/sessions/"+d.asks+"/requests", nil), &open); err != nil {
			return err
		}
		if err := json.Unmarshal(d.must(http.MethodGet, "/sessions/"+d.asks+"/prompts", nil), &queue); err != nil {
			return err
		}
		if len(open.Requests) == 0 || len(queue.Prompts) < 2 {
			return fmt.Errorf("%+v, %+v", open, queue)
		}
		d.request, d.prompt = open.Requests[0].RequestID, queue.Prompts[1].PromptID
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

const (
	makesRoom = "what is removed makes room"
	noCore    = "this daemon has no Core, and nothing to store of other nodes"
)

// untilRefused sends prompts until one is refused as read_only, and gives those that were accepted: the last page of a file may have room for
// some, and the one that finds the disk full waits for it.
func (d *fullDaemon) untilRefused(t *testing.T, id string) (accepted []string) {
	t.Helper()
	if err := eventually(t.Context(), 20*time.Second, func() error {
		patient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		status, body, err := d.call(patient, http.MethodPost, "/sessions/"+id+"/prompts", args{"text": "on a full disk"})
		var made struct{ PromptID string }
		if err == nil && status < http.StatusBadRequest && json.Unmarshal(body, &made) == nil {
			accepted = append(accepted, made.PromptID)
		}
		if err == nil && code(body) != "read_only" {
			err = fmt.Errorf("a prompt on a full disk: %d %s", status, body)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return accepted
}

// goesOn waits until a session takes changes again.
func (d *fullDaemon) goesOn(t *testing.T, id string) {
	t.Helper()
	if err := eventually(t.Context(), 20*time.Second, func() error {
		_, err := d.want(t.Context(), http.MethodPatch, "/sessions/"+id, args{"labels": args{"room": "yes"}})
		return err
	}); err != nil {
		t.Error(err)
	}
}

// route asks a route for what its way says.
func (d *fullDaemon) route(t *testing.T, w way) (status int, body []byte) {
	t.Helper()
	method, path, _ := strings.Cut(w.name, " ")
	id := d.asks
	if w.name == "delete /sessions/{id}" {
		id = d.gone
	}
	path = strings.NewReplacer("{id}", id, "{rid}", d.request, "{pid}", d.prompt, "{tid}", d.revoked, "{owner}", "ann", "{wid}", d.hook, "{did}", "none").Replace(path)
	var in any
	if w.in != nil {
		in = w.in(d)
	}
	status, body, err := d.call(t.Context(), strings.ToUpper(method), path, in)
	if err != nil {
		t.Fatal(w.name, err)
	}
	return status, body
}

// tool calls a tool as its way says.
func (d *fullDaemon) tool(t *testing.T, w way) (failed bool, text string) {
	t.Helper()
	res, err := d.tools.CallTool(t.Context(), &sdk.CallToolParams{Name: w.name, Arguments: w.in(d)})
	if err != nil {
		t.Fatal(w.name, err)
	}
	for _, c := range res.Content {
		if said, ok := c.(*sdk.TextContent); ok {
			text += said.Text
		}
	}
	return res.IsError, text
}

// code asks for one that logs a page in.
func (d *fullDaemon) code() string {
	var made struct{ Code string }
	_, body, err := d.call(context.Background(), http.MethodPost, "/logins", nil)
	if err != nil || json.Unmarshal(body, &made) != nil {
		return ""
	}
	return made.Code
}

// toolCode is the code at the end of what a tool says of a failure.
func toolCode(text string) string {
	at := strings.LastIndexByte(text, '(')
	return strings.TrimSuffix(text[at+1:], ")")
}

func (d *fullDaemon) ballasts(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(d.inside(filepath.Join(d.data, "ballast*")))
	if err != nil {
		t.Fatal(err)
	}
	return names
}
