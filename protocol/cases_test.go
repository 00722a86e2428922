package protocol_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

var (
	casesFile  = flag.String("cases", "", "write random logs with what becomes of them to this file, for implementations in other languages")
	casesCount = flag.Int("cases-count", 300, "how many logs")
	casesSeed  = flag.Uint64("cases-seed", 1, "where the logs begin")
)

// randomCase is a random log, and what an implementation in any language has to make of it.
type randomCase struct {
	Lines  []string         `json:"lines"`
	Events []string         `json:"events"` // each line as an event is written; empty: the line must be refused
	State  json.RawMessage  `json:"state"`
	Chunks []protocol.Chunk `json:"chunks"`
}

// payloads has one of each event type, for the members that it has.
var payloads = []protocol.Payload{
	&protocol.SessionStart{}, &protocol.SessionEnd{}, &protocol.SessionMeta{}, &protocol.ChildSession{}, &protocol.Epoch{},
	&protocol.TurnStart{}, &protocol.TurnEnd{},
	&protocol.EntryStart{}, &protocol.EntryDelta{}, &protocol.EntryEnd{}, &protocol.EntryMeta{},
	&protocol.RequestOpened{}, &protocol.RequestResolved{}, &protocol.PromptQueued{}, &protocol.PromptMoved{}, &protocol.PromptRemoved{},
	&protocol.TokenUsage{}, &protocol.Status{}, &protocol.BudgetMark{},
}

// TestCases writes what the TypeScript package is held against (tools/ts.sh). Without a file it looks whether the logs are worth it: every type is among them,
// most lines are good and some are not, and each state reads back.
func TestCases(t *testing.T) {
	var out *bufio.Writer
	if *casesFile != "" {
		file, err := os.Create(*casesFile)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		out = bufio.NewWriter(file)
	}
	taken := make(map[protocol.Type]int)
	lines, refused := 0, 0
	for n := range *casesCount {
		g := &lineGen{Rand: rand.New(rand.NewPCG(*casesSeed, uint64(n)))}
		c, log := g.randomCase()
		for i := range log {
			taken[log[i].Payload.Type()]++
		}
		lines += len(c.Lines)
		refused += len(c.Lines) - len(log)
		var back protocol.SessionState
		if err := json.Unmarshal(c.State, &back); err != nil {
			t.Fatalf("log %d: the state %s: %v", n, c.State, err)
		}
		if got := back.AppendJSON(nil); string(got) != string(c.State) {
			t.Fatalf("log %d: got %s, want %s", n, got, c.State)
		}
		if out != nil {
			if err := json.NewEncoder(out).Encode(c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out != nil {
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for _, typ := range protocol.Types() {
		if taken[typ] == 0 {
			t.Errorf("no line of type %s was taken", typ)
		}
	}
	if refused*50 < lines || refused*3 > lines {
		t.Errorf("%d of %d lines are refused", refused, lines)
	}
	t.Logf("%d logs, %d lines, %d refused", *casesCount, lines, refused)
}

// lineGen draws lines of JSON that are more or less events.
type lineGen struct{ *rand.Rand }

func (g *lineGen) randomCase() (c randomCase, log []protocol.Event) {
	var chunks protocol.Chunks
	state := new(protocol.SessionState)
	seq := 0
	for range g.IntN(60) + 1 {
		seq = max(seq+one(g, 1, 1, 1, 1, 1, 1, 3, 0, -1), 0)
		line := g.event(seq)
		if g.IntN(60) == 0 {
			line = g.damaged(line)
		}
		c.Lines = append(c.Lines, line)
		e, err := protocol.Decode([]byte(line))
		if err != nil {
			c.Events = append(c.Events, "")
			continue
		}
		c.Events = append(c.Events, string(protocol.Append(nil, &e)))
		log = append(log, e)
		state.Apply(&e)
		if chunk, ok := chunks.Chunk(&e); ok {
			c.Chunks = append(c.Chunks, chunk)
		}
	}
	c.State = state.AppendJSON(nil)
	return c, log
}

func one[T any](g *lineGen, of ...T) T { return of[g.IntN(len(of))] }

// seldom is true once in n times.
func (g *lineGen) seldom(n int) bool { return g.IntN(n) == 0 }

func (g *lineGen) event(seq int) string {
	p := payloads[g.IntN(len(payloads))]
	if g.seldom(3) { // what most of a log is
		p = &protocol.EntryDelta{}
	}
	name := string(p.Type())
	members := []string{fmt.Sprintf(`"seq":%d`, seq), fmt.Sprintf(`"ts":%d`, 1000+seq*400)}
	if g.seldom(30) {
		name = one(g, "weather", "heartbeat", "constructor", "__proto__")
	}
	members = append(members, `"type":`+quote(name))
	return g.object(append(members, g.members(reflect.TypeOf(p).Elem(), "")...))
}

// members draws the members that a struct names.
func (g *lineGen) members(t reflect.Type, entryType string) (list []string) {
	if entryType == "" {
		entryType = one(g, "user_message", "assistant_message", "thinking", "tool_call", "tool_result", "plan", "compaction", "system", "hologram")
	}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			list = append(list, g.members(f.Type, entryType)...)
			continue
		case name == "-" || name == "":
			continue
		case options == "omitempty" && !g.seldom(3), g.seldom(400):
			continue
		}
		value := g.value(f.Type, name, entryType)
		switch {
		case g.seldom(200):
			value = "null"
		case g.seldom(400):
			value = g.raw(2)
		}
		list = append(list, quote(name)+":"+value)
	}
	return list
}

// object puts members together, with some that nobody knows.
func (g *lineGen) object(members []string) string {
	if g.seldom(8) {
		members = append(members, one(g, `"x":`, `"zebra":`, `"__proto__":`, `"constructor":`, `"7":`, `"é":`)+g.raw(3))
	}
	if len(members) > 0 && g.seldom(500) {
		members = append(members, members[g.IntN(len(members)):]...)
	}
	if g.seldom(5) {
		g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	space := one(g, "", "", "", "", "", "", "", "", " ", "\t\r\n ")
	return "{" + space + strings.Join(members, space+","+space) + space + "}"
}

func (g *lineGen) value(t reflect.Type, name, entryType string) string {
	switch {
	case name == "data":
		data := reflect.TypeOf(protocol.NewEntryData(protocol.EntryType(entryType))).Elem()
		return g.object(g.members(data, entryType))
	case name == "delta":
		return g.delta()
	case name == "native":
		return g.raw(4)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem(), name, entryType)
	case reflect.Struct:
		return g.object(g.members(t, entryType))
	case reflect.Slice:
		items := make([]string, g.IntN(4))
		for i := range items {
			items[i] = g.value(t.Elem(), name, entryType)
		}
		return "[" + strings.Join(items, ",") + "]"
	case reflect.Map:
		return one(g, `{}`, `{"a":"b"}`, `{"team":"web","__proto__":"x"}`, `{"2":"two","1":"one"}`)
	case reflect.Bool:
		return one(g, "true", "true", "false")
	case reflect.Float64:
		return one(g, "0", "0.5", "0.1", "0.2", "-2", "1e-7", "0.30000000000000004", "12.0")
	case reflect.String:
		return g.text(name, entryType)
	default:
		if g.seldom(60) {
			return one(g, "1.0", "1e2", "-0", "9007199254740992", "-9007199254740991", "\"1\"")
		}
		return one(g, "0", "1", "2", "3", "7", "1", "2", "9007199254740991")
	}
}

func (g *lineGen) text(name, entryType string) string {
	ids := map[string]string{
		"turnId": "t", "entryId": "e", "requestId": "r", "promptId": "p", "before": "p", "childSessionId": "c", "callId": "k", "persistentId": "n",
	}
	switch {
	case name == "entryType":
		return quote(entryType)
	case name == "state":
		return quote(one(g, "idle", "responding", "completed", "terminated", "failed", "new"))
	case ids[name] != "":
		return quote(one(g, ids[name]+"1", ids[name]+"2", ids[name]+"3", ids[name]+"1", ids[name]+"2", ""))
	case g.seldom(500):
		return one(g, `"\ud800"`, `"\udc00\ud800"`, `"\ud800x"`, "\"\x01\"")
	}
	return one(g, `""`, `"a"`, `"some words "`, `"é\n"`, `"\u2028\u0085"`, `"😀"`, `"\ud83d\ude00\/\b"`, `"\"quoted\\\""`, `"\u0041\u00e9"`, `"{\"a\":1.0}"`)
}

func (g *lineGen) delta() string {
	deltas := []protocol.Delta{
		&protocol.TextAppend{}, &protocol.TextSet{}, &protocol.ArgumentsAppend{}, &protocol.StatusChange{}, &protocol.SummaryAppend{},
		&protocol.UnknownDelta{Name: "warp"}, &protocol.TextAppend{}, &protocol.TextAppend{},
	}
	d := deltas[g.IntN(len(deltas))]
	members := []string{`"op":` + quote(d.Op())}
	if _, ok := d.(*protocol.SummaryAppend); ok && g.seldom(4) {
		return g.object(append(members, `"summaryIndex":`+one(g, "-1", "1023", "1024", "0"), `"text":"x"`))
	}
	return g.object(append(members, g.members(reflect.TypeOf(d).Elem(), "")...))
}

// raw draws any JSON value.
func (g *lineGen) raw(depth int) string {
	if depth == 0 || g.seldom(2) {
		return one(g,
			`null`, `true`, `0`, `-0`, `1.0`, `1e5`, `0.1`, `1234567890123456789`, `1e400`, `-1.5e-9`, `""`, `"x"`, `"\ud83d\ude00"`, `"\u007f\/"`, `[]`, `{}`, `[1,[2]]`)
	}
	parts := make([]string, g.IntN(3))
	if g.seldom(2) {
		for i := range parts {
			parts[i] = g.raw(depth - 1)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	keys := []string{`"a"`, `"__proto__"`, `"\u0062"`, `"9"`, `"a\"b"`}
	g.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for i := range parts {
		parts[i] = keys[i] + ": " + g.raw(depth-1)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// damaged changes one character of a line.
func (g *lineGen) damaged(line string) string {
	r := []rune(line)
	at := g.IntN(len(r))
	switch g.IntN(3) {
	case 0:
		return string(slices.Delete(r, at, at+1))
	case 1:
		return string(r[:at])
	}
	r[at] = one(g, '"', '{', '}', '[', ']', ',', ':', '\\', '0', '-', 'e', ' ', 'x')
	return string(r)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
