package claude

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// elicitation is what an MCP server asks the person, through the agent.
type elicitation struct {
	Server  string          `json:"mcp_server_name"`
	Message string          `json:"message"`
	Mode    string          `json:"mode"` // form or url
	URL     string          `json:"url"`
	Schema  json.RawMessage `json:"requested_schema"`
	Order   []string        `json:"property_order"`
}

// elicited is the answer to an elicitation.
type elicited struct {
	Action  string                     `json:"action"` // accept, decline or cancel
	Content map[string]json.RawMessage `json:"content,omitempty"`
}

// form is the fields of an elicitation; one without fields asks only for consent.
type form struct{ fields []field }

type field struct {
	name     string
	kind     string // of JSON schema; "" is a string
	multiple bool
	required bool
}

// The answers to an elicitation without fields.
const (
	accept  = "accept"
	decline = "decline"
)

// ask asks a person: one question for each field. limit is that of a text, in bytes.
func (e *elicitation) ask(limit int) (f *form, q protocol.RequestOpened) {
	f = new(form)
	q = protocol.RequestOpened{Kind: protocol.RequestElicitation, Title: native.Head(e.Server, maxTitle) + " asks"}
	q.Text, _ = native.Cut(e.Message, limit)
	if e.Mode != "url" {
		q.Questions = f.read(e, limit)
	} else {
		q.Subject, _ = native.Cut(e.URL, limit)
	}
	if len(q.Questions) == 0 {
		text, _ := native.Cut(cmp.Or(e.URL, e.Message), limit)
		q.Questions = []protocol.Question{{
			Text: text, Options: []protocol.Option{{ID: accept, Label: "Accept"}, {ID: decline, Label: "Decline"}},
		}}
	}
	return f, q
}

// schema is a JSON schema of an object, or of one of its properties.
type schema struct {
	Type        string                     `json:"type"`
	Title       string                     `json:"title"`
	Description string                     `json:"description"`
	Enum        []string                   `json:"enum"`
	EnumNames   []string                   `json:"enumNames"`
	OneOf       []named                    `json:"oneOf"`
	Items       *schema                    `json:"items"`
	AnyOf       []named                    `json:"anyOf"` // of items
	Default     json.RawMessage            `json:"default"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Required    []string                   `json:"required"`
}

type named struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// read makes the questions, in the order in which the server has its fields.
func (f *form) read(e *elicitation, limit int) []protocol.Question {
	var s schema
	_ = native.Decode(e.Schema, &s)
	var list []protocol.Question
	for _, name := range order(e) {
		raw, ok := s.Properties[name]
		if !ok {
			continue
		}
		var p schema
		_ = native.Decode(raw, &p)
		q := protocol.Question{Text: name, Header: native.Head(name, maxTitle), Options: p.options(), Multiple: p.Type == "array"}
		if p.Title != "" {
			q.Text = p.Title
		}
		if p.Description != "" {
			q.Text += ": " + p.Description
		}
		q.Text, _ = native.Cut(q.Text, limit)
		q.Prefill, _ = native.Cut(prefill(p.Default), limit)
		q.FreeText = len(q.Options) == 0
		f.fields = append(f.fields, field{name, p.Type, q.Multiple, slices.Contains(s.Required, name)})
		list = append(list, q)
	}
	return list
}

// order lists the names of the fields once each.
func order(e *elicitation) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range e.Order {
		add(name)
	}
	var s struct {
		Properties json.RawMessage `json:"properties"`
	}
	_ = native.Decode(e.Schema, &s)
	m := native.Scan(s.Properties)
	for len(names) < maxFields {
		key, _, ok := m.Next()
		if !ok {
			break
		}
		add(native.Text(slices.Concat([]byte{'"'}, key, []byte{'"'})))
	}
	return names[:min(len(names), maxFields)]
}

// maxFields is how many fields of a form are asked for.
const maxFields = 100

func (s *schema) options() (list []protocol.Option) {
	switch {
	case s.Type == "boolean":
		return []protocol.Option{{ID: "true", Label: "Yes"}, {ID: "false", Label: "No"}}
	case s.Type == "array" && s.Items != nil:
		in := *s.Items
		in.OneOf = append(in.OneOf, in.AnyOf...)
		in.Type = ""
		return in.options()
	}
	for i, id := range s.Enum {
		o := protocol.Option{ID: id, Label: id}
		if i < len(s.EnumNames) {
			o.Label = s.EnumNames[i]
		}
		list = append(list, o)
	}
	for _, n := range s.OneOf {
		list = append(list, protocol.Option{ID: n.Const, Label: n.Title})
	}
	return list
}

func prefill(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		return native.Text(raw)
	}
	return native.Compact(raw)
}

// answer makes the answer to the server.
func (f *form) answer(c adapters.Answer) elicited {
	switch {
	case c.Outcome == protocol.OutcomeDenied:
		return elicited{Action: decline}
	case c.Outcome != protocol.OutcomeAnswered:
		return elicited{Action: "cancel"}
	case len(f.fields) == 0 && len(c.Answers) == 1 && slices.Equal(c.Answers[0], []string{decline}):
		return elicited{Action: decline}
	}
	e := elicited{Action: accept, Content: map[string]json.RawMessage{}}
	for i, field := range f.fields {
		if i < len(c.Answers) {
			if v := field.value(c.Answers[i]); v != nil {
				e.Content[field.name] = v
			}
		}
	}
	return e
}

// value is an answer in the type of the field; nil: an empty answer to a field that need not have one.
func (f *field) value(answers []string) json.RawMessage {
	if f.multiple {
		return encode(append([]string{}, answers...))
	}
	if len(answers) == 0 || answers[0] == "" && !f.required {
		return nil
	}
	text := answers[0]
	switch f.kind {
	case "boolean":
		return encode(text == "true")
	case "number", "integer":
		if _, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	}
	return encode(text)
}

// answered reads what somebody else answered.
func (f *form) answered(raw json.RawMessage) (protocol.Outcome, [][]string) {
	var e elicited
	_ = native.Decode(raw, &e)
	switch e.Action {
	case accept:
	case decline:
		return protocol.OutcomeDenied, nil
	default:
		return protocol.OutcomeCancelled, nil
	}
	answers := make([][]string, len(f.fields))
	for i, field := range f.fields {
		v := e.Content[field.name]
		var several []string
		if field.multiple && native.Decode(v, &several) == nil {
			answers[i] = several
			continue
		}
		answers[i] = []string{prefill(v)}
	}
	if len(f.fields) == 0 {
		answers = [][]string{{accept}}
	}
	return protocol.OutcomeAnswered, answers
}
