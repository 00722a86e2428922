package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// model is the scripted model of an agent: it turns what it shall say into a prompt that makes it say so.
type model interface {
	// prompt makes a prompt of a text. The replies answer the model requests of its turn, one each.
	prompt(t testing.TB, text string, replies ...reply) string
	// also makes a prompt that joins a running turn, whose script has the reply to it already.
	also(t testing.TB, text string, r reply) string
	// job makes the task of a sub-agent, as prompt does for the agent.
	job(t testing.TB, text string, replies ...reply) string
	// recall makes a prompt that asks for the word of an earlier prompt: the answer is recalled where the agent's own session
	// still has it.
	recall(t testing.TB) string
	// sent makes a prompt that asks what the model was sent: of these texts, as toldAll shows them, those that are in the request, in this order, behind
	// one another. They are the prompts' own words, and answers.
	sent(t testing.TB, texts ...string) string
	// picture makes a prompt to be sent with a picture. The answer is seen where one reached the model; a model that cannot tell
	// says so always.
	picture(t testing.TB) string
}

const (
	seen     = "I see a dot."
	unseen   = "I see nothing."
	remember = "Remember the word larch."
	recalled = "The word was larch."
	unknown  = "Nobody told me a word."
	question = "What was the word?"
)

// toldAll is the answer to a prompt of sent where the model was sent everything.
func toldAll(texts ...string) string { return strings.Join(texts, " / ") }

// inOrder is a regular expression for a request that has these texts in this order. Its first group is the last one.
func inOrder(texts []string) string {
	var b strings.Builder
	b.WriteString("(?s)")
	for i, text := range texts {
		if i < len(texts)-1 {
			b.WriteString(regexp.QuoteMeta(text) + ".*?")
		} else {
			b.WriteString("(" + regexp.QuoteMeta(text) + ")")
		}
	}
	return b.String()
}

// reply is what the model says to one request, in order.
type reply []act

// act is one thing that the model does: exactly one member is set.
type act struct {
	text string
	slow int // so many words, one every 25 ms
	part int // more than half of so many words, and then nothing until whoever asked goes away
	tool *call
	fail int  // HTTP status, instead of an answer
	self bool // says which model it is: "I am NAME."
}

// call is a tool call.
type call struct {
	name      string
	namespace string
	args      any
	free      string // free-form input instead of args
}

func say(text string) reply { return reply{{text: text}} }
func use(c call) reply      { return reply{{tool: &c}} }
func slowly() reply         { return reply{{slow: 1200}} }
func halfway(n int) reply   { return reply{{part: n}} }
func failing(status int) reply {
	return reply{{fail: status}}
}

// refusal is what a provider says that will not do it the next time either.
var refusal = map[string]any{
	"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": "the model refuses"},
}

// words never repeat a sentence: agents take back what looks like a model gone astray.
func words(n int) string {
	stock := strings.Fields(`amber basin cedar delta ember fjord grove harbour inlet juniper kettle lantern meadow north orchard
		pebble quarry river summit timber upland valley willow yonder zephyr anchor bridge candle dagger engine feather garden`)
	rnd := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(stock[rnd.IntN(len(stock))])
		if i%9 == 8 {
			fmt.Fprintf(&b, " %d.", i)
		}
	}
	return b.String()
}

// most is more than half of a text.
func most(text string) string { return text[:len(text)*6/10] }

// inline is a model that plays scripts found in prompts (fakellm).
type inline struct {
	url   string
	rules *rules
}

// rules answer prompts without a script: the first one that fits.
type rules struct {
	mu   sync.Mutex
	list []any
	n    int // questions of what was sent
}

func inlineRule(match map[string]any, text string) any {
	return map[string]any{"match": match, "times": -1, "reply": map[string]any{"text": text}}
}

func newInline(t testing.TB, address string) model {
	m := inline{"http://" + address, &rules{list: []any{
		inlineRule(map[string]any{"last_user": question, "any": remember}, recalled),
		inlineRule(map[string]any{"last_user": question}, unknown),
		inlineRule(map[string]any{}, "You said: {{last_user}}"),
	}}}
	m.post(t, m.rules.list)
	return m
}

func (m inline) post(t testing.TB, rules []any) {
	t.Helper()
	post(t, m.url+"/_fake/scenario", map[string]any{"name": "live", "rules": rules})
}

func (m inline) sent(t testing.TB, texts ...string) string {
	t.Helper()
	m.rules.mu.Lock()
	defer m.rules.mu.Unlock()
	m.rules.n++
	ask := fmt.Sprintf("What was I sent, %d?", m.rules.n)
	var more []any
	for n := len(texts); n > 0; n-- {
		more = append(more, inlineRule(map[string]any{"last_user": ask, "any": "/" + inOrder(texts[:n]) + "/"}, toldAll(texts[:n]...)))
	}
	more = append(more, inlineRule(map[string]any{"last_user": ask}, "Nothing."))
	m.rules.list = append(more, m.rules.list...)
	m.post(t, m.rules.list)
	return ask
}

func (m inline) prompt(t testing.TB, text string, replies ...reply) string {
	t.Helper()
	script := make([]any, len(replies))
	for i, r := range replies {
		script[i] = inlineReply(r)
	}
	b, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	inside := strings.ReplaceAll(string(b), "`", `\u0060`) // a script may hold prompts with scripts
	return text + "\n```fakellm\n" + inside + "\n```"
}

func (m inline) also(t testing.TB, text string, r reply) string { return m.prompt(t, text, r) }
func (m inline) job(t testing.TB, text string, replies ...reply) string {
	t.Helper()
	return m.prompt(t, text, replies...)
}
func (m inline) recall(testing.TB) string { return question }

func (m inline) picture(t testing.TB) string { return m.prompt(t, "What is this?", say(seen)) }

func inlineReply(r reply) any {
	var steps []any
	for _, a := range r {
		switch {
		case a.fail > 0:
			return map[string]any{"http": map[string]any{"status": a.fail, "body": refusal}}
		case a.tool != nil:
			tool := map[string]any{"name": a.tool.name, "args": a.tool.args}
			steps = append(steps, map[string]any{"tool": tool})
		case a.slow > 0:
			steps = append(steps, map[string]any{"text": words(a.slow), "delay_ms": 25, "chunk_runes": 7})
		case a.part > 0:
			steps = append(steps, map[string]any{"text": most(words(a.part)), "delay_ms": 5, "chunk_runes": 7}, map[string]any{"hang": true})
		case a.self:
			steps = append(steps, map[string]any{"text": "I am {{model}}."})
		default:
			steps = append(steps, map[string]any{"text": a.text})
		}
	}
	return map[string]any{"steps": steps}
}

// tagged is a model that plays a script named in the prompt (fakellm-responses).
type tagged struct {
	url    string
	number *atomic.Int64
	jobs   *jobs
}

// jobs are the scripts of sub-agents whose task is no user's message: requests that name no script are answered by the first rule
// that has not been used and whose task is in them.
type jobs struct {
	mu    sync.Mutex
	rules []any
}

func newTagged(t testing.TB, address string) model {
	m := tagged{"http://" + address, new(atomic.Int64), &jobs{}}
	say := func(text string) []any { return []any{map[string]any{"type": "text", "text": text}} }
	m.post(t, map[string]any{
		"name": "recall", "loop": true, "rules": []any{map[string]any{"match": remember, "actions": say(recalled)}},
		"steps": []any{map[string]any{"actions": say(unknown)}},
	})
	m.post(t, map[string]any{"name": "jobs", "steps": []any{}})
	post(t, m.url+"/_ctl/activate", map[string]any{"name": "jobs"})
	return m
}

func (m tagged) post(t testing.TB, scenario any) {
	t.Helper()
	post(t, m.url+"/_ctl/scenario", scenario)
}

func (m tagged) prompt(t testing.TB, text string, replies ...reply) string {
	t.Helper()
	name := fmt.Sprintf("live-%d", m.number.Add(1))
	steps := make([]any, len(replies))
	for i, r := range replies {
		steps[i] = map[string]any{"actions": taggedActions(r)}
	}
	m.post(t, map[string]any{"name": name, "steps": steps})
	return text + " [[scn:" + name + "]]"
}

func (m tagged) job(t testing.TB, text string, replies ...reply) string {
	t.Helper()
	prompt := m.prompt(t, text, replies...)
	m.jobs.mu.Lock()
	defer m.jobs.mu.Unlock()
	for _, r := range replies {
		m.jobs.rules = append(m.jobs.rules, map[string]any{"match": prompt, "times": 1, "actions": taggedActions(r)})
	}
	m.post(t, map[string]any{"name": "jobs", "rules": m.jobs.rules, "steps": []any{}})
	return prompt
}

func (m tagged) also(_ testing.TB, text string, _ reply) string { return text }
func (m tagged) recall(testing.TB) string {
	return fmt.Sprintf("%s [[scn:recall#%d]]", question, m.number.Add(1))
}

func (m tagged) sent(t testing.TB, texts ...string) string {
	t.Helper()
	told := make([]string, len(texts))
	for i := range texts {
		told[i] = "{{capture:" + inOrder(texts[:i+1]) + "}}"
	}
	return m.prompt(t, "What was I sent?", say(toldAll(told...)))
}

func (m tagged) picture(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("live-%d", m.number.Add(1))
	rule := func(match string) any {
		return map[string]any{"match": match, "actions": taggedActions(say(seen))}
	}
	m.post(t, map[string]any{
		"name": name, "rules": []any{rule(`"type":"image"`), rule(`"type":"input_image"`)},
		"steps": []any{map[string]any{"actions": taggedActions(say(unseen))}},
	})
	return "What is this? [[scn:" + name + "]]"
}

func taggedActions(r reply) []any {
	var list []any
	for _, a := range r {
		switch {
		case a.fail > 0:
			list = append(list, map[string]any{"type": "http_error", "status": a.fail, "body": refusal})
		case a.tool != nil && a.tool.free != "":
			list = append(list, map[string]any{"type": "custom_tool_call", "name": a.tool.name, "input": a.tool.free})
		case a.tool != nil:
			c := map[string]any{"type": "function_call", "name": a.tool.name, "arguments": a.tool.args}
			if a.tool.namespace != "" {
				c["namespace"] = a.tool.namespace
			}
			list = append(list, c)
		case a.slow > 0:
			list = append(list, map[string]any{"type": "text", "text": words(a.slow), "chunk": 7, "delay_ms": 25})
		case a.part > 0:
			text := map[string]any{"type": "text_partial", "text": most(words(a.part)), "chunk": 7, "delay_ms": 5}
			return append(list, text, map[string]any{"type": "hang", "ms": patience.Milliseconds()})
		case a.self:
			list = append(list, map[string]any{"type": "text", "text": `I am {{capture:"model":"([^"]+)"}}.`})
		default:
			list = append(list, map[string]any{"type": "text", "text": a.text, "chunk": 7, "delay_ms": 5})
		}
	}
	return append(list, map[string]any{"type": "usage", "input_tokens": 1200, "output_tokens": 20, "cached_tokens": 1000})
}

func post(t testing.TB, url string, body any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if answer, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("POST %s: %s %s %v", url, resp.Status, answer, err)
	}
}
