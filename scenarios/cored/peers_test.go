package cored

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/peer"
)

// peersFlags have a daemon take requests of other nodes.
var peersFlags = []string{"--peer-listen", "127.0.0.1:0"}

// call is one request about a session.
type call struct {
	operation, method, path, body string // path: behind the session's
	settle                        func(w *world, id string)
	want                          int // status; 0: of success
}

// ask sends a request, and gives its status, its kind and its text.
func (w *world) ask(method, path, body string, more ...string) (status int, media, text string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, "http://"+w.address+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Content-Type") + " " + answer.Header.Get("X-Session-Source"), string(all)
}

// whatDiffers is what no two sessions have in common.
var whatDiffers = []struct {
	of *regexp.Regexp
	by string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "ID"},
	{regexp.MustCompile(`\b1[0-9]{12}\b`), "MS"},
	{regexp.MustCompile(`20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z`), "TIME"},
	{regexp.MustCompile(`"(workMs|durationMs|workingSince|seq|cursor)":"?[0-9]+`), `"$1":0`},
	{regexp.MustCompile(`since=[0-9]+`), "since="},
}

// retry is what a stream tells its client by chance.
var retry = regexp.MustCompile(`retry: [0-9]+\n`)

func alike(text string) string {
	for _, d := range whatDiffers {
		text = d.of.ReplaceAllString(text, d.by)
	}
	return text
}

// picture is a PNG of one pixel.
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// digest is its name.
func digest() string {
	data, _ := base64.StdEncoding.DecodeString(picture)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// script is a prompt that the scripted agent carries out.
func script(steps string) string {
	text, _ := json.Marshal(map[string]string{"text": "play\n```script\n" + steps + "\n```"})
	return string(text)
}

// calls are every operation about one session, in an order in which each has something to do.
func calls() []call {
	rest := func(w *world, id string) {
		w.t.Helper()
		w.until("it rests", func() bool {
			_, _, text := w.ask("GET", "/sessions/"+id, "")
			return strings.Contains(text, `"state":"idle"`)
		})
	}
	asks := func(w *world, id string) {
		w.t.Helper()
		w.until("it asks", func() bool {
			_, _, text := w.ask("GET", "/sessions/"+id+"/requests", "")
			return strings.Contains(text, `"r1"`)
		})
	}
	works := func(w *world, id string) {
		w.t.Helper()
		w.until("it works", func() bool {
			_, _, text := w.ask("GET", "/sessions/"+id, "")
			return strings.Contains(text, `"responding"`)
		})
	}
	return []call{
		{"getSession", "GET", "", "", nil, 0},
		{"listModels", "GET", "/models", "", nil, 0},
		{"listModes", "GET", "/modes", "", nil, 0},
		{"chooseModel", "POST", "/model", `{"model":"scripted/scripted-2"}`, rest, 0},
		{"chooseMode", "POST", "/mode", `{"mode":"high"}`, nil, 422},
		{"changeSession", "PATCH", "", `{"title":"changed","labels":{"a":"b"}}`, nil, 0},
		{"setSessionBudget", "PUT", "/budget", `{"session":{"tokens":1000000}}`, nil, 0},
		{"getSessionBudget", "GET", "/budget", "", nil, 0},
		{"sendPrompt", "POST", "/prompts", script(`[{"tool":{"name":"edit","args":{"path":"a"},"approve":true,"allowed":[{"say":{"text":"yes"}}]}}]`), asks, 0},
		{"listRequests", "GET", "/requests", "", nil, 0},
		{"sendPrompt", "POST", "/prompts", `{"text":"second","images":[{"mediaType":"image/png","data":"` + picture + `"}]}`, nil, 0},
		{"sendPrompt", "POST", "/prompts", `{"text":"third"}`, nil, 0},
		{"listPrompts", "GET", "/prompts", "", nil, 0},
		{"movePrompt", "POST", "/prompts/p3/move", `{"before":"p2"}`, nil, 0},
		{"cancelPrompt", "DELETE", "/prompts/p3", "", nil, 0},
		{"answerRequest", "POST", "/requests/r1", `{"outcome":"allowed"}`, rest, 0},
		{"answerRequest", "POST", "/requests/r1", `{"outcome":"denied"}`, nil, 409}, // too late: a problem
		{"getSessionImage", "GET", "/images/" + digest(), "", nil, 0},
		{"getEntryText", "GET", "/entries/e1/text", "", nil, 0},
		{"sendPrompt", "POST", "/prompts", script(`[{"say":{"text":"long"}},{"wait":{"for":"1h"}}]`), works, 0},
		{"interruptSession", "POST", "/interrupt", "", rest, 0},
		{"getSessionLog", "GET", "/log", "", nil, 0},
		{"readSessionEvents", "GET", "/log/events?since=2", "", nil, 0},
		{"getSessionState", "GET", "/state", "", nil, 0},
		{"getSessionRaw", "GET", "/raw", "", nil, 0},
		{"sendPrompt", "POST", "/prompts", `{"nonsense":1}`, nil, 422},
		{"endSession", "POST", "/end", "", nil, 0},
		{"streamSession", "GET", "/stream?since=0", "", nil, 0},
		{"deleteSession", "DELETE", "", "", nil, 0},
		{"getSession", "GET", "", "", nil, 404}, // gone
	}
}

// aboutSessions are the operations of the description that name a session.
func aboutSessions(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	list := map[string]bool{}
	for path, methods := range d.Paths {
		for _, o := range methods {
			if strings.HasPrefix(path, "/sessions/{id}") && peer.Passes(path) {
				list[o.OperationID] = true
			}
		}
	}
	return list
}

// TestAnyNodeCarriesAnything: every operation about a session, sent to a node that does not have it, is carried out and answered as at the one that has.
//
// Proves: I16.7/any-operation
func TestAnyNodeCarriesAnything(t *testing.T) {
	w := begin(t, peersFlags...)
	w.create()
	w.create()
	other := w.neighbour()
	other.knows(w.ids[0])
	other.knows(w.ids[1])
	left := aboutSessions(t)
	for _, c := range calls() {
		delete(left, c.operation)
		var got [2]string
		for i, at := range []*world{w, other} {
			path := "/sessions/" + w.ids[i] + c.path
			switch {
			case c.method == "GET": // of one session, byte for byte
				status, media, text := at.ask(c.method, "/sessions/"+w.ids[1]+c.path, "")
				got[i] = fmt.Sprintf("%d %s\n%s", status, media, retry.ReplaceAllString(text, ""))
			default: // of two sessions with one history
				status, media, text := at.ask(c.method, path, c.body)
				got[i] = alike(fmt.Sprintf("%d %s\n%s", status, media, text))
			}
			if c.settle != nil {
				c.settle(w, w.ids[i])
			}
		}
		if want := fmt.Sprint(cmp.Or(c.want, 2)); !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: the session's own node answers %.300s, want %s", c.operation, got[0], want)
		}
		if c.method == "GET" && got[0] != got[1] { // something was said in between
			w.until("both tell the same", func() bool {
				for i, at := range []*world{w, other} {
					status, media, text := at.ask(c.method, "/sessions/"+w.ids[1]+c.path, "")
					got[i] = fmt.Sprintf("%d %s\n%s", status, media, retry.ReplaceAllString(text, ""))
				}
				return got[0] == got[1]
			})
		}
		if got[0] != got[1] {
			t.Errorf("%s: the other node answers\n%.3000s\nand the session's own\n%.3000s", c.operation, got[1], got[0])
		}
	}
	w.create()
	one := "/sessions/" + w.ids[len(w.ids)-1]
	other.knows(w.ids[len(w.ids)-1])
	if status, _, text := other.ask("POST", one+"/take", ""); status != 503 { // these two are of the node that is asked
		t.Errorf("the other node takes a session whose node is there: %d %s", status, text)
	}
	if status, _, text := other.ask("GET", one+"/lost", ""); status != 200 || !strings.Contains(text, `"lost":[]`) {
		t.Errorf("the other node has lost %d %s", status, text)
	}
	if len(left) > 0 {
		t.Errorf("nothing is asked of %v", slices.Collect(maps.Keys(left)))
	}
}

// TestChildrenGoToTheirParents: a session that is to work for one of another node is made there, once for a key.
//
// Proves: I16.7/parents
func TestChildrenGoToTheirParents(t *testing.T) {
	w := begin(t, peersFlags...)
	w.create()
	other := w.neighbour()
	other.knows(w.ids[0])
	body := fmt.Sprintf(`{"agent":"scripted","cwd":%q,"parentSessionId":%q}`, w.root, w.ids[0])
	var made [2]struct {
		ID string `json:"id"`
	}
	for i := range made {
		status, _, text := other.ask("POST", "/sessions", body, "Idempotency-Key", "k")
		if err := json.Unmarshal([]byte(text), &made[i]); status != http.StatusCreated && status != http.StatusOK || err != nil {
			t.Fatalf("%d %s %v", status, text, err)
		}
		if status, _, text := other.ask("GET", "/sessions/"+made[i].ID, ""); status != http.StatusOK { // at once: the node that has asked for it knows where it is
			t.Fatalf("%d %s", status, text)
		}
	}
	if made[0] != made[1] {
		t.Errorf("the key has made %v", made)
	}
	if status, _, text := w.ask("GET", "/sessions/"+made[0].ID, ""); status != http.StatusOK || strings.Contains(text, `"node"`) {
		t.Errorf("the parent's node says %d %s", status, text)
	}
}

// knows waits until a node can ask the one that has a session.
func (w *world) knows(id string) {
	w.t.Helper()
	w.until("the nodes know one another", func() bool {
		status, _, _ := w.ask("GET", "/sessions/"+id+"/budget", "") // Core does not tell it
		return status == http.StatusOK
	})
}
