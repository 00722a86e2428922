package protocol

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

// One line of every event type, delta, entry type and member: encoding what was decoded gives the same bytes.
// Proves: 002.3.3/type, 002.4.5/members
func TestRoundTrip(t *testing.T) {
	seen := make(map[Type]bool)
	for _, line := range []string{
		`{"seq":1,"ts":1,"type":"session_start","sessionId":"s","agentBackend":"pi","metadata":{"model":"m","cwd":"/","gitBranch":"b","gitCommit":"c","title":"t","labels":{"a":"b","c":"d"},"parentSessionId":"p","x":[1,{"y":null}]}}`,
		`{"seq":1,"ts":1,"type":"session_start","sessionId":"s","agentBackend":"pi","metadata":{}}`,
		`{"seq":9007199254740991,"ts":9007199254740991,"type":"session_end","reason":"error","error":"e","hint":"h"}`,
		`{"seq":2,"ts":0,"type":"session_meta","title":"","model":"m","mode":"x","nativeSessionId":"n","agentVersion":"1","labels":{},"capabilities":["steer"]}`,
		`{"seq":2,"ts":0,"type":"session_meta","model":"","pendingModel":"m","pendingMode":"","policy":{"mode":"ask","rules":[{"tool":"t","pattern":"p","action":"allow","z":1},{"action":"ask"}],"deadline":1000,"default":"deny","z":[]}}`,
		`{"seq":2,"ts":0,"type":"session_meta","policy":{}}`,
		`{"seq":1,"ts":0,"type":"session_start","sessionId":"s","agentBackend":"pi","metadata":{"parentSessionId":"p","subAgent":true,"policy":{"mode":"allow_all"},"z":1}}`,
		`{"seq":2,"ts":-9007199254740991,"type":"session_meta"}`,
		`{"seq":2,"ts":1,"type":"child_session","childSessionId":"c","entryId":"e1","title":"t","nativeSessionId":"n"}`,
		`{"seq":2,"ts":1,"type":"epoch","epoch":2,"reason":"r"}`,
		`{"seq":2,"ts":1,"type":"turn_start","turnId":"t1","prompt":{"text":"Fix\nit","images":["sha256:00;image/png"],"streamingBehavior":"steer","promptId":"p1","clientId":"c","zz":1},"extra":true}`,
		`{"seq":2,"ts":1,"type":"turn_end","turnId":"t1","status":"error","error":"e","hint":"h"}`,
		`{"seq":2,"ts":1,"type":"entry_start","turnId":"t1","entryId":"e1","entryType":"user_message","data":{"role":"user","text":"","images":["i"],"truncated":true,"bytes":9,"z":0},"persistentId":"p","round":3}`,
		`{"seq":2,"ts":1,"type":"entry_start","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":""}}`,
		`{"seq":2,"ts":1,"type":"entry_start","entryId":"e1","entryType":"hologram","data":{"deep":{"er":1}}}`,
		`{"seq":2,"ts":1,"type":"entry_end","turnId":"t1","entryId":"e1","entryType":"tool_call","data":{"toolName":"bash","callId":"c","arguments":"{}","command":"ls","cwd":"/","status":"completed","output":"o","exitCode":0,"durationMs":0,"diff":"d"},"persistentId":"p","incomplete":true,"reason":"r"}`,
		`{"seq":2,"ts":1,"type":"entry_end","entryId":"e1","entryType":"tool_result","data":{"callId":"c","output":"","isError":true}}`,
		`{"seq":2,"ts":1,"type":"entry_end","entryId":"e1","entryType":"thinking","data":{"text":"","summary":["a","b"]}}`,
		`{"seq":2,"ts":1,"type":"entry_end","entryId":"e1","entryType":"plan","data":{"text":"t","steps":[{"text":"a","status":"pending","z":1},{"text":"b"}]}}`,
		`{"seq":2,"ts":1,"type":"entry_end","entryId":"e1","entryType":"compaction","data":{"summary":"s","trigger":"manual","tokensBefore":5}}`,
		`{"seq":2,"ts":1,"type":"entry_end","entryId":"e1","entryType":"system","data":{"text":"t","level":"info","kind":"k","native":{"a":[1.50,"\u0041"]}}}`,
		`{"seq":2,"ts":1,"type":"entry_meta","entryId":"e1","persistentId":"p"}`,
		`{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"Hi","contentIndex":0,"u":"v"}}`,
		`{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"text_set","text":"Hi"}}`,
		`{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"arguments_append","text":"Hi"}}`,
		`{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"status_change","status":"running","output":"o","exitCode":-1}}`,
		`{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"summary_append","summaryIndex":0,"text":"x"}}`,
		`{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"warp","by":3}}`,
		`{"seq":2,"ts":1,"type":"request_opened","requestId":"r1","kind":"question","turnId":"t1","entryId":"e1","toolName":"x","title":"t","text":"x","options":[{"id":"a","label":"l","description":"d","z":1}],"questions":[{"text":"q","header":"h","options":[{"id":"a"}],"multiple":true,"freeText":true,"prefill":"p","z":1}],"deadline":5}`,
		`{"seq":2,"ts":1,"type":"request_opened","requestId":"r2","kind":"approval","toolKind":"edit","title":"t","text":"x","diff":"--- a/x\n","diffTruncated":true,"diffBytes":99,"options":[{"id":"a"}]}`,
		`{"seq":2,"ts":1,"type":"request_opened","requestId":"r1@c","kind":"approval","sessionId":"c","toolName":"x","toolKind":"execute","subject":"ls","title":"t","deadline":5,"default":"deny_stop"}`,
		`{"seq":2,"ts":1,"type":"request_resolved","requestId":"r1","outcome":"answered","option":"a","answers":[["a","b"],[]],"message":"m","by":"policy"}`,
		`{"seq":2,"ts":1,"type":"prompt_queued","promptId":"p1","text":"t","images":["i"],"streamingBehavior":"followUp","clientId":"c","idempotencyKey":"k","origin":"agent"}`,
		`{"seq":2,"ts":1,"type":"prompt_moved","promptId":"p1","before":"p2"}`,
		`{"seq":2,"ts":1,"type":"prompt_moved","promptId":"p1"}`,
		`{"seq":2,"ts":1,"type":"prompt_removed","promptId":"p1","reason":"cancelled","error":"e"}`,
		`{"seq":2,"ts":1,"type":"budget","scope":"tree","of":"a","limit":"costMicros","state":"reached","spent":5,"max":4,"action":"interrupt","z":1}`,
		`{"seq":2,"ts":1,"type":"session_meta","budget":{"session":{"tokens":1,"costMicros":2,"workMs":3,"turns":4,"toolCalls":5,"children":6,"z":1},"tree":{},"action":"end","warnAt":50,"z":1}}`,
		`{"seq":2,"ts":1,"type":"token_usage","turnId":"t1","usage":{"inputTokens":1,"cachedInputTokens":2,"outputTokens":3,"reasoningOutputTokens":4,"totalTokens":5,"z":1},"sessionTotal":{"inputTokens":0,"cachedInputTokens":0,"outputTokens":0,"totalTokens":0},"cost":{"input":1e-07,"output":0.25,"cacheRead":0,"total":1e+21,"z":1},"model":"m"}`,
		`{"seq":2,"ts":1,"type":"status","state":"running_tool","agentStatus":"running_tool","toolName":"bash","queuedPrompts":2,"stalled":true,"retryAt":7}`,
		`{"seq":2,"ts":1,"type":"new_thing","a":{"b":[1.5e3,-0,true,"\ud83d\ude00"]},"":null}`,
		`{"seq":2,"ts":1,"type":"new_thing","text":"\u0000\u007f\u0085\u2028 é 😀 \ufffd"}`,
	} {
		e, err := Decode([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var wg sync.WaitGroup
		for range 4 { // encoding must not write to the event, which the race detector sees
			wg.Go(func() {
				if got := string(Append(nil, &e)); got != line {
					t.Errorf("got  %s\nwant %s", got, line)
				}
			})
		}
		wg.Wait()
		seen[e.Payload.Type()] = true
	}
	for _, typ := range Types() {
		if !seen[typ] {
			t.Errorf("no line of type %s", typ)
		}
	}
}

// What other writers may write differently is read, and written in the one way.
func TestDecodeNormalises(t *testing.T) {
	const head = `{"seq":1,"ts":1,"type":`
	for in, want := range map[string]string{
		" {\t\"type\" : \"turn_end\",\r\n\"status\":\"completed\", \"turnId\":\"t1\", \"ts\":1, \"seq\":1 } ": head + `"turn_end","turnId":"t1","status":"completed"}`,
		head + `"turn_end","turnId":"t1","status":"completed","error":null,"later":null}`:                     head + `"turn_end","turnId":"t1","status":"completed","later":null}`,
		head + `"x","a":{ "b" : [ 1 , 2 ] , "c d" : " e  f " }}`:                                              head + `"x","a":{"b":[1,2],"c d":" e  f "}}`,
		head + `"turn\u005fend","\u0074urnId":"\u0074\/1\b\f\u00aF\u00Fa","status":"\ud83d\ude00"}`:           head + `"turn_end","turnId":"t/1\u0008\u000c¯ú","status":"😀"}`,
		head + "\"x\",\"a\":\"\u2028\u007f\u0085\\u2028\",\"b\u2029\":1}":                                     head + `"x","a":"\u2028\u007f\u0085\u2028","b\u2029":1}`,
		head + `"epoch","Epoch":5,"epoch":2,"reason":"","REASON":"x"}`:                                        head + `"epoch","epoch":2,"reason":"","Epoch":5,"REASON":"x"}`,
	} {
		e, err := Decode([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := string(Append(nil, &e)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", in, got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	const head = `{"seq":1,"ts":1,"type":`
	deep := func(n int) string { return head + `"x","a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	if _, err := Decode([]byte(deep(MaxDepth - 1))); err != nil {
		t.Errorf("depth %d: %v", MaxDepth, err)
	}
	for in, want := range map[string]string{
		``:                            "byte 0: unexpected end",
		`[]`:                          "byte 0: want an object",
		`{"seq":1}`:                   "/type: missing",
		`{"seq":1,"type":"x"}`:        "/ts: missing",
		`{"seq":0,"ts":1,"type":"x"}`: "/seq: want a number from 1",
		`{"seq":1,"ts":-9007199254740992,"type":"x"}`: "/ts: want an integer",
		`{"seq":-1,"ts":1,"type":"x"}`:                "/seq: want a non-negative integer",
		`{"seq":1.0,"ts":1,"type":"x"}`:               "/seq: want an integer",
		`{"seq":9007199254740992,"ts":1,"type":""}`:   "/seq: want an integer",
		`{"seq":"1","ts":1,"type":"x"}`:               "/seq: want an integer",
		`{"seq":01,"ts":1,"type":"x"}`:                "want a comma",
		`{"seq":1,"ts":1,"type":7}`:                   "/type: want a string",
		`{"SEQ":1,"ts":1,"type":"x"}`:                 "/seq: missing",
		head + `"x"`:                                  "want a comma or the end of the object",
		head + `"x",}`:                                "want a string",
		head + `"x"}{}`:                               "more after the value",
		head + `"x"}` + "\x00":                        "more after the value",
		head + `"x","a":1,"a":1}`:                     "duplicate key",
		head + `"x","a":1,"\u0061":1}`:                "duplicate key",
		head + `"x","o":{"a":1,"b":[{"c":1,"c":2}]}}`: "duplicate key",
		head + `"x"` + manyKeys(40) + `,"k7":0}`:      "duplicate key",
		head + `"x","a":"` + "\x80" + `"}`:            "invalid UTF-8",
		head + `"x","a":tru}`:                         "want a value",
		head + `"x","a":nan}`:                         "want a value",
		head + `"x","a":'b'}`:                         "want a value",
		head + `"x","a":[1,]}`:                        "want a value",
		head + `"x","a":[1 2]}`:                       "want a comma or the end of the array",
		head + `"x","a":-}`:                           "want a digit",
		head + `"x","a":1.}`:                          "want a digit",
		head + `"x","a":1e+}`:                         "want a digit",
		head + `"x","a":.5}`:                          "want a value",
		head + `"x","a" 1}`:                           "want a colon",
		head + `"x","a":"` + "\n" + `"}`:              "control character",
		head + `"x","a":"` + "\xff" + `"}`:            "invalid UTF-8",
		head + `"x","a":"` + "\xed\xa0\x80" + `"}`:    "invalid UTF-8",
		head + `"x","` + "\xff" + `":1}`:              "invalid UTF-8",
		head + `"x","a":"\x"}`:                        "unknown escape",
		head + `"x","a":"\u12G4"}`:                    "hexadecimal",
		head + `"x","a":"\u12@4"}`:                    "hexadecimal",
		head + `"x","a":"\u12:4"}`:                    "hexadecimal",
		head + `"x","a":"\u12/4"}`:                    "hexadecimal",
		head + `"x","a":"\u12g4"}`:                    "hexadecimal",
		head + `"x","a":"\ud800"}`:                    "unpaired surrogate",
		head + `"x","a":"\ud800\u0041"}`:              "unpaired surrogate",
		head + `"x","a":"\udc00\udc00"}`:              "unpaired surrogate",
		head + `"x","a":"\udfff"}`:                    "unpaired surrogate",
		head + `"x","a":"\udc00"}`:                    "unpaired surrogate",
		head + `"x","a":"`:                            "unexpected end of a string",
		head + `"x","a":"\`:                           "unexpected end of a string",
		"\ufeff" + head + `"x"}`:                      "want a value",
		head + `"turn_end","turnId":"t1"}`:            "/status: missing",
		head + `"turn_start","turnId":"t","prompt":{"images":["a",1],"text":""}}`:                                  "/prompt/images: want an array of strings",
		head + `"turn_start","turnId":"t","prompt":[]}`:                                                            "/prompt: want an object",
		head + `"entry_delta","entryId":"e","delta":{"op":"text_append"}}`:                                         "/delta/text: missing",
		head + `"entry_delta","entryId":"e"}`:                                                                      "/delta: missing",
		head + `"entry_end","entryId":"e","entryType":"plan","data":{"steps":[{"text":"a"},{"text":2},{}]}}`:       "/data/steps/1/text: want a string",
		head + `"status","state":"idle","agentStatus":"idle","stalled":1}`:                                         "/stalled: want true or false",
		head + `"session_meta","labels":{"a":1}}`:                                                                  "/labels: want an object of strings",
		head + `"request_resolved","requestId":"r","outcome":"x","by":"b","answers":["a"]}`:                        "/answers: want an array of arrays of strings",
		head + `"token_usage","usage":{"inputTokens":1e3,"cachedInputTokens":0,"outputTokens":0,"totalTokens":0}}`: "/usage/inputTokens: want an integer",
		deep(MaxDepth): "nested too deep",
		head + `"x","a":"` + strings.Repeat("a", MaxEvent) + `"}`: "longer than the limit",
	} {
		_, err := Decode([]byte(in))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: got %v, want %s", in, err, want)
		}
	}
}

// manyKeys are n different members.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":1`, i)
	}
	return b.String()
}

// Hostile lines cost time and memory in proportion to their length at most, and are refused where they hold too much.
func TestDecodeHuge(t *testing.T) {
	const head = `{"seq":1,"ts":1,"type":`
	keys := manyKeys(1_000_000)
	for name, line := range map[string]string{
		"a million keys":            head + `"x"` + keys + `}`,
		"a million keys, nested":    head + `"x","o":{"o":0` + keys + `}}`,
		"a million arrays, nested":  head + `"x","a":` + strings.Repeat("[", 1_000_000),
		"a million objects, nested": head + `"x","a":` + strings.Repeat(`{"a":`, 1_000_000),
		"a million labels":          head + `"session_meta","labels":{"x":"y"` + keys + `}}`,
		"a million images":          head + `"prompt_queued","promptId":"p","text":"","images":[""` + strings.Repeat(`,""`, 1_000_000) + `]}`,
	} {
		before := allocated()
		_, err := Decode([]byte(line))
		after := allocated()
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
		if used := after - before; used > uint64(len(line))+8<<20 {
			t.Errorf("%s: %d MiB allocated for %d MiB", name, used>>20, len(line)>>20)
		}
	}
	for what, line := range map[string]string{
		"as long as may be":        head + `"x","a":"` + strings.Repeat("a", MaxEvent-len(head)-len(`"x","a":""}`)) + `"}`,
		"as many keys as may be":   head + `"x"` + manyKeys(MaxMembers-3) + `}`,
		"as many images as may be": head + `"prompt_queued","promptId":"p","text":"","images":[""` + strings.Repeat(`,""`, MaxMembers-1) + `]}`,
	} {
		if _, err := Decode([]byte(line)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	flat := head + `"x","a":[[]` + strings.Repeat(`,[]`, 1_000_000) + `]}`
	e, err := Decode([]byte(flat))
	if err != nil {
		t.Fatalf("a million arrays side by side: %v", err)
	}
	if got := string(Append(nil, &e)); got != flat {
		t.Error("a million arrays side by side: changed by a round trip")
	}
}

// An encoder cannot be made to write a line that a decoder refuses.
func TestAppendIsAlwaysReadable(t *testing.T) {
	inf := math.Inf(1)
	for _, p := range []Payload{
		&EntryStart{EntryID: "e1", EntryType: EntrySystem, Data: &SystemData{Raw: []byte(`{"a":1,"a":2}`)}},
		&EntryStart{EntryID: "e1", EntryType: EntrySystem, Data: &SystemData{Raw: []byte("\xff\x00")}},
		&EntryStart{EntryID: "e1", EntryType: EntrySystem, Data: &SystemData{Raw: []byte(strings.Repeat("[", 63) + strings.Repeat("]", 63))}},
		&EntryStart{EntryID: "e1", EntryType: EntrySystem, Data: &SystemData{Raw: []byte(" {\n}\n")}},
		&EntryStart{EntryID: "e\xff\x80", EntryType: EntryPlan},
		&EntryDelta{EntryID: "e1"},
		&TokenUsage{Cost: &Cost{Input: inf, Output: -inf, CacheRead: math.NaN(), Total: math.MaxFloat64}},
		&Unknown{Name: "x"},
	} {
		line := Append(nil, &Event{Seq: 1, Time: 1, Payload: p})
		if _, err := Decode(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if slices.Contains(line, '\n') {
			t.Errorf("%q: has a newline", line)
		}
	}
}

func TestCompact(t *testing.T) {
	got, err := Compact([]byte(" { \"a\" : [ 1, \"x y\u2028\" ] } "))
	if want := `{"a":[1,"x y\u2028"]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	for _, in := range []string{"", "{", `{"a":1,"a":1}`, strings.Repeat("[", 63) + strings.Repeat("]", 63)} {
		if got, err := Compact([]byte(in)); err == nil {
			t.Errorf("%q: accepted as %s", in, got)
		}
	}
}

// The event keeps no part of the line: readers use one buffer again and again.
func TestDecodeCopies(t *testing.T) {
	line := []byte(`{"seq":1,"ts":1,"type":"turn_start","turnId":"t1","prompt":{"text":"hello","z":[1]},"x":{"y":2}}`)
	want := string(line)
	e, err := Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	for i := range line {
		line[i] = '#'
	}
	if got := string(Append(nil, &e)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
