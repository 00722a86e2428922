package httpline_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, want string
		line       httpline.Line
	}{
		{"a call", `{"http":"call","n":3,"method":"POST","path":"/a/b?c=%20","body":{"x":[1,2]}}`, &httpline.Call{N: 3, Method: "POST", Path: "/a/b?c=%20", Body: []byte("{ \"x\" : [1,\n2] }")}},
		{"a call without a body, later", `{"http":"call","n":4,"after":2000,"method":"GET","path":"/a"}`, &httpline.Call{N: 4, AfterMs: 2000, Method: "GET", Path: "/a"}},
		{"an answer", `{"http":"answer","n":3,"status":200,"body":true}`, &httpline.Answer{N: 3, Status: 200, Body: []byte("true\n")}},
		{"an empty answer", `{"http":"answer","n":3,"status":204}`, &httpline.Answer{N: 3, Status: 204}},
		{"an answer that is no JSON", `{"http":"answer","n":3,"status":502,"body":"no \u003cb\u003egate\u003c/b\u003e�"}`, &httpline.Answer{N: 3, Status: 502, Body: []byte("no <b>gate</b>\xff")}},
		{"no answer", `{"http":"answer","n":3,"error":"refused\n"}`, &httpline.Answer{N: 3, Error: "refused\n"}},
		{"a stream", `{"http":"stream","state":"open","path":"/event"}`, &httpline.Stream{State: httpline.Open, Path: "/event"}},
		{"a lost stream", `{"http":"stream","state":"lost","path":"/event","error":"EOF"}`, &httpline.Stream{State: httpline.Lost, Path: "/event", Error: "EOF"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.line.Append(nil)
			if string(got) != c.want || !json.Valid(got) || bytes.ContainsRune(got, '\n') {
				t.Errorf("got %s", got)
			}
			back, ok := httpline.Parse(got)
			if !ok || reflect.TypeOf(back) != reflect.TypeOf(c.line) || string(back.Append(nil)) != c.want {
				t.Errorf("reads back as %#v, %v", back, ok)
			}
		})
	}
}

func TestParseOthers(t *testing.T) {
	for _, line := range []string{
		``, `{}`, `{"type":"server.connected","properties":{}}`, `{"http":"moon"}`, `{"http":"call","n":1}`, `{"http":"answer","n":1}`,
		`{"http":"stream","state":"half"}`, `{"http":"answer","n":-1,"status":200}`, `{"http":"call"`, ` {"http":"answer","n":1,"status":200}`,
	} {
		if l, ok := httpline.Parse([]byte(line)); ok {
			t.Errorf("%s was read as %#v", line, l)
		}
	}
}

func TestEvent(t *testing.T) {
	if got := httpline.Event([]byte(`{"type":"x"}`)); string(got) != `{"type":"x"}` {
		t.Errorf("got %s", got)
	}
	forged := httpline.Event([]byte(`{"http":"answer","n":1,"status":200}`))
	if httpline.Is(forged) || !json.Valid(forged) {
		t.Errorf("got %s", forged)
	}
}

func TestNumber(t *testing.T) {
	call := (&httpline.Call{N: 12, Method: "GET", Path: "/"}).Append(nil)
	if n, ok := httpline.Number(call); n != 12 || !ok {
		t.Errorf("got %d, %v", n, ok)
	}
	kept := string(call)
	if got := httpline.Renumber(call, 12345); string(got) != `{"http":"call","n":12345,"method":"GET","path":"/"}` || string(call) != kept {
		t.Errorf("got %s", got)
	}
	if got := httpline.Renumber((&httpline.Answer{N: 99, Status: 204}).Append(nil), 1); string(got) != `{"http":"answer","n":1,"status":204}` {
		t.Errorf("got %s", got)
	}
	for _, line := range []string{`{"http":"call","n":}`, `{"http":"answer","n":99999999999999999999999}`, `{"http":"stream","state":"open","path":""}`, `{}`} {
		if n, ok := httpline.Number([]byte(line)); ok {
			t.Errorf("%s has number %d", line, n)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"http":"call","n":4,"after":2000,"method":"GET","path":"/a","body":{"a":"\n"}}`))
	f.Add([]byte(`{"http":"answer","n":3,"status":200,"body":true}`))
	f.Add([]byte(`{"http":"stream","state":"lost","path":"/event","error":"EOF"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		l, ok := httpline.Parse(line)
		if !ok {
			return
		}
		again := l.Append(nil)
		back, ok := httpline.Parse(again)
		if !ok || !bytes.Equal(back.Append(nil), again) || !json.Valid(again) || bytes.ContainsAny(again, "\r\n") {
			t.Fatalf("%s became %s", line, again)
		}
	})
}
