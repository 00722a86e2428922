package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// troupeAgent is the agent of scenarios that are about what no agent's protocol has to show: its lines are drafts themselves. It has
// sub-agents on its own connection, models and modes, background commands and all four answers to approvals, and takes no images.
const troupeAgent = "troupe"

// A line of the troupe is {"draft": NAME, …}: a draft of package adapters, its members by their Go names. "as" is the native id of the
// sub-agent that says it. ChildBegan also begins the sub-agent; {"as": ID, "over": true} ends it. A line to the troupe is a command,
// {"command": NAME, …}.
type troupe struct{}

var _ adapters.Splitting = troupe{}

func (troupe) Name() string { return troupeAgent }

func (troupe) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer: true, Resume: true, Questions: true, Models: true, Modes: true, SubAgents: true,
		Approvals: []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop},
	}
}

func (troupe) Find(context.Context) adapters.Installation {
	return adapters.Installation{Program: troupeAgent, Version: "1.0.0", Tested: true}
}

func (troupe) Launch(spec adapters.Spec) adapters.Launch {
	args := []string{"--session-id", spec.SessionID}
	if spec.Resume {
		args = append(args, "--resume", spec.NativeSessionID)
	}
	if spec.Model != "" {
		args = append(args, "--model", spec.Model)
	}
	if spec.Mode != "" {
		args = append(args, "--mode", spec.Mode)
	}
	return adapters.Launch{Path: troupeAgent, Args: args}
}

func (troupe) Translator(spec adapters.Spec) adapters.Translator { return &troupeTranslator{spec} }

func (troupe) Connection(adapters.Spec) string { return "" }

func (troupe) Splitter(adapters.Spec) adapters.Splitter {
	return &troupeSplitter{lanes: map[string]adapters.Lane{}, names: map[adapters.Lane]string{}}
}

// troupeLine is what the splitter reads of a line.
type troupeLine struct {
	As       string `json:"as,omitempty"`
	Draft    string `json:"draft,omitempty"`
	NativeID string `json:",omitempty"`
	Over     bool   `json:"over,omitempty"`
}

type troupeSplitter struct {
	newest adapters.Lane
	early  [][]byte                 // lines that were said before the session joined
	lanes  map[string]adapters.Lane // by native id; empty: the session itself
	names  map[adapters.Lane]string
}

func (s *troupeSplitter) Start(*adapters.Split) {}

func (s *troupeSplitter) add(name string) adapters.Lane {
	s.newest++
	s.lanes[name], s.names[s.newest] = s.newest, name
	return s.newest
}

func (s *troupeSplitter) Join(_ adapters.Spec, out *adapters.Split) adapters.Lane {
	lane := s.add("")
	for _, line := range s.early {
		out.To(lane, line)
	}
	s.early = nil
	return lane
}

func (s *troupeSplitter) Line(line []byte, out *adapters.Split) {
	var l troupeLine
	_ = json.Unmarshal(line, &l)
	lane := s.lanes[l.As]
	if lane == 0 && l.As == "" {
		s.early = append(s.early, bytes.Clone(line))
		return
	}
	if l.Over {
		out.Over(lane)
		delete(s.lanes, l.As)
		return
	}
	out.To(lane, line)
	if l.Draft == "ChildBegan" && s.lanes[l.NativeID] == 0 {
		out.Born(s.add(l.NativeID), adapters.Birth{Parent: lane, NativeID: l.NativeID})
	}
}

func (s *troupeSplitter) Say(lane adapters.Lane, line []byte, out *adapters.Split) {
	if name := s.names[lane]; name != "" {
		line = append([]byte(`{"as":"`+name+`",`), line[1:]...)
	}
	out.Line(line)
}

func (s *troupeSplitter) Sent([]byte, *adapters.Split)         {}
func (s *troupeSplitter) Leave(adapters.Lane, *adapters.Split) {}

// troupeTranslator reads drafts and writes commands.
type troupeTranslator struct{ spec adapters.Spec }

func (t *troupeTranslator) Start(out *adapters.Output) {
	if t.spec.Child {
		out.Draft(adapters.Ready{NativeSessionID: t.spec.NativeSessionID})
	}
}

func (t *troupeTranslator) Sent([]byte, *adapters.Output)        {}
func (t *troupeTranslator) Exit(adapters.Exit, *adapters.Output) {}

func (t *troupeTranslator) Command(c adapters.Command, out *adapters.Output) {
	line := map[string]any{}
	b, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(b, &line)
	}
	if err != nil {
		panic(err)
	}
	for k, v := range line {
		if v == nil || reflect.ValueOf(v).IsZero() {
			delete(line, k)
		}
	}
	line["command"] = strings.TrimPrefix(fmt.Sprintf("%T", c), "adapters.")
	if b, err = json.Marshal(line); err != nil {
		panic(err)
	}
	out.Line(b)
}

// troupeDrafts are the drafts that a line can be read into as they are.
var troupeDrafts = map[string]func([]byte) (adapters.Draft, error){
	"Ready":           readDraft[adapters.Ready],
	"TurnBegan":       readDraft[adapters.TurnBegan],
	"TurnEnded":       readDraft[adapters.TurnEnded],
	"RequestOpened":   readDraft[adapters.RequestOpened],
	"RequestClosed":   readDraft[adapters.RequestClosed],
	"MetaChanged":     readDraft[adapters.MetaChanged],
	"ChildBegan":      readDraft[adapters.ChildBegan],
	"Offered":         readDraft[adapters.Offered],
	"SettingAnswered": readDraft[adapters.SettingAnswered],
	"PromptAnswered":  readDraft[adapters.PromptAnswered],
}

func readDraft[D adapters.Draft](line []byte) (adapters.Draft, error) {
	var d D
	err := json.Unmarshal(line, &d)
	return d, err
}

// troupeEntry is a line about an entry: a command that runs, or a text.
type troupeEntry struct {
	Key     adapters.EntryKey
	Tool    string // its name; empty: an assistant message
	Command string
	Text    string // of the message, or the output
	Exit    *int   // closed: the command's
}

func (t *troupeTranslator) Line(line []byte, out *adapters.Output) {
	var l troupeLine
	if err := json.Unmarshal(line, &l); err != nil {
		panic(err)
	}
	if read := troupeDrafts[l.Draft]; read != nil {
		d, err := read(line)
		if err != nil {
			panic(err)
		}
		out.Draft(d)
		return
	}
	var e troupeEntry
	if err := json.Unmarshal(line, &e); err != nil {
		panic(err)
	}
	switch l.Draft {
	case "EntryOpened":
		kind, data := e.data(protocol.ToolRunning)
		out.Draft(adapters.EntryOpened{Key: e.Key, Type: kind, Data: data})
	case "EntryChanged":
		out.Draft(adapters.EntryChanged{Key: e.Key, Delta: &protocol.TextAppend{Text: e.Text}})
	case "EntryClosed":
		_, data := e.data(protocol.ToolCompleted)
		out.Draft(adapters.EntryClosed{Key: e.Key, Data: data})
	default:
		panic("the troupe has no draft " + l.Draft)
	}
}

func (e *troupeEntry) data(st protocol.ToolStatus) (protocol.EntryType, protocol.EntryData) {
	if e.Tool == "" {
		return protocol.EntryAssistantMessage, &protocol.MessageData{Role: "assistant", Text: e.Text}
	}
	return protocol.EntryToolCall, &protocol.ToolCallData{
		ToolName: e.Tool, CallID: fmt.Sprintf("c%d", e.Key), Command: e.Command, Status: st, Output: e.Text, ExitCode: e.Exit,
	}
}

// troupeReply answers a command as housekeeping: prompts are taken, choices too, but for the model "nobody's".
func troupeReply(line []byte) string {
	var c struct {
		As      string `json:"as"`
		Command string `json:"command"`
		ID      string
		Model   string
		Mode    string
	}
	_ = json.Unmarshal(line, &c)
	as := ""
	if c.As != "" {
		as = `"as":"` + c.As + `",`
	}
	switch {
	case c.Command == "Prompt":
		return `{` + as + `"draft":"PromptAnswered","ID":"` + c.ID + `"}`
	case c.Model == "nobody's":
		return `{` + as + `"draft":"SettingAnswered","ID":"` + c.ID + `","Result":2,"Error":"no such model"}`
	case c.Model != "":
		return `{` + as + `"draft":"SettingAnswered","ID":"` + c.ID + `"}` + "\n" + `{"draft":"MetaChanged","Meta":{"model":"` + c.Model + `"}}`
	case c.Mode != "":
		return `{` + as + `"draft":"SettingAnswered","ID":"` + c.ID + `","Result":1}`
	}
	return ""
}

// troupeReady is what a troupe says first.
func troupeReady(id string) string {
	return `{"draft":"Ready","NativeSessionID":"` + id + `"}` + "\n" +
		`{"draft":"Offered","Models":[{"ID":"m-1","Label":"One"},{"ID":"m-2"}],"Modes":[{"ID":"build"},{"ID":"plan"}]}` + "\n"
}
