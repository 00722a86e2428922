package recording_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/recording"
)

// tell writes the steps of a recording, one per line.
func tell(t *testing.T, text string) (string, error) {
	t.Helper()
	var b strings.Builder
	for r, err := range recording.Read(strings.NewReader(text)) {
		if err != nil {
			return b.String(), err
		}
		fmt.Fprintf(&b, "%d@%d", r.Line, r.At.Milliseconds())
		if r.Conn != "" {
			fmt.Fprintf(&b, " [%s]", r.Conn)
		}
		switch s := r.Step.(type) {
		case recording.Start:
			fmt.Fprintf(&b, " start %q cwd=%s resume=%v\n", s.Args, s.Cwd, s.Resume)
		case recording.Out:
			fmt.Fprintf(&b, " out %s %s\n", s.Src, s.Line)
		case recording.In:
			fmt.Fprintf(&b, " in %s\n", s.Line)
		case recording.Stderr:
			fmt.Fprintf(&b, " err %s\n", s.Line)
		case recording.Exit:
			e := s.Exit
			fmt.Fprintf(&b, " exit %d %q asked=%v error=%q stderr=%q\n", e.Code, e.Signal, e.Requested, e.Error, e.Stderr)
		case recording.Note:
			fmt.Fprintf(&b, " note %s\n", s.Text)
		}
	}
	return b.String(), nil
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{
			"notes, a kill and a restart",
			`{"t_ms":1,"dir":"note","data":{"agent":"pi"}}
{"t_ms":2,"dir":"note","data":"started: pi --mode rpc (cwd /workspace)"}
{"t_ms":3,"dir":"in","data":{"id": "c1"}}
{"t_ms":4,"dir":"err","raw":true,"data":"Warning"}
{"t_ms":5,"dir":"out","raw":true,"data":"no JSON"}
{"t_ms":6,"dir":"note","data":"harness: send SIGKILL"}
{"t_ms":7,"dir":"note","data":"process ended: signal: killed"}
{"t_ms":8,"dir":"note","data":"started: pi (cwd /w)"}
{"t_ms":9,"dir":"note","data":"harness: close stdin"}
{"t_ms":10,"dir":"note","data":"process ended: exit status 0"}
{"t_ms":1,"dir":"llm","data":{}}
`,
			`1@1 note {"agent":"pi"}
2@2 start ["--mode" "rpc"] cwd=/workspace resume=false
3@3 in {"id":"c1"}
4@4 err Warning
5@5 out  no JSON
6@6 note harness: send SIGKILL
7@7 exit -1 "killed" asked=false error="" stderr=["Warning"]
9@9 note harness: close stdin
8@8 start [] cwd=/w resume=true
10@10 exit 0 "" asked=true error="" stderr=[]
`,
		},
		{
			"meta records",
			`{"t_ms":1,"dir":"meta","data":{"event":"spawn","argv":["codex","app-server"],"cwd":"/workspace"}}
{"t_ms":2,"dir":"in","data":"not json"}
{"t_ms":3,"dir":"meta","data":{"event":"signal","signal":"terminated"}}
{"t_ms":4,"dir":"meta","data":{"event":"exit","status":"exit status 143"}}
{"t_ms":5,"dir":"meta","data":{"event":"spawn","argv":["codex"]}}
{"t_ms":6,"dir":"meta","data":{"event":"exit","status":"exit 0"}}
`,
			`1@1 start ["app-server"] cwd=/workspace resume=false
2@2 in not json
4@4 exit 143 "" asked=true error="" stderr=[]
5@5 start [] cwd= resume=true
6@6 exit 0 "" asked=false error="" stderr=[]
`,
		},
		{
			"labelled connections to one process",
			`{"t_ms":1,"dir":"meta","data":{"event":"spawn","argv":["codex","app-server"]}}
{"t_ms":2,"dir":"meta","data":{"event":"connect","connection":"a"}}
{"t_ms":3,"dir":"out","conn":"a","data":1}
{"t_ms":4,"dir":"out","conn":"b","data":2}
{"t_ms":5,"dir":"meta","data":{"event":"disconnect","connection":"a"}}
{"t_ms":6,"dir":"meta","data":{"event":"exit","status":"signal: killed"}}
`,
			`2@2 note connect
1@1 [a] start ["app-server"] cwd= resume=false
3@3 [a] out  1
4@4 [b] start [] cwd= resume=true
4@4 [b] out  2
5@5 note disconnect
6@6 [a] exit -1 "killed" asked=false error="" stderr=[]
6@6 [b] exit -1 "killed" asked=false error="" stderr=[]
`,
		},
		{
			"a connection that is lost and comes back, under another label and under its own",
			`{"t_ms":1,"dir":"meta","data":{"event":"spawn","argv":["codex","app-server"]}}
{"t_ms":3,"dir":"out","conn":"a","data":1}
{"t_ms":4,"dir":"meta","data":{"event":"disconnect","connection":"a","why":"dropped"}}
{"t_ms":5,"dir":"meta","data":{"event":"connect","connection":"b"}}
{"t_ms":6,"dir":"out","conn":"b","data":2}
{"t_ms":7,"dir":"meta","data":{"event":"disconnect","connection":"b"}}
{"t_ms":8,"dir":"in","conn":"b","data":3}
{"t_ms":9,"dir":"meta","data":{"event":"disconnect","connection":"b"}}
{"t_ms":10,"dir":"meta","data":{"event":"exit","status":"exit 0"}}
{"t_ms":11,"dir":"meta","data":{"event":"spawn","argv":["codex","app-server"]}}
{"t_ms":12,"dir":"out","conn":"b","data":4}
`,
			`1@1 [a] start ["app-server"] cwd= resume=false
2@3 [a] out  1
3@4 note disconnect
4@5 note connect
4@5 [a] out  {"http":"stream","state":"lost","path":"","error":"dropped"}
4@5 [a] out  {"http":"stream","state":"open","path":""}
5@6 [a] out  2
6@7 note disconnect
7@8 [a] out  {"http":"stream","state":"lost","path":""}
7@8 [a] out  {"http":"stream","state":"open","path":""}
7@8 [a] in 3
8@9 note disconnect
9@10 [a] exit 0 "" asked=false error="" stderr=[]
10@11 [b] start ["app-server"] cwd= resume=true
11@12 [b] out  4
11@12 [b] exit 0 "" asked=true error="" stderr=[]
`,
		},
		{
			"HTTP and events, and no end",
			`{"t_ms":1,"dir":"http","data":{"n":1,"phase":"request","method":"POST","path":"/session","body":{"a":1}}}
{"t_ms":2,"dir":"http","data":{"n":1,"phase":"response","status":204}}
{"t_ms":3,"dir":"sse","src":"/event","data":{"type":"x"}}
`,
			`1@1 start [] cwd= resume=false
1@1 in {"http":"call","n":1,"method":"POST","path":"/session","body":{"a":1}}
2@2 out  {"http":"answer","n":1,"status":204}
3@3 out /event {"type":"x"}
3@3 exit 0 "" asked=true error="" stderr=[]
`,
		},
		{
			"a stream that is lost and opened again",
			`{"t_ms":1,"dir":"note","data":"server up: opencode serve (cwd /w), healthy after 3 ms"}
{"t_ms":2,"dir":"note","data":"sse: open GET /event"}
{"t_ms":3,"dir":"note","data":"sse: /event answered 200 text/event-stream"}
{"t_ms":4,"dir":"sse","src":"/event","data":{"_comment":"ping"}}
{"t_ms":5,"dir":"note","data":"sse: /event closed: unexpected EOF"}
{"t_ms":6,"dir":"http","data":{"n":1,"phase":"request","method":"GET","path":"/x"}}
{"t_ms":7,"dir":"note","data":"server process ended: signal: killed"}
{"t_ms":8,"dir":"http","data":{"n":1,"phase":"response","error":"EOF"}}
{"t_ms":9,"dir":"note","data":"sse: /event closed: unexpected EOF"}
{"t_ms":10,"dir":"note","data":"sse: open GET /event"}
{"t_ms":11,"dir":"note","data":"sse: /event answered 401 "}
`,
			`2@2 note sse: open GET /event
1@1 start ["serve"] cwd=/w resume=false
3@3 out /event {"http":"stream","state":"open","path":"/event"}
5@5 out /event {"http":"stream","state":"lost","path":"/event","error":"unexpected EOF"}
6@6 in {"http":"call","n":1,"method":"GET","path":"/x"}
7@7 exit -1 "killed" asked=false error="" stderr=[]
8@8 note an answer after the end
9@9 note sse: /event closed: unexpected EOF
10@10 note sse: open GET /event
11@11 note sse: /event answered 401 
`,
		},
		{
			"several streams of one server",
			`{"t_ms":1,"dir":"sse","src":"/api/event","data":1}
{"t_ms":2,"dir":"note","data":"sse: open GET /event?directory=/a"}
{"t_ms":3,"dir":"sse","src":"/event?directory=/a","data":2}
{"t_ms":4,"dir":"sse","src":"/event?directory=/b","data":3}
{"t_ms":5,"dir":"sse","src":"/api/event","data":4}
{"t_ms":6,"dir":"sse","src":"/global/event","data":5}
{"t_ms":7,"dir":"sse","src":"/event?directory=/a","data":6}
{"t_ms":8,"dir":"note","data":"sse: /event?directory=/b closed: end of stream"}
{"t_ms":9,"dir":"note","data":"sse: /global/event closed: end of stream"}
{"t_ms":10,"dir":"sse","src":"/event?directory=/a","data":7}
`,
			`1@1 start [] cwd= resume=false
1@1 out /api/event 1
2@2 note sse: open GET /event?directory=/a
3@3 out /event?directory=/a 2
4@4 out /event?directory=/b 3
6@6 out /global/event 5
8@8 note sse: /event?directory=/b closed: end of stream
9@9 out /global/event {"http":"stream","state":"lost","path":"/global/event","error":"end of stream"}
10@10 out /event?directory=/a 7
10@10 exit 0 "" asked=true error="" stderr=[]
`,
		},
		{
			"bare lines",
			"{\"type\":\"agent_start\"}\n\nhello\u2028world\r\n{\"t_ms\":1,\"dir\":\"out\",\"data\":1}",
			"1@0 start [] cwd= resume=false\n1@0 out  {\"type\":\"agent_start\"}\n3@0 out  hello\u2028world\n" +
				"4@0 out  {\"t_ms\":1,\"dir\":\"out\",\"data\":1}\n4@0 exit 0 \"\" asked=true error=\"\" stderr=[]\n",
		},
		{
			"a start without an end", `{"t_ms":1,"dir":"note","data":"started:  (cwd )"}
{"t_ms":2,"dir":"out","data":1}
{"t_ms":3,"dir":"note","data":"started: pi (cwd )"}`,
			`1@1 start [] cwd= resume=false
2@2 out  1
3@3 exit -1 "" asked=false error="no end was recorded" stderr=[]
3@3 start [] cwd= resume=true
3@3 exit 0 "" asked=true error="" stderr=[]
`,
		},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tell(t, c.in)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// A line that cannot be read costs itself alone: a half record, one that was broken in two, one without an end.
func TestReadDamaged(t *testing.T) {
	const good = `{"t_ms":1,"dir":"out","data":1}` + "\n"
	long := strings.Repeat("x", recording.MaxLine+1)
	for _, c := range []struct {
		name, in, want string
	}{
		{"in the middle", good + `{"t_ms":2,"dir":"out"` + "\n" + good, "start out bad:2 out exit"},
		{"at the beginning", `{"t_ms":0,"dir":"no` + "\n" + `te","data":"x"}` + "\n" + good, "bad:1 bad:2 start out exit"},
		{"at the end", good + good[:20], "start out bad:2 exit"},
		{"a beginning and no more", good[:20], "start out exit"},
		{"noise before bare lines", "Welcome!\n" + `{"type":"agent_start"}`, "start out out exit"},
		{"noise without an end", strings.Repeat("?\n", 100), "start" + strings.Repeat(" out", 100) + " exit"},
		{"a giant", good + long + "\n" + good, "start out bad:2 out exit"},
		{"a giant among bare lines", `{"type":"x"}` + "\n" + long, "start out bad:2 exit"},
		{"a call that is none", good + `{"t_ms":1,"dir":"http","data":7}` + "\n" + good, "start out bad:2 out exit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for r, err := range recording.Read(strings.NewReader(c.in)) {
				var damaged *recording.Error
				if errors.As(err, &damaged) {
					got = append(got, fmt.Sprintf("bad:%d", damaged.Line))
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				kind := fmt.Sprintf("%T", r.Step)
				got = append(got, strings.ToLower(kind[strings.IndexByte(kind, '.')+1:]))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Whoever stops at an error hears no more.
func TestReadStops(t *testing.T) {
	_, err := tell(t, `{"t_ms":1,"dir":"out","data":1}`+"\n"+`{"t_ms":2,"dir":"out"`+"\n")
	var damaged *recording.Error
	if !errors.As(err, &damaged) || damaged.Line != 2 {
		t.Fatalf("got %v, want an Error for line 2", err)
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("I/O error")
	var last error
	steps := 0
	for _, err := range recording.Read(io.MultiReader(strings.NewReader(`{"t_ms":1,"dir":"out","data":1}`+"\n"), iotest.ErrReader(broken))) {
		if steps++; err != nil {
			last = err
		}
	}
	if !errors.Is(last, broken) || steps != 4 { // start, out, the error, exit
		t.Errorf("%d steps, %v", steps, last)
	}
}

// Times that nobody measured are brought into bounds.
func TestTimes(t *testing.T) {
	for in, want := range map[string]time.Duration{"-5": 0, "1.5": 1500 * time.Microsecond, "1e300": 100 * 365 * 24 * time.Hour} {
		for r, err := range recording.Read(strings.NewReader(`{"t_ms":` + in + `,"dir":"out","data":1}`)) {
			if err != nil || r.At != want {
				t.Errorf("%s: at %v, want %v, %v", in, r.At, want, err)
			}
		}
	}
}

// TestRecordings reads every recording beside this package: each tells of incarnations that begin and end in turn.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("../*/testdata/recordings/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		open := map[string]bool{}
		lines := 0
		for r, err := range recording.Read(f) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch r.Step.(type) {
			case recording.Start:
				if open[r.Conn] {
					t.Errorf("%s:%d: a second start", name, r.Line)
				}
				open[r.Conn] = true
			case recording.Exit:
				if !open[r.Conn] {
					t.Errorf("%s:%d: an end without a start", name, r.Line)
				}
				delete(open, r.Conn)
			case recording.Out, recording.In, recording.Stderr:
				if !open[r.Conn] {
					t.Errorf("%s:%d: a line outside of a connection", name, r.Line)
				}
				lines++
			case recording.Note:
			}
		}
		if len(open) > 0 || lines == 0 {
			t.Errorf("%s: %d lines, never ended: %v", name, lines, open)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
