package robust

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// writer sends prompts, every one twice under one key, and again in a later life while it has no answer.
type writer struct {
	*audit.Recorder

	mu      sync.Mutex
	sent    int                        // keys so far
	waiting map[string]map[string]bool // keys without an answer, by session
	known   map[string][]string        // keys with one
	fates   map[string]string          // what became of a prompt that is settled, by session and key
}

func newWriter(path string) (*writer, error) {
	r, err := audit.NewRecorder(path, "writer", sinceBegan)
	return &writer{Recorder: r, waiting: map[string]map[string]bool{}, known: map[string][]string{}, fates: map[string]string{}}, err
}

// mostWaiting is how many prompts of a session may wait for their turn.
const mostWaiting = 2

// write sends until ctx is done or the daemon is dead. queued says how many prompts of a session have not had their turn.
func (w *writer) write(ctx context.Context, d *daemon, sessions []string) error {
	for {
		for i, s := range sessions {
			n, alive, err := queued(ctx, d, s)
			if !alive || err != nil {
				return err
			}
			if n >= mostWaiting {
				continue
			}
			key := w.next(s)
			for range 2 {
				if alive, err := w.send(ctx, d, s, key, i); !alive || err != nil {
					return err
				}
			}
		}
		if !pause(ctx, pollEvery) {
			return nil
		}
	}
}

// queued asks how many prompts wait.
func queued(ctx context.Context, d *daemon, session string) (n int, alive bool, err error) {
	status, _, body, err := d.call(ctx, http.MethodGet, "/sessions/"+session+"/prompts", "", nil)
	if err != nil {
		return 0, false, nil
	}
	var list struct{ Prompts []struct{} }
	if err := json.Unmarshal(body, &list); err != nil || status != http.StatusOK {
		return 0, true, fmt.Errorf("prompts of session %s: %d: %s", session, status, body)
	}
	return len(list.Prompts), true, nil
}

// next is a key that waits for an answer, or a new one.
func (w *writer) next(session string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key := range w.waiting[session] {
		return key
	}
	if w.waiting[session] == nil {
		w.waiting[session] = map[string]bool{}
	}
	w.sent++
	key := fmt.Sprintf("k%d", w.sent)
	w.waiting[session][key] = true
	return key
}

// send sends the prompt of a key. The same key has the same text, whenever it is sent.
func (w *writer) send(ctx context.Context, d *daemon, session, key string, kind int) (alive bool, err error) {
	w.Add(audit.Entry{Channel: audit.Prompts, Kind: audit.Asked, Session: session, Key: key})
	status, _, body, err := d.call(ctx, http.MethodPost, "/sessions/"+session+"/prompts", key, map[string]string{"text": work(key, kind)})
	if err != nil {
		return false, nil
	}
	var accepted struct {
		PromptID string
		Repeated bool
		Became   *resource.PromptFate
	}
	if err := json.Unmarshal(body, &accepted); err != nil || status != http.StatusAccepted {
		return true, fmt.Errorf("prompt %s of session %s: %d: %s", key, session, status, body)
	}
	w.Add(audit.Entry{Channel: audit.Prompts, Kind: audit.Accepted, Session: session, Key: key, Prompt: accepted.PromptID})
	w.mu.Lock()
	defer w.mu.Unlock()
	if accepted.Repeated {
		if err := w.became(session+" "+key, accepted.Became); err != nil {
			return true, err
		}
	}
	if w.waiting[session][key] {
		delete(w.waiting[session], key)
		w.known[session] = append(w.known[session], key)
	}
	return true, nil
}

// became holds what a receipt says of a prompt against what an earlier one has said: what is settled stays as it was, also across a kill.
func (w *writer) became(prompt string, f *resource.PromptFate) error {
	said := ""
	if f != nil && f.Outcome != nil {
		said = f.State + " as " + f.Outcome.Outcome + " in " + f.TurnID
	}
	if before := w.fates[prompt]; f == nil || f.State == resource.PromptUnknown || before != "" && before != said {
		return fmt.Errorf("%w: prompt %s became %+v %q, and was %q", audit.ErrIdempotent, prompt, f, said, before)
	}
	w.fates[prompt] = said
	return nil
}

// keys counts those that were ever sent.
func (w *writer) keys() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent
}

// repeat sends every key once more: those that never had an answer get one, the others the one that they had.
func (w *writer) repeat(ctx context.Context, d *daemon, session string, kind int) error {
	w.mu.Lock()
	keys := append([]string(nil), w.known[session]...)
	for key := range w.waiting[session] {
		keys = append(keys, key)
	}
	w.mu.Unlock()
	for _, key := range keys {
		alive, err := w.send(ctx, d, session, key, kind)
		if !alive {
			err = cmp.Or(context.Cause(ctx), errors.New("the daemon does not answer"))
		}
		if err != nil {
			return fmt.Errorf("key %s again, of %d: %w", key, len(keys), err)
		}
	}
	return nil
}

// work is what a prompt makes an agent do, for a tenth of a second or so: text and a tool; for the first session also, now and
// then, a process in a session of its own.
func work(key string, kind int) string {
	steps := []string{
		`{"say": {"text": "` + key + strings.Repeat(" many words", 12) + `", "chunk": 6, "every": "1ms"}}`,
		`{"tool": {"name": "bash", "args": {"command": "make"}, "output": ["cc a.c\n", "cc b.c\n"], "every": "10ms"}}`,
		`{"say": {"text": "` + strings.Repeat("and more ", 10) + `", "chunk": 6, "every": "1ms"}}`,
	}
	if kind == 0 && key[len(key)-1] == '1' {
		steps = append([]string{`{"spawn": {"for": "10m", "hold": true}}`}, steps...)
	}
	return "play\n```script\n[" + strings.Join(steps, ",") + "]\n```"
}
