package conversion_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/archive"
)

// What a live session's raw archive holds gives the session's log again: the same entries under the same ids with the same contents
// at the same times, the same turns, requests and usage.
func TestArchiveGivesTheLiveLog(t *testing.T) {
	prompts := map[string][]string{
		"text and a tool": {"hello", "and again"},
		"an approval": {
			script(`[{"say":{"text":"May I?"}},{"tool":{"name":"edit","output":["done"],"approve":true}},{"say":{"text":"Thanks."}}]`),
		},
		"a question":                    {script(`[{"ask":{"method":"select","title":"Which?","options":["a","b"]}},{"say":{"text":"So {{answer}}."}}]`)},
		"a retry":                       {script(`[{"retry":{"attempts":2,"delay":"1s","error":"busy"}},{"say":{"text":"At last."}}]`)},
		"a failure":                     {script(`[{"say":{"text":"Well"}},{"fail":{"error":"no more"}}]`), "hello"},
		"the agent dies and is resumed": {script(`[{"say":{"text":"Well"}},{"die":{"signal":"KILL","half":true}}]`), "hello"},
		"a long output":                 {script(`[{"tool":{"name":"bash","output":["` + strings.Repeat("line of output ", 20_000) + `"]}}]`)},
		"unknown and no lines":          {script(`[{"raw":{"line":"{\"type\":\"strange\"}"}},{"garbage":{"bytes":100,"seed":1}},{"say":{"text":"ok"}}]`)},
	}
	for name, texts := range prompts {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				live, archive, agent := play(t, texts)
				var out bytes.Buffer
				stats, err := conversion.Convert(&out, bytes.NewReader(archive), conversion.Options{Agent: agent, Start: time.UnixMilli(0)})
				if err != nil || stats.Sessions != 1 || stats.Skipped != 0 {
					t.Fatalf("%+v, %v", stats, err)
				}
				compare(t, told(t, out.Bytes()), told(t, live))
			})
		})
	}
}

func script(steps string) string { return "go\n```script\n" + steps + "\n```" }

// opened is the raw archive in a session's folder.
func opened(folder string) (*archive.Raw, error) {
	return archive.Open(folder, nil, journal.Spans(folder, journal.Options{}))
}

// play gives prompts to a scripted agent, one after the other, answers what it asks, and gives the session's log and archive.
func play(t *testing.T, prompts []string) (log, archive []byte, agent adapters.Agent) {
	t.Helper()
	dir := t.TempDir()
	agent = scripted.Agent{Native: pi.Agent{}, SessionDir: dir + "/agent"}
	sup, err := supervisor.Start(t.Context(), supervisor.Config{
		Data: dir + "/data", Roots: []string{dir}, Agents: []adapters.Agent{agent},
		Transport: scripted.Transport{Seed: 1, Sessions: scripted.Files{Dir: dir + "/agent"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sup.Create(t.Context(), supervisor.NewSession{Agent: agent.Name(), Cwd: dir})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := sup.Find(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range prompts {
		question(t, ref, func(r ask.Reply[session.Receipt]) session.Message {
			return &session.Asked[session.Receipt]{Reply: r, Question: &session.SendPrompt{Prompt: session.NewPrompt{Text: text}}}
		})
		for range 120 {
			time.Sleep(time.Second) // of the bubble
			synctest.Wait()
			d := question(t, ref, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
			for _, q := range d.Requests {
				m := &session.Resolve{RequestID: q.RequestID, Outcome: protocol.OutcomeAllowed, By: "client:test"}
				if q.Kind != protocol.RequestApproval {
					m.Outcome, m.Answers = protocol.OutcomeAnswered, [][]string{{"b"}}
				}
				question(t, ref, func(r ask.Reply[session.Resolution]) session.Message {
					return &session.Asked[session.Resolution]{Reply: r, Question: m}
				})
			}
			if d.Status.State == protocol.StateIdle {
				break
			}
		}
	}
	if err := sup.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // of the bubble: the engine's dead-letter throttle ends
	folder := filepath.Join(dir, "data", "sessions", s.ID)
	if log, err = os.ReadFile(filepath.Join(folder, "000001.ndjson")); err != nil {
		t.Fatal(err)
	}
	r, err := opened(folder)
	if err != nil {
		t.Fatal(err)
	}
	for l, err := range r.Lines() {
		if err != nil {
			t.Fatal(err)
		}
		archive = append(append(archive, l.Record...), '\n')
	}
	return log, archive, agent
}

func question[T any](t *testing.T, ref session.Ref, build func(ask.Reply[T]) session.Message) T {
	t.Helper()
	v, err := ask.Ask(t.Context(), ref, build)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// told are the events of a log that the agent told, one line each. What is the daemon's alone is left out: the prompt queue,
// the status, which knows of the queue, and who asked and answered.
func told(t *testing.T, log []byte) []string {
	t.Helper()
	var list []string
	for line := range bytes.Lines(log) {
		e, err := protocol.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		switch p := e.Payload.(type) {
		case *protocol.SessionStart, *protocol.SessionEnd, *protocol.PromptQueued, *protocol.PromptRemoved, *protocol.Status:
			continue
		case *protocol.TurnStart:
			if p.Prompt != nil { // the daemon's own has the whole text
				p.Prompt = &protocol.Prompt{Text: p.Prompt.Text[:min(len(p.Prompt.Text), adapters.MaxText)]}
			}
		case *protocol.RequestResolved:
			p.By = ""
		default:
		}
		e.Seq = 1 // left out events have numbers, too, and the daemon's entries are named by theirs
		var plain map[string]any
		if err := json.Unmarshal(protocol.Append(nil, &e), &plain); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, daemonEntry.ReplaceAllString(string(text), `"entryId":"d"`))
	}
	return list
}

var daemonEntry = regexp.MustCompile(`"entryId":"d\d+"`)

func compare(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Fatalf("event %d of %d and %d:\nof the archive  %.600s\nof the session  %.600s", i+1, len(got), len(want), g, w)
		}
	}
	if len(got) < 5 {
		t.Fatalf("only %d events", len(got))
	}
}
