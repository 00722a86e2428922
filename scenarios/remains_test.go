package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/fake"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// lastActs are scenarios after which every agent's sessions are deleted, where it has them: at work, asking, with sub-agents, interrupted, begun again, and lost.
var lastActs = []string{"approval_allowed", "lost_while_it_asks", "question", "resume", "stopped_by_a_restart", "stopped_in_a_tool", "sub_agent"}

// TestDeletedSessionsLeaveNothing: what an agent's session has stored, native lines, images, keys and its agent's token among it, is gone when it is deleted: in the
// data folder nothing has its names, its prompts or its image, and no file is there that a daemon without sessions has not. (The scripted agent, which keeps its sessions
// there too, has a test of the supervisor.)
func TestDeletedSessionsLeaveNothing(t *testing.T) {
	for agent := range programVariables {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			plays, err := playing(&fake.Stage{}, agent)
			if err != nil {
				t.Fatal(err)
			}
			tools, played := plays.Capabilities().MCP, 0
			acts := lastActs
			if testing.Short() {
				acts = acts[len(acts)-5:]
			}
			for _, name := range acts {
				path := filepath.Join(folderOf(agent), name+".txtar")
				f, err := readFile(path)
				if os.IsNotExist(err) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				root := t.TempDir()
				synctest.Test(t, func(t *testing.T) { leavesNothing(t, f, root, tools) })
				played++
			}
			if played < 4 {
				t.Errorf("%d scenarios were played", played)
			}
		})
	}
}

// leavesNothing plays a file; with tools, each session has the daemon's own.
func leavesNothing(t *testing.T, f *file, root string, tools bool) {
	f.steps = slices.DeleteFunc(f.steps, func(s step) bool { return strings.Contains(s.text, " equals ") }) // logs of sessions without tools
	w := newWorld(t, f, false)
	w.root, w.patient, w.era = root, 10*time.Minute, f.eras()[0]
	b := newBubble(w)
	if tools {
		b.http.Transport = withTools{b.http.Transport}
	}
	w.daemon, w.aliases = b, []string{root, "$ROOT", b.dir, "$DATA"}
	w.play()
	b.settle()
	if b.super == nil { // no step has come to the daemon, and play has said why
		t.FailNow()
	}
	page, err := b.super.List(t.Context(), supervisor.Query{Limit: 100})
	if err != nil || len(page.Sessions) == 0 {
		t.Fatalf("%s: %d sessions, %v", f.path, len(page.Sessions), err)
	}
	marks := map[string]string{} // what must not be left, and what it is
	for _, s := range page.Sessions {
		b.stores(s.ID, marks)
		marks[s.ID], marks[s.NativeSessionID] = "id", "native id"
	}
	delete(marks, "")
	before := b.remains(marks)
	for _, want := range []string{"journal", "raw", "images", "idempotency"} {
		if !slices.ContainsFunc(before, func(found string) bool {
			return strings.Contains(found, want) || want == "journal" && strings.Contains(found, ".ndjson")
		}) {
			t.Errorf("%s: no %s is stored: %v", f.path, want, before)
		}
	}
	for _, s := range page.Sessions {
		if a, err := ask(w.ctx, b, http.MethodDelete, "/sessions/"+s.ID, nil, nil); err != nil || a.status != http.StatusNoContent && a.status != http.StatusNotFound {
			t.Errorf("%s: delete %s: %+v, %v", f.path, s.ID, a, err)
		}
		if secret := b.agentToken(s.ID); secret == "" && tools && !s.SubAgent {
			t.Errorf("%s: the agent of %s was given no token", f.path, s.ID)
		} else if secret != "" {
			a, err := ask(w.ctx, b, http.MethodGet, "/sessions", http.Header{"Authorization": {"Bearer " + secret}}, nil)
			if err != nil || a.status != http.StatusUnauthorized {
				t.Errorf("%s: the token of %s's agent: %+v, %v", f.path, s.ID, a, err)
			}
		}
	}
	b.settle()
	if left := b.remains(marks); len(left) > 0 {
		t.Errorf("%s: left: %v", f.path, left)
	}
	if others := b.files(func(name string, _ []byte) string {
		if slices.Contains([]string{"lock", "instance", "idempotency", "budgets", "resting"}, name) {
			return ""
		}
		return name
	}); len(others) > 0 {
		t.Errorf("%s: files are left: %v", f.path, others)
	}
	for _, s := range w.streams {
		s.close()
	}
	if err := b.drain(); err != nil {
		t.Errorf("%s: %v", f.path, err)
	}
	b.stage.fake.Close() // which steps it lacks is nothing here
}

// withTools makes sessions whose agents have a token of the daemon's.
type withTools struct{ http.RoundTripper }

func (w withTools) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost && r.URL.Path == "/sessions" {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return nil, err
		}
		body["mcp"] = true
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	}
	return w.RoundTripper.RoundTrip(r)
}

// stores has a session store an image and a key, and adds what it has stored to the marks.
func (b *bubble) stores(id string, marks map[string]string) {
	image := "an image of " + id
	if _, _, err := b.super.Images(id).Put("image/png", []byte(image)); err != nil {
		b.t.Fatal(err)
	}
	marks[image] = "image"
	key := "a key for " + id
	if _, err := b.super.Claim(context.Background(), supervisor.NewSession{Key: supervisor.Key{By: "ann", Name: key}}, id); err != nil {
		b.t.Fatal(err)
	}
	marks[key] = "key"
	if secret := b.agentToken(id); secret != "" {
		marks[secret] = "token of its agent"
	}
	files, err := filepath.Glob(filepath.Join(b.journals(), id, "*.ndjson"))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			b.t.Fatal(err)
		}
		events, err := decodeLog(text)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, e := range events {
			if p, is := e.Payload.(*protocol.PromptQueued); is {
				marks[p.Text] = "prompt"
			}
		}
	}
}

// remains names the files of the data folder that have a mark, in their name or in what they hold.
func (b *bubble) remains(marks map[string]string) []string {
	return b.files(func(name string, text []byte) string {
		for mark, what := range marks {
			if strings.Contains(name, mark) || bytes.Contains(text, []byte(mark)) {
				return fmt.Sprintf("%s (%s)", name, what)
			}
		}
		return ""
	})
}

// files gives what look says of the files of the data folder, where that is anything.
func (b *bubble) files(look func(name string, text []byte) string) (said []string) {
	err := filepath.WalkDir(b.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && e.Name() != "images" && e.Name() != "raw" {
			return err
		}
		var text []byte
		if !e.IsDir() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		if s := look(strings.TrimPrefix(path, b.dir+"/"), text); s != "" {
			said = append(said, s)
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return said
}
