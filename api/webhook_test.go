package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/webhook"
	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// notified is a notice that a receiver was sent.
type notified struct {
	ID         string
	Type       string
	Timestamp  string
	Data       map[string]any
	signatures []string
	at, body   string
}

func (n *notified) session() string { s, _ := n.Data["sessionId"].(string); return s }

// receiver takes notices, and answers with a status.
type receiver struct {
	t      *testing.T
	server *httptest.Server
	got    chan notified
	mu     sync.Mutex
	status int // 0: 204
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t, got: make(chan notified, 1000)}
	r.server = httptest.NewServer(r)
	t.Cleanup(r.server.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	n := notified{
		ID: in.Header.Get("Webhook-Id"), body: string(body), at: in.Header.Get("Webhook-Timestamp"), signatures: strings.Split(in.Header.Get("Webhook-Signature"), " "),
	}
	if err != nil || in.Method != http.MethodPost || json.Unmarshal(body, &n) != nil {
		r.t.Errorf("%s %s: %v", in.Method, body, err)
	}
	r.mu.Lock()
	status := r.status
	r.mu.Unlock()
	if status == 0 {
		status = http.StatusNoContent
	}
	w.WriteHeader(status)
	r.got <- n
}

func (r *receiver) answers(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// next gives the next notice.
func (r *receiver) next() notified {
	r.t.Helper()
	select {
	case n := <-r.got:
		return n
	case <-time.After(patience):
		r.t.Fatal("nothing was told")
		return notified{}
	}
}

// nothing says that no notice has come.
func (r *receiver) nothing(when string) {
	r.t.Helper()
	select {
	case n := <-r.got:
		r.t.Errorf("%s: %s was told: %s", when, n.ID, n.body)
	default:
	}
}

// signed checks a notice by the rules of Standard Webhooks, written down here once more: one of the signatures is that of a secret.
func (n *notified) signed(secret string) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	seconds, err2 := strconv.ParseInt(n.at, 10, 64)
	if err != nil || err2 != nil || len(key) < 24 || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	_, _ = io.WriteString(mac, fmt.Sprintf("%s.%d.%s", n.ID, seconds, n.body))
	want := mac.Sum(nil)
	return slices.ContainsFunc(n.signatures, func(s string) bool {
		version, text, _ := strings.Cut(s, ",")
		got, err := base64.StdEncoding.DecodeString(text)
		return version == "v1" && err == nil && hmac.Equal(got, want)
	})
}

// withHooks serves webhooks that are kept in a folder and may go to a receiver; end closes them.
func withHooks(t *testing.T, tr *tree, dir string, to *receiver, change ...func(*Config)) (h *harness, end func()) {
	t.Helper()
	return withHooksBeside(t, tr, dir, to, nil, change...)
}

// withHooksBeside is withHooks where something of sessions is set aside.
func withHooksBeside(t *testing.T, tr *tree, dir string, to *receiver, aside []string, change ...func(*Config)) (h *harness, end func()) {
	t.Helper()
	allow := new(post.Allow)
	if err := allow.Set([]string{to.server.URL + "/"}); err != nil {
		t.Fatal(err)
	}
	var hooks *webhook.Hooks
	h = serveTree(t, tr, func(c *Config) {
		for _, f := range change {
			f(c)
		}
		if c.Log == nil {
			c.Log = zap.NewNop()
		}
		var err error
		hooks, err = webhook.Open(dir, disk.OS(), webhook.Config{
			Allow: allow, Log: c.Log, Now: time.Now, Chance: rand.Float64, Sender: post.New("test", time.Now, allow),
			Shelved: func() ([]string, error) { return aside, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Webhooks = hooks
	})
	hooks.Begin()
	var once sync.Once
	end = func() { once.Do(hooks.Close) }
	t.Cleanup(end)
	return h, end
}

const allKinds = `"request_opened","turn_ended","turn_failed","session_ended","budget"`

// hook makes a webhook.
func (h *harness) hook(to *receiver, more string, header ...string) (made resource.CreatedWebhook) {
	h.t.Helper()
	h.want(http.StatusCreated, "POST", "/webhooks", `{"url":"`+to.server.URL+`/in","kinds":[`+allKinds+`]`+more+`}`, header...).into(h.t, &made)
	return made
}

// TestWebhookTells: what happens in sessions is told, in order, signed, and without what agents wrote; what was before is not.
//
// Proves: I13.10/told
func TestWebhookTells(t *testing.T) {
	to := newReceiver(t)
	h, _ := withHooks(t, newTree(t), t.TempDir(), to)
	before := h.create("echo")
	h.turn(before, "before")
	made := h.hook(to, "")
	if !strings.HasPrefix(made.Secret, "whsec_") || made.Owner != "admin" || !made.Enabled {
		t.Errorf("%+v", made)
	}
	h.turn(before, "after")
	first := to.next()
	if first.session() != before || first.Type != "turn_ended" || first.Data["turnId"] != "t2" {
		t.Errorf("%s: %s", first.ID, first.body)
	}
	id := h.create("asking")
	h.turnless(id)
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`)
	asked := to.next()
	if asked.Type != "request_opened" || asked.session() != id {
		t.Fatalf("%s", asked.body)
	}
	h.answerAll(id)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", `{}`)
	var types []string
	all := []notified{first, asked}
	for n := to.next(); ; n = to.next() {
		types = append(types, n.Type)
		all = append(all, n)
		if n.Type == "session_ended" {
			break
		}
	}
	if !slices.Contains(types, "turn_ended") || all[len(all)-1].Data["reason"] != "terminated" {
		t.Errorf("told %v, %s", types, all[len(all)-1].body)
	}
	var events []protocol.Event
	for line := range strings.Lines(string(h.log(id, ""))) {
		e, err := protocol.Decode([]byte(strings.TrimSpace(line)))
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	last := uint64(0)
	for _, n := range all {
		if !n.signed(made.Secret) || n.signed("whsec_"+strings.Repeat("A", 44)) {
			t.Errorf("%s is not signed with the secret: %v", n.ID, n.signatures)
		}
		if n.session() != id {
			continue
		}
		c, err := protocol.ParseCursor(n.Data["cursor"].(string))
		if err != nil || c.Seq <= last || n.ID != fmt.Sprintf("%s_1_%d_%s", id, c.Seq, n.Type) {
			t.Errorf("%s: cursor %v behind %d, %v", n.ID, c, last, err)
		}
		last = c.Seq
		if p, is := events[c.Seq-1].Payload.(*protocol.RequestOpened); is && strings.Contains(n.body, p.Title) {
			t.Errorf("what the agent asks is told: %s", n.body)
		}
	}
	var list resource.WebhookDeliveries
	for begun := time.Now(); len(list.Deliveries) < len(all) && time.Since(begun) < patience; {
		h.want(http.StatusOK, "GET", "/webhooks/"+made.ID+"/deliveries?state=delivered", "").into(t, &list)
	}
	if len(list.Deliveries) != len(all) || list.Deliveries[0].ID != first.ID || list.Deliveries[0].LastStatus != 204 {
		t.Errorf("%d of %d delivered: %+v", len(list.Deliveries), len(all), list.Deliveries)
	}
}

// TestWebhookLives: a webhook goes on where it was in the daemon's next life, with what happened meanwhile, and knows what is pending and dead.
//
// Proves: I13.10/lives
func TestWebhookLives(t *testing.T) {
	to, dir, tr := newReceiver(t), t.TempDir(), newTree(t)
	h, end := withHooks(t, tr, dir, to)
	made := h.hook(to, "")
	id := h.owned("", "")
	h.turn(id, "one")
	one := to.next()
	end() // the receiver has answered, and that is known
	h.turn(id, "two")
	to.answers(http.StatusInternalServerError)
	h, end = withHooks(t, tr, dir, to)
	two := to.next()
	if one.Data["turnId"] != "t1" || two.Data["turnId"] != "t2" || !two.signed(made.Secret) {
		t.Errorf("told %s and %s", one.body, two.body)
	}
	h.awaitTries(made.ID, two.ID, 1)
	end()
	h, _ = withHooks(t, tr, dir, to)
	if d := h.awaitTries(made.ID, two.ID, 1); d.LastStatus != 500 || d.LastError != "status" || d.NextAt == nil || d.SessionID != id {
		t.Errorf("pending: %+v", d)
	}
	to.answers(0)
	h.want(http.StatusNoContent, "POST", "/webhooks/"+made.ID+"/deliveries/"+two.ID+"/send", "")
	if n := to.next(); n.ID != two.ID || n.body != two.body {
		t.Errorf("sent again: %s, %s", n.ID, n.body)
	}
	info, err := os.Stat(filepath.Join(dir, "webhooks"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info.Mode(), err)
	}
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "POST", "/webhooks/"+made.ID+"/deliveries/none/send", "")
	h.want(http.StatusNoContent, "DELETE", "/webhooks/"+made.ID, "")
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "GET", "/webhooks/"+made.ID, "")
}

// awaitTries returns once a delivery that is pending was tried so often.
func (h *harness) awaitTries(hook, id string, tries int) resource.WebhookDelivery {
	h.t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; {
		var list resource.WebhookDeliveries
		h.want(http.StatusOK, "GET", "/webhooks/"+hook+"/deliveries", "").into(h.t, &list)
		for _, d := range list.Deliveries {
			if d.ID == id && d.Tries >= tries {
				return d
			}
		}
	}
	h.t.Fatalf("%s was not tried", id)
	return resource.WebhookDelivery{}
}

// awaitDisabled returns once the daemon has disabled a webhook.
func (h *harness) awaitDisabled(hook string) (w resource.Webhook) {
	h.t.Helper()
	for begun := time.Now(); w.Disabled == ""; {
		h.want(http.StatusOK, "GET", "/webhooks/"+hook, "").into(h.t, &w)
		if time.Since(begun) > patience/4 {
			h.t.Fatalf("not disabled: %+v", w)
		}
	}
	return w
}

// TestWebhookDeleted: that a session was deleted is told, with its end or by itself.
//
// Proves: I13.10/deleted
func TestWebhookDeleted(t *testing.T) {
	to := newReceiver(t)
	h, _ := withHooks(t, newTree(t), t.TempDir(), to)
	before := h.create("echo")
	h.hook(to, "")
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+before, "")
	for range 20 {
		id := h.create("echo")
		h.want(http.StatusNoContent, "DELETE", "/sessions/"+id, "")
	}
	ends := map[string]int{}
	for len(ends) < 21 {
		if n := to.next(); n.Type == "session_ended" {
			ends[n.session()]++
		}
	}
	if ends[before] != 1 {
		t.Errorf("%v", ends)
	}
}

// TestWebhookDelay: a request that somebody answers in time is not told, and what follows it is.
//
// Proves: I13.10/delay
func TestWebhookDelay(t *testing.T) {
	to := newReceiver(t)
	h, _ := withHooks(t, newTree(t), t.TempDir(), to)
	h.hook(to, `,"delayMs":600000`)
	id := h.create("asking")
	h.turnless(id)
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`)
	h.answerAll(id)
	if n := to.next(); n.Type != "turn_ended" {
		t.Errorf("%s", n.body)
	}
	to.nothing("after the turn")
}

// TestWebhookGone: 410 stops a webhook until somebody enables it; then everything comes.
//
// Proves: I13.10/gone
func TestWebhookGone(t *testing.T) {
	to := newReceiver(t)
	to.answers(http.StatusGone)
	h, _ := withHooks(t, newTree(t), t.TempDir(), to)
	made := h.hook(to, "")
	id := h.create("echo")
	h.turn(id, "one")
	one := to.next()
	w := h.awaitDisabled(made.ID)
	if w.Disabled != "gone" {
		t.Errorf("%+v", w)
	}
	h.turn(id, "two")
	to.nothing("disabled")
	to.answers(0)
	h.want(http.StatusOK, "PATCH", "/webhooks/"+made.ID, `{"enabled":true}`)
	if again, two := to.next(), to.next(); again.ID != one.ID || two.Data["turnId"] != "t2" {
		t.Errorf("%s, %s", again.body, two.body)
	}
	h.want(http.StatusOK, "PATCH", "/webhooks/"+made.ID, `{"enabled":false}`)
	h.turn(id, "three")
	h.want(http.StatusOK, "PATCH", "/webhooks/"+made.ID, `{"enabled":true,"kinds":["turn_ended"],"name":"n","delayMs":5}`).into(t, &w)
	if three := to.next(); three.Data["turnId"] != "t3" || w.Name != "n" || w.DelayMs != 5 || len(w.Kinds) != 1 {
		t.Errorf("%s, %+v", three.body, w)
	}
}

// TestWebhookSelects: a label brings a session in with all that has happened in it since the webhook was made, and takes it out.
//
// Proves: I13.10/selects
func TestWebhookSelects(t *testing.T) {
	to := newReceiver(t)
	h, _ := withHooks(t, newTree(t), t.TempDir(), to)
	old := h.create("echo")
	h.turn(old, "before")
	h.hook(to, `,"select":{"labels":{"tell":"yes"}}`)
	later := h.create("echo")
	for _, id := range []string{old, later} {
		h.turn(id, "unseen")
		h.want(http.StatusOK, "PATCH", "/sessions/"+id, `{"labels":{"tell":"yes"}}`)
	}
	got := map[string]any{}
	for range 2 {
		n := to.next()
		got[n.session()] = n.Data["turnId"]
	}
	if got[old] != "t2" || got[later] != "t1" {
		t.Errorf("%v", got)
	}
}

// TestWebhookSecrets: a secret is shown once, never kept with an answer, in no log, and rotated with an overlap.
//
// Proves: I13.10/secrets
func TestWebhookSecrets(t *testing.T) {
	to := newReceiver(t)
	core, logs := observer.New(zap.DebugLevel)
	h, _ := withHooks(t, newTree(t), t.TempDir(), to, func(c *Config) { c.Log = zap.New(core) })
	first := h.keyed("k", "POST", "/webhooks", `{"url":"`+to.server.URL+`/in?key=hidden","kinds":["turn_ended"]}`)
	var made resource.CreatedWebhook
	first.into(t, &made)
	if first.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", first.StatusCode, first.body)
	}
	if r := h.keyed("k", "POST", "/webhooks", `{"url":"`+to.server.URL+`/in?key=hidden","kinds":["turn_ended"]}`); r.StatusCode != http.StatusGone || strings.Contains(string(r.body), "whsec_") {
		t.Errorf("a repeat: %d %s", r.StatusCode, r.body)
	}
	var rotated, last resource.WebhookSecret
	h.want(http.StatusOK, "POST", "/webhooks/"+made.ID+"/secret", `{}`).into(t, &rotated)
	var result resource.WebhookTest
	h.want(http.StatusOK, "POST", "/webhooks/"+made.ID+"/test", "").into(t, &result)
	n := to.next()
	if !result.Delivered || result.Status != 204 || n.Type != "test" || len(n.signatures) != 2 || !n.signed(made.Secret) || !n.signed(rotated.Secret) || rotated.OldUntil == nil {
		t.Errorf("%+v %s %v", result, n.body, n.signatures)
	}
	h.want(http.StatusOK, "POST", "/webhooks/"+made.ID+"/secret", `{"overlapMs":0}`).into(t, &last)
	to.answers(http.StatusInternalServerError)
	h.want(http.StatusOK, "POST", "/webhooks/"+made.ID+"/test", "").into(t, &result)
	if n := to.next(); len(n.signatures) != 1 || n.signed(rotated.Secret) || !n.signed(last.Secret) || result.Delivered || result.Error != "status" {
		t.Errorf("%+v %v", result, n.signatures)
	}
	for _, path := range []string{"/webhooks", "/webhooks/" + made.ID} {
		if r := h.want(http.StatusOK, "GET", path, ""); strings.Contains(string(r.body), "whsec_") || strings.Contains(string(r.body), "ecret\"") {
			t.Errorf("%s", r.body)
		}
	}
	if text := dump(logs); strings.Contains(text, "whsec_") || strings.Contains(text, "hidden") || !strings.Contains(text, "createWebhook") {
		t.Errorf("the log: %s", text)
	}
}

// TestWebhookScopes: a webhook is its token's, sees what that token reaches, and ends with it.
//
// Proves: I13.10/scopes
func TestWebhookScopes(t *testing.T) {
	to := newReceiver(t)
	tokens := access.NewTokens()
	h, _ := withHooks(t, newTree(t), t.TempDir(), to, func(c *Config) { c.Tokens = tokens })
	bearer := func(scope access.Scope, owner string) (id, secret string) {
		k, s, err := tokens.Create(access.Token{Name: "n", Scope: scope, Owner: owner})
		if err != nil {
			t.Fatal(err)
		}
		return k.ID, "Bearer " + s
	}
	annID, ann := bearer(access.Owner, "ann")
	_, other := bearer(access.Owner, "ann")
	_, reads := bearer(access.OwnerRead, "ann")
	_, all := bearer(access.AdminRead, "")
	agent, revoke := tokens.Grant(missingID, "ann")
	defer revoke()
	made := h.hook(to, "", "Authorization", ann)
	body := `{"url":"` + to.server.URL + `","kinds":["budget"]}`
	for _, who := range []string{reads, all, "Bearer " + agent} {
		h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/webhooks", body, "Authorization", who)
		h.refused(http.StatusForbidden, protocol.CodeForbidden, "GET", "/webhooks", "", "Authorization", who)
	}
	for _, call := range []string{"GET /", "PATCH /", "DELETE /", "POST /secret", "POST /test", "GET /deliveries", "POST /deliveries/x/send", "POST /dead/send"} {
		method, path, _ := strings.Cut(call, " ")
		content := ""
		if method == "PATCH" || path == "/secret" {
			content = "{}"
		}
		h.refused(http.StatusNotFound, protocol.CodeNotFound, method, "/webhooks/"+made.ID+strings.TrimSuffix(path, "/"), content, "Authorization", other)
	}
	page := "Bearer " + h.open(h.link(ann)).Token
	h.want(http.StatusOK, "POST", "/webhooks/"+made.ID+"/test", "", "Authorization", page)
	to.next()
	h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/webhooks", body, "Authorization", page)
	h.refused(http.StatusForbidden, protocol.CodeForbidden, "PATCH", "/webhooks/"+made.ID, `{"name":"x"}`, "Authorization", page)
	h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/webhooks/"+made.ID+"/secret", `{}`, "Authorization", page)
	h.refused(http.StatusForbidden, protocol.CodeForbidden, "DELETE", "/webhooks/"+made.ID, "", "Authorization", page)

	foreign, mine := h.owned("bob", ""), h.owned("ann", "")
	h.turn(foreign, "x")
	h.turn(mine, "x")
	if n := to.next(); n.session() != mine {
		t.Errorf("%s", n.body)
	}
	h.want(http.StatusNoContent, "DELETE", "/tokens/"+annID, "")
	h.turn(mine, "y")
	w := h.awaitDisabled(made.ID)
	h.want(http.StatusOK, "PATCH", "/webhooks/"+made.ID, `{"enabled":true}`).into(t, &w)
	if w.Disabled != "token" || w.Owner != annID {
		t.Errorf("%+v", w)
	}
	to.nothing("revoked")
	var list resource.WebhookList
	h.want(http.StatusOK, "GET", "/webhooks", "", "Authorization", other).into(t, &list)
	if len(list.Webhooks) != 0 {
		t.Errorf("%+v", list)
	}
}

// TestWebhookRefused: what is no webhook, and where none may go.
//
// Proves: I13.10/refused
func TestWebhookRefused(t *testing.T) {
	to := newReceiver(t)
	h, _ := withHooks(t, newTree(t), t.TempDir(), to)
	url := to.server.URL
	for body, want := range map[string]struct {
		status int
		code   protocol.Code
	}{
		`{"url":"` + url + `","kinds":[]}`:                                                       {422, protocol.CodeInvalidRequest},
		`{"url":"` + url + `","kinds":["test"]}`:                                                 {422, protocol.CodeInvalidRequest},
		`{"url":"` + url + `"}`:                                                                  {422, protocol.CodeInvalidRequest},
		`{"url":"` + url + `","kinds":["budget"],"delayMs":600001}`:                              {422, protocol.CodeInvalidRequest},
		`{"url":"` + url + `","kinds":["budget"],"select":{"states":["idle"]}}`:                  {400, protocol.CodeInvalidRequest},
		`{"url":"` + url + `","kinds":["budget"],"select":{"active":true}}`:                      {400, protocol.CodeInvalidRequest},
		`{"url":"` + url + `","kinds":["budget"],"name":"\u0007"}`:                               {400, protocol.CodeInvalidRequest},
		`{"url":"` + url + `#x","kinds":["budget"]}`:                                             {400, protocol.CodeInvalidRequest},
		`{"url":"https://example.org/","kinds":["budget"]}`:                                      {403, protocol.CodeForbidden},
		`{"url":"http://example.org/","kinds":["budget"]}`:                                       {400, protocol.CodeInvalidRequest},
		`{"url":"` + strings.Replace(url, "://", "://u:p@", 1) + `","kinds":["budget"]}`:         {400, protocol.CodeInvalidRequest},
		`{"url":"` + strings.Replace(url, "127.0.0.1", "127.0.0.2", 1) + `","kinds":["budget"]}`: {403, protocol.CodeForbidden},
	} {
		h.refused(want.status, want.code, "POST", "/webhooks", body)
	}
	for range webhook.MaxWebhooksEach {
		h.hook(to, "")
	}
	h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "POST", "/webhooks", `{"url":"`+url+`","kinds":["budget"]}`)
	h = newHarness(t)
	if p := h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/webhooks", `{"url":"`+url+`","kinds":["budget"]}`); !strings.Contains(p.Hint, "--webhook-allow") {
		t.Errorf("%+v", p)
	}
}

// TestWebhookLeavesOtherNodesAlone: what happens on another node, that one tells.
//
// Proves: I16.4/read-webhooks
func TestWebhookLeavesOtherNodesAlone(t *testing.T) {
	to := newReceiver(t)
	tr := newTree(t)
	away := &session.Summary{ID: "00000000-0000-4000-8000-0000000000aa", Agent: "echo", Node: "other", Epoch: 1, Seq: 1}
	tr.roster.PutAway(away)
	h, _ := withHooks(t, tr, t.TempDir(), to)
	h.hook(to, "")
	over := *away
	over.Seq, over.Status.State = 9, protocol.StateFailed
	tr.roster.PutAway(&over)
	h.turn(h.create("echo"), "here")
	if n := to.next(); n.session() == away.ID {
		t.Errorf("%s is told", n.body)
	}
	to.nothing("behind it")
}

// TestWebhookOfASessionThatMoves: a session that goes to another node was not deleted, also not for the next daemon, whether its list has the session or not;
// one that is deleted was.
//
// Proves: I16.4/read-webhooks
func TestWebhookOfASessionThatMoves(t *testing.T) {
	to := newReceiver(t)
	tr, dir := newTree(t), t.TempDir()
	h, end := withHooks(t, tr, dir, to)
	old := h.create("echo")
	made := h.hook(to, "")
	told, later := h.create("echo"), h.create("echo")
	for _, id := range []string{told, later} {
		h.turn(id, "here")
		if n := to.next(); n.session() != id {
			t.Errorf("%s is told", n.body)
		}
	}
	for _, id := range []string{old, told} {
		tr.roster.Leave(id)
	}
	behind := h.create("echo")
	h.turn(behind, "behind it") // which is told when it was seen that they have left
	if n := to.next(); n.session() != behind {
		t.Errorf("when they have left: %s", n.body)
	}
	end()
	tr.roster.Leave(later)
	h, end = withHooks(t, tr, dir, to)
	next := h.create("echo")
	h.turn(next, "in the next life")
	if n := to.next(); n.session() != next {
		t.Errorf("in the next life: %s", n.body)
	}
	to.nothing("behind it")

	waits, killed := h.create("echo"), h.create("echo")
	to.answers(http.StatusInternalServerError)
	h.turn(waits, "which is not taken")
	untaken := to.next()
	another := func() {
		for n := to.next(); n.ID == untaken.ID; n = to.next() { // it is tried again by now
		}
	}
	to.answers(0)
	h.turn(killed, "before the kill")
	another()
	tr.roster.Leave(waits)
	h.turn(behind, "behind it")
	another()
	end()
	h, _ = withHooksBeside(t, newTree(t), dir, to, []string{killed}) // whose list has none of them
	last := h.create("echo")
	h.turn(last, "in the last life")
	var ends []string
	want := []string{behind + " session_ended", next + " session_ended", last + " turn_ended"}
	for len(ends) < len(want) {
		if n := to.next(); n.session() != waits || n.Type != "turn_ended" { // it may be tried again
			ends = append(ends, n.session()+" "+n.Type)
		}
	}
	slices.Sort(want)
	if slices.Sort(ends); !slices.Equal(ends, want) {
		t.Errorf("where no list has them: told %v, want %v", ends, want)
	}
	var list resource.WebhookDeliveries
	h.want(http.StatusOK, "GET", "/webhooks/"+made.ID+"/deliveries", "").into(t, &list)
	for _, d := range list.Deliveries {
		if d.SessionID == waits && d.ID != untaken.ID {
			t.Errorf("where no list has it: %s is to be told", d.ID)
		}
	}
}
