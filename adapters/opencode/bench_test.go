package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
)

const benchSession = "ses_e08c92230ffeZX014SOAmuEz0N"

// frame is an event as /global/event has it.
func frame(event string) []byte {
	return []byte(`{"directory":"/workspace","project":"930a1b5ebf47c84cd0e0fc4de2ecbd009be6f373","payload":` + event + `}`)
}

func benchEvent(kind, properties string) []byte {
	return frame(`{"id":"evt_1f736f11c001UbLw7tZXHJXd4E","type":"` + kind + `","properties":` + properties + `}`)
}

// stage is a splitter with a session whose message streams.
type stage struct {
	splitter adapters.Splitter
	tr       adapters.Translator
	split    adapters.Split
	out      adapters.Output
	n        int
}

func newStage() *stage {
	spec := adapters.Spec{NativeSessionID: benchSession}
	s := &stage{splitter: opencode.Agent{}.Splitter(spec), tr: opencode.Agent{}.Translator(spec)}
	s.splitter.Join(spec, &s.split)
	s.tr.Start(&s.out)
	return s
}

func (s *stage) line(line []byte) {
	s.split.Parts, s.split.Lines = s.split.Parts[:0], s.split.Lines[:0]
	s.splitter.Line(line, &s.split)
	for _, p := range s.split.Parts {
		s.out.Drafts, s.out.Lines = s.out.Drafts[:0], s.out.Lines[:0]
		s.tr.Line(p.Line, &s.out)
	}
}

// message begins a message with a part.
func (s *stage) message(part string) (message, id string) {
	s.n++
	message, id = fmt.Sprintf("msg_%d", s.n), fmt.Sprintf("prt_%d", s.n)
	s.line(benchEvent("session.status", `{"sessionID":"`+benchSession+`","status":{"type":"idle"}}`))
	s.line(benchEvent("message.updated", `{"sessionID":"`+benchSession+`","info":{"id":"`+message+`","role":"assistant","sessionID":"`+benchSession+`","time":{"created":1}}}`))
	s.line(benchEvent("message.part.updated", `{"sessionID":"`+benchSession+`","part":{"id":"`+id+`","messageID":"`+message+`","sessionID":"`+benchSession+`",`+part+`}}`))
	return message, id
}

func (s *stage) end(message string) {
	s.line(benchEvent("message.updated", `{"sessionID":"`+benchSession+`","info":{"id":"`+message+`","role":"assistant","sessionID":"`+benchSession+`","time":{"created":1,"completed":2},"finish":"stop"}}`))
}

// BenchmarkDelta is one streamed delta through splitter and translator, the line that nearly everything of a busy session is.
func BenchmarkDelta(b *testing.B) {
	s := newStage()
	var line []byte
	message := ""
	run(b, func(n int) {
		if n%1000 == 0 { // before the limit of one text is reached
			if message != "" {
				s.end(message)
			}
			var id string
			message, id = s.message(`"type":"text","text":"","time":{"start":1}`)
			line = benchEvent("message.part.delta", `{"sessionID":"`+benchSession+`","messageID":"`+message+`","partID":"`+id+`","field":"text","delta":"I will look.\n"}`)
		}
		s.line(line)
	})
}

// BenchmarkRepeatedDelta is a delta of 1.1, with a text of so many deltas beside it. The cost grows with the length of the
// line, and hardly.
func BenchmarkRepeatedDelta(b *testing.B) {
	for _, words := range []int{100, 400, 1600} {
		b.Run(fmt.Sprint(words), func(b *testing.B) {
			s := newStage()
			var line []byte
			message := ""
			run(b, func(n int) {
				if n%1000 == 0 {
					if message != "" {
						s.end(message)
					}
					var id string
					message, id = s.message(`"type":"text","text":"I will look.","time":{"start":1}`)
					line = benchEvent("message.part.updated", `{"part":{"id":"`+id+`","sessionID":"`+benchSession+`","messageID":"`+message+
						`","type":"text","text":"`+strings.Repeat("I will look.", words)+`","time":{"start":1}},"delta":"I will look."}`)
				}
				s.line(line)
			})
		})
	}
}

// BenchmarkOutput is a line of a tool's output, with so many before it. OpenCode repeats them all, so the cost of a line grows
// with its length; that of a byte must not.
func BenchmarkOutput(b *testing.B) {
	for _, lines := range []int{100, 400, 1600} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			s := newStage()
			message, id := s.message(`"type":"tool","tool":"bash","callID":"c","state":{"status":"running","input":{"command":"x"},"time":{"start":1}}`)
			var repeated [2][]byte
			for i := range repeated {
				repeated[i] = benchEvent("message.part.updated", `{"part":{"id":"`+id+`","sessionID":"`+benchSession+`","messageID":"`+message+
					`","type":"tool","tool":"bash","callID":"c","state":{"status":"running","input":{"command":"x"},"time":{"start":1},"metadata":{"output":"`+
					strings.Repeat("0123456789\\n", lines+i)+`"}}}}`)
			}
			b.SetBytes(int64(len(repeated[0])))
			run(b, func(n int) { s.line(repeated[n%2]) })
		})
	}
}

func run(b *testing.B, one func(n int)) {
	b.Helper()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		one(n)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}
