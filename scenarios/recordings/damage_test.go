package recordings

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Every test here feeds damaged recordings; read, called by convert, says what must hold of the logs all the same. What is
// tried is fixed by the recording's name and a number.

var soak = flag.Bool("soak", false, "damage every recording at every line, and many more times at random")

// samples is how many prefixes of a recording are tried without -soak: few with the race detector, as converting is one
// goroutine's work.
func samples() int {
	if raceEnabled {
		return 5
	}
	return 25
}

// cuts are the places behind each line of a recording, some of them without -soak.
func cuts(raw []byte) (at []int) {
	for i, c := range raw {
		if c == '\n' {
			at = append(at, i+1)
		}
	}
	if !*soak && len(at) > samples() {
		every := len(at)/samples() + 1
		kept := at[:0]
		for i := 0; i < len(at); i += every {
			kept = append(kept, at[i])
		}
		at = kept
	}
	return at
}

func random(name string, n uint64) *rand.Rand {
	seed := n
	for _, c := range []byte(name) {
		seed = seed*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(seed, n))
}

// runs is how many times each recording is damaged at random in each way.
func runs() uint64 {
	if *soak {
		return 60
	}
	if raceEnabled {
		return 1
	}
	return 3
}

// TestCutBehindAnyLine: the log of a prefix is the beginning of the log of the whole, as far as the recording's end does not
// close what is open.
// Proves: T25/agents
func TestCutBehindAnyLine(t *testing.T) {
	n := 0
	for _, f := range every(t) {
		t.Run(f.name, func(t *testing.T) {
			whole := f.convert(t, f.raw)
			for _, cut := range cuts(f.raw) {
				n++
				logs := f.convert(t, f.raw[:cut])
				for i, l := range logs {
					sameBeginning(t, cut, l, whole[i])
				}
			}
		})
	}
	t.Logf("%d cuts", n)
}

// sameBeginning compares a log with that of the whole recording, without session ids, which are those of the input. Where they
// part, all that the cut one still says is an end, and what the translator had held back until it knew more.
func sameBeginning(t *testing.T, cut int, l, whole *log) {
	t.Helper()
	parted := false
	late := map[string]bool{} // entries that were held back
	for i := range l.events {
		e := &l.events[i]
		if i == 0 || !parted && i < len(whole.events) && bytes.Equal(nameless(e), nameless(&whole.events[i])) {
			continue
		}
		parted = true
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			late[p.EntryID] = true
		case *protocol.EntryEnd:
			if !p.Incomplete && !late[p.EntryID] {
				t.Fatalf("cut at %d: seq %d ends an entry as if it were whole", cut, e.Seq)
			}
		case *protocol.TurnEnd, *protocol.RequestResolved, *protocol.PromptRemoved, *protocol.Status, *protocol.SessionEnd:
		default:
			t.Fatalf("cut at %d: seq %d is a %s that the whole recording has not", cut, e.Seq, e.Payload.Type())
		}
	}
}

// nameless is an event without the ids of sessions.
func nameless(e *protocol.Event) []byte {
	switch p := e.Payload.(type) {
	case *protocol.ChildSession:
		child := *p
		child.ChildSessionID = ""
		return protocol.Append(nil, &protocol.Event{Seq: e.Seq, Time: e.Time, Payload: &child})
	case *protocol.RequestOpened:
		if p.SessionID == "" {
			break
		}
		asked := *p
		asked.RequestID, asked.SessionID = "", ""
		return protocol.Append(nil, &protocol.Event{Seq: e.Seq, Time: e.Time, Payload: &asked})
	case *protocol.RequestResolved:
		id, _, _ := strings.Cut(p.RequestID, "@")
		resolved := *p
		resolved.RequestID = id
		return protocol.Append(nil, &protocol.Event{Seq: e.Seq, Time: e.Time, Payload: &resolved})
	}
	return protocol.Append(nil, e)
}

func TestCutAtAnyByte(t *testing.T) {
	for _, f := range every(t) {
		t.Run(f.name, func(t *testing.T) {
			rnd := random(f.name, 1)
			for range 4 * runs() {
				f.convert(t, f.raw[:rnd.IntN(len(f.raw))])
			}
			beginning := f.raw[:bytes.IndexByte(f.raw, '\n')]
			for range runs() { // not even one line
				f.convert(t, beginning[:rnd.IntN(len(beginning))])
			}
		})
	}
}

// TestSplitAnywhere: newlines come in at random, also into the middle of a character.
func TestSplitAnywhere(t *testing.T) {
	everywhere(t, func(rnd *rand.Rand, raw []byte) []byte {
		for range 1 + rnd.IntN(4) {
			raw = slices.Insert(raw, rnd.IntN(len(raw)), '\n')
		}
		return raw
	})
}

// TestBytesChangedAnywhere: bytes turn into others, also into such as are no text.
func TestBytesChangedAnywhere(t *testing.T) {
	everywhere(t, func(rnd *rand.Rand, raw []byte) []byte {
		for range 1 + rnd.IntN(20) {
			raw[rnd.IntN(len(raw))] = byte(rnd.IntN(256))
		}
		return raw
	})
}

// TestLinesLostDoubledMoved: stretches of the agent's lines go missing, come twice, or change places.
func TestLinesLostDoubledMoved(t *testing.T) {
	everywhere(t, func(rnd *rand.Rand, raw []byte) []byte {
		lines := bytes.SplitAfter(raw, []byte("\n"))
		at := rnd.IntN(len(lines))
		part := slices.Clone(lines[at:min(len(lines), at+1+rnd.IntN(15))])
		isOut := func(line []byte) bool { return bytes.Contains(line, []byte(`"dir":"out"`)) }
		switch rnd.IntN(3) {
		case 0:
			lines = slices.Delete(lines, at, at+len(part))
			lines = slices.Insert(lines, at, slices.DeleteFunc(part, isOut)...) // only what the agent said is lost
		case 1:
			lines = slices.Insert(lines, at, part...)
		default:
			lines = slices.Delete(lines, at, at+len(part))
			lines = slices.Insert(lines, rnd.IntN(len(lines)+1), part...)
		}
		return bytes.Join(lines, nil)
	})
}

// strangers are lines that no version of the agent says, or nobody at all.
var strangers = []string{
	`{"t_ms":700,"dir":"out","data":{"type":"moon_phase","phase":{"name":"waxing","days":[3.50,null]}}}`,
	`{"t_ms":1,"dir":"out","data":{"type":"message_update"}}`,
	`{"t_ms":99999999999999999999,"dir":"out","data":{"type":"tool_execution_end"}}`,
	`{"t_ms":-5,"dir":"out","data":"no JSON \u0000 \ud800"}`,
	`{"t_ms":900,"dir":"out","data":[1,2,3]}`,
	`{"t_ms":900,"dir":"out","data":null}`,
	`{"t_ms":900,"dir":"in","data":"{"}`,
	`{"t_ms":900,"dir":"sideways","data":{}}`,
	`{"t_ms":900,"dir":"note","data":"process ended: exit status 0"}`,
	`{"t_ms":900,"dir":"note","data":"started: pi --mode rpc (cwd /workspace)"}`,
	`{"t_ms":900,"dir":"out","data":{"type":"response","command":"new_session","success":true}}`,
	`{"t_ms":900,"dir":"out","data":{"type":"response","command":"switch_session","success":true,"data":{"cancelled":false}}}`,
	`{"t_ms":900,"dir":"out","data":{"type":"agent_start"}}`,
	`{"t_ms":900,"dir":"out","data":{"type":"agent_settled"}}`,
	`{"t_ms":900,"dir":"out","data":{"method":"turn/completed","params":{"threadId":"x","turn":{"id":"y","status":"completed"}}}}`,
	`{"t_ms":900,"dir":"out","data":{"method":"thread/started","params":{"thread":{"id":"another"}}}}`,
	`{"t_ms":900,"dir":"out","data":{"id":0,"method":"item/commandExecution/requestApproval","params":{"threadId":"x","itemId":"z"}}}`,
	`{"t_ms":900,"dir":"out","data":{"type":"system","subtype":"init","session_id":"another"}}`,
	`{"t_ms":900,"dir":"out","data":{"type":"assistant","parent_tool_use_id":"toolu_unknown","message":{"role":"assistant","content":[]}}}`,
	`{"t_ms":900,"dir":"out","data":{"type":"result","subtype":"success"}}`,
	`{"t_ms":900,"dir":"sse","src":"/event","data":{"type":"session.idle","properties":{"sessionID":"ses_unknown"}}}`,
	`{"t_ms":900,"dir":"sse","src":"/event","data":{"type":"server.connected","properties":{}}}`,
	`{"t_ms":900,"dir":"http","data":{"n":1,"phase":"response","status":500}}`,
	`{"t_ms":900,"dir":"meta","data":{"event":"spawn","argv":["x"]}}`,
	`{"t_ms":900,"dir":"meta","data":{"event":"exit","status":"exit 0"}}`,
	`no record`,
	`{"type":"agent_end"}`,
}

func TestStrangersAnywhere(t *testing.T) {
	everywhere(t, func(rnd *rand.Rand, raw []byte) []byte {
		lines := bytes.SplitAfter(raw, []byte("\n"))
		for range 1 + rnd.IntN(6) {
			lines = slices.Insert(lines, rnd.IntN(len(lines)+1), []byte(strangers[rnd.IntN(len(strangers))]+"\n"))
		}
		return bytes.Join(lines, nil)
	})
}

// everywhere damages every recording several times, and cuts some of what comes out as well.
func everywhere(t *testing.T, damage func(rnd *rand.Rand, raw []byte) []byte) {
	t.Helper()
	for _, f := range every(t) {
		t.Run(f.name, func(t *testing.T) {
			for n := range runs() {
				rnd := random(f.name, n)
				bad := damage(rnd, bytes.Clone(f.raw))
				if n%3 == 2 {
					bad = bad[:rnd.IntN(len(bad))]
				}
				f.convert(t, bad)
			}
		})
	}
}
