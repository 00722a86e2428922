package codex_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// course is what became of one session of a recording, in all its incarnations.
type course struct {
	said   []adapters.Draft
	steps  strings.Builder
	open   map[adapters.EntryKey]bool // opened in the turn that runs
	kinds  map[adapters.EntryKey]protocol.EntryType
	data   map[adapters.EntryKey]protocol.EntryData // of entries that were closed, in this incarnation
	closed []protocol.EntryData                     // in all of them, in order
	total  int64                                    // tokens used
	ledger conformance.Ledger
}

// letters stand for the entries of a course; system entries are left out.
var letters = map[protocol.EntryType]string{
	protocol.EntryUserMessage: "U", protocol.EntryAssistantMessage: "A", protocol.EntryThinking: "T", protocol.EntryToolCall: "X",
	protocol.EntryCompaction: "C", protocol.EntryPlan: "P",
}

// take adds a draft. A turn is in brackets, its status behind them; "!" follows an entry that the agent dropped, "X~" is a
// call that outlives its turn and ".X" its end; "?" a request with its end, "r" a retry, "+" a sub-agent.
func (c *course) take(t *testing.T, d adapters.Draft) {
	t.Helper()
	if problem := c.ledger.Take(d); problem != "" {
		t.Fatalf("%s: %s", conformance.Describe(d), problem)
	}
	c.said = append(c.said, d)
	switch d := d.(type) {
	case adapters.TurnBegan:
		c.steps.WriteString("(")
		clear(c.open)
	case adapters.TurnEnded:
		c.steps.WriteString(strings.Repeat(" X~", len(d.Running)) + ")" + string(d.Status) + " ")
		clear(c.open)
	case adapters.EntryOpened:
		c.kinds[d.Key], c.open[d.Key] = d.Type, true
		c.steps.WriteString(letters[d.Type])
	case adapters.EntryClosed:
		c.data[d.Key] = d.Data
		c.closed = append(c.closed, d.Data)
		switch letter := letters[c.kinds[d.Key]]; {
		case d.Incomplete:
			c.steps.WriteString("!")
		case !c.open[d.Key] && letter != "":
			c.steps.WriteString("." + letter)
		}
	case adapters.RequestOpened:
		c.steps.WriteString("?")
	case adapters.RequestClosed:
		c.steps.WriteString(string(d.Outcome) + " ")
	case adapters.PhaseChanged:
		if d.State == protocol.StateRetrying {
			c.steps.WriteString("r")
		}
	case adapters.ChildBegan:
		c.steps.WriteString("+")
	case adapters.Used:
		c.total += d.Usage.Usage.TotalTokens
	default:
	}
}

// play lives through a recording.
func play(t *testing.T, file string) []*course {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	courses := map[*replay.Session]*course{}
	player := replay.New(codex.Agent{}, func(s *replay.Session) string { return fmt.Sprint(s.Number) })
	for r, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range player.Play(r) {
			c := courses[said.Session]
			if c == nil {
				c = &course{}
				courses[said.Session] = c
			}
			if said.Begins {
				if c.kinds != nil {
					c.steps.WriteString("| ")
				}
				c.ledger = conformance.Ledger{}
				c.open, c.kinds = map[adapters.EntryKey]bool{}, map[adapters.EntryKey]protocol.EntryType{}
				c.data = map[adapters.EntryKey]protocol.EntryData{}
			}
			for _, d := range said.Drafts {
				c.take(t, d)
			}
		}
	}
	if f := player.Faults(); len(f) > 0 {
		t.Fatal(f)
	}
	list := []*course{}
	for _, s := range player.Sessions() {
		list = append(list, courses[s])
	}
	return list
}

func (c *course) String() string { return strings.TrimSpace(c.steps.String()) }

// has says that one of the closed entries is as wanted.
func has[D protocol.EntryData](c *course, is func(d D) bool) bool {
	return slices.ContainsFunc(c.closed, func(e protocol.EntryData) bool {
		d, ok := e.(D)
		return ok && is(d)
	})
}

// courses are the rows of the recordings' README: what happens, and the tokens at the end.
var courses = map[string]struct {
	steps []string // of each session
	total int64    // of the first
}{
	"approval-exec-accept":    {[]string{"(UX?allowed A)completed"}, 2932},
	"approval-exec-cancel":    {[]string{"(UX?denied )interrupted (UA)completed"}, 2932},
	"approval-exec-decline":   {[]string{"(UX?denied A)completed (UA)completed"}, 4544},
	"approval-patch-accept":   {[]string{"(UX?allowed A)completed"}, 2932},
	"approval-patch-decline":  {[]string{"(UX?denied A)completed"}, 2932},
	"async-question":          {[]string{"(UAA)completed (UA)completed"}, 4440},
	"code-mode":               {[]string{"(UTXA)completed"}, 2962},
	"combo":                   {[]string{"(UTAXPXXX?allowed A)completed (UX?denied A)completed (UA!UA)interrupted (UA)completed"}, 18460},
	"compact-auto":            {[]string{"(UXCA)completed (UA)completed"}, 20090},
	"compact-manual":          {[]string{"(UA)completed (C)completed (UA)completed"}, 3440},
	"disconnect-retry":        {[]string{"(UA!rA)completed"}, 1412},
	"dynamic-tool":            {[]string{"(UXA)completed"}, 2932},
	"exec-json":               {[]string{"(TXXA)completed"}, 4402},
	"fail-429":                {[]string{"(Urr)error"}, 0},
	"fail-500":                {[]string{"(Urr)error"}, 0},
	"failed-context":          {[]string{"(U)error"}, 0},
	"idle-timeout":            {[]string{"(UA!rA)completed"}, 1412},
	"incomplete":              {[]string{"(UA)error"}, 5400},
	"interrupt-clean":         {[]string{"(UX X~)interrupted .X(UA)completed"}, 2932},
	"interrupt-text":          {[]string{"(UTA)interrupted (UA)completed"}, 1512},
	"interrupt-tool":          {[]string{"(UX X~)interrupted (UA X~)completed"}, 2932},
	"kill":                    {[]string{"(UA)completed (UTXA| (UA)completed"}, 3340},
	"long-stream":             {[]string{"(UA)completed"}, 2120},
	"mcp":                     {[]string{"(UXXA)completed"}, 4402},
	"mcp-approval":            {[]string{"(UXX?allowed A)completed"}, 4402},
	"mcp-ask":                 {[]string{"(UX?answered A)completed"}, 2932},
	"model-switch":            {[]string{"(UA)completed (CUA)completed (CUA)completed"}, 6370},
	"multi-turn":              {[]string{"(UA)completed (UTA)completed (UXA)completed"}, 4670},
	"parallel":                {[]string{"(UXXXA)completed"}, 3102},
	"patch-add":               {[]string{"(UAXXA)completed"}, 4602},
	"patch-fail":              {[]string{"(UA)completed"}, 3072},
	"patch-update-delete":     {[]string{"(UXA)completed"}, 3072},
	"phases":                  {[]string{"(UAXA)completed"}, 2960},
	"plain":                   {[]string{"(UA)completed"}, 1214},
	"plan":                    {[]string{"(UPXA)completed"}, 6182},
	"plan-mode":               {[]string{"(UTAP)completed"}, 1560},
	"provider-down":           {[]string{"(Urr)interrupted"}, 0},
	"queue":                   {[]string{"(UA)completed (UA)completed (UA)completed"}, 4524},
	"raw-events":              {[]string{"(UA)completed"}, 3072},
	"reasoning":               {[]string{"(UTA)completed"}, 1590},
	"reasoning-raw":           {[]string{"(UTA)completed"}, 1610},
	"request-errors":          {[]string{""}, 0},
	"resume":                  {[]string{"(UA)completed (UXA)completed | (UA)completed (UA)completed", "(UA)completed"}, 5560},
	"retry-500":               {[]string{"(UA)completed"}, 1412},
	"shell":                   {[]string{"(UTXA)completed"}, 2942},
	"shell-background":        {[]string{"(UXA)completed"}, 6052},
	"shell-fail":              {[]string{"(UXA)completed"}, 2922},
	"shell-leftover":          {[]string{"(UXA X~)completed .X"}, 3042},
	"steer-text":              {[]string{"(UA!UA)completed (UA)completed"}, 3224},
	"subagent":                {[]string{"(U+XA)completed", "(A)completed"}, 4400},
	"term":                    {[]string{"(UA)completed (UTXA| (UA)completed"}, 3340},
	"tool-unknown":            {[]string{"(UA)completed"}, 2932},
	"turn-start-while-active": {[]string{"(UA!UA)completed"}, 1612},
	"two-threads":             {[]string{"(UA)completed", "(UA)completed"}, 1030},
	"user-input":              {[]string{"(U?answered A)completed"}, 2952},
	"view-image":              {[]string{"(UXA)completed"}, 2932},
	"web-search":              {[]string{"(UTXXA)completed"}, 2560},
	"ws":                      {[]string{"(UAr)completed (UA)completed"}, 2210},
}

func TestCourses(t *testing.T) {
	files, err := filepath.Glob("testdata/recordings/*.jsonl")
	if err != nil || len(files) != 58 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			total := int64(0)
			for i, c := range play(t, file) {
				got = append(got, c.String())
				if i == 0 {
					total = c.total
				}
			}
			want := courses[name]
			if !slices.Equal(got, want.steps) || total != want.total {
				t.Errorf("\t%q: {%#v, %d},\nwant %q, %d", name, got, total, want.steps, want.total)
			}
		})
	}
}
