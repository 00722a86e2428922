// Package latency measures how long an agent's line takes to the socket of a reader: pipe, framer, translator, window,
// session, journal, ring, HTTP. The agents are pipes of the test, which say Pi's lines at a given pace; everything behind
// the pipe is the product.
package latency

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/api"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

const (
	sessions = 100
	perSec   = 20 // events per second and session
)

// wire is an agent that is nothing but its pipes.
type wire struct {
	out, say *os.File
	in       io.WriteCloser
	once     sync.Once
}

func (w *wire) Output() io.Reader                 { return w.out }
func (w *wire) Input() io.WriteCloser             { return w.in }
func (w *wire) Process() (adapters.Process, bool) { return adapters.Process{}, false }
func (w *wire) Wait() adapters.Exit               { return adapters.Exit{Requested: true} }
func (*wire) EndOrphans(_, _ time.Time)           {}

func (w *wire) Stop(time.Duration) { w.once.Do(func() { w.say.Close() }) }

type deaf struct{}

func (deaf) Write(b []byte) (int, error) { return len(b), nil }
func (deaf) Close() error                { return nil }

// wires starts agents that are pipes.
type wires struct{ made chan *wire }

func (t wires) Start(context.Context, adapters.Launch) (adapters.Conn, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &wire{out: r, say: w, in: deaf{}}
	t.made <- c
	return c, nil
}

// found is Pi, without looking for a program.
type found struct{ pi.Agent }

func (found) Find(context.Context) adapters.Installation {
	return adapters.Installation{Program: "pi", Version: "1.5.2", Tested: true}
}

const (
	prologue = `{"type":"response","command":"get_state","success":true,"data":{"sessionId":"s"}}
{"type":"agent_start"}
{"type":"message_start","message":{"role":"assistant","content":[],"stopReason":"pending","timestamp":1}}
{"type":"message_update","assistantMessageEvent":{"type":"text_start","contentIndex":0}}
`
	delta = `{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"@%d some words of an answer, as long as a model's pieces are"}}` + "\n"
)

// BenchmarkLineToSocket paces 100 agents at 20 lines per second each and reads every session over SSE, with and without keeping the
// native lines. The reference is the least that this can cost: the same lines, read from the same pipes and flushed to the same
// kind of socket.
func BenchmarkLineToSocket(b *testing.B) {
	b.Run("bare", func(b *testing.B) {
		type agent struct{ r, w *os.File }
		agents := make([]agent, sessions)
		for i := range agents {
			var err error
			if agents[i].r, agents[i].w, err = os.Pipe(); err != nil {
				b.Fatal(err)
			}
		}
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			i, err := strconv.Atoi(r.URL.Path[1:])
			if err != nil {
				b.Error(err)
				return
			}
			control := http.NewResponseController(w)
			lines := bufio.NewReader(agents[i].r)
			_ = control.Flush()
			for {
				line, err := lines.ReadSlice('\n')
				if err != nil {
					return
				}
				if _, err := fmt.Fprintf(w, "data: %s\n", line); err != nil || control.Flush() != nil {
					return
				}
			}
		}))
		defer srv.Close()
		run(b, func(i int) (*os.File, string) { return agents[i].w, fmt.Sprintf("%s/%d", srv.URL, i) }, nil)
		for _, a := range agents {
			a.w.Close()
		}
	})
	b.Run("daemon", func(b *testing.B) { daemon(b, 0) })
	b.Run("daemon without archive", func(b *testing.B) { daemon(b, -1) })
}

// daemon measures the product, with a raw archive of this size.
func daemon(b *testing.B, archive int64) {
	dir := b.TempDir()
	made := wires{make(chan *wire, sessions)}
	sup, err := supervisor.Start(b.Context(), supervisor.Config{
		Data: dir + "/data", Roots: []string{dir}, Agents: []adapters.Agent{found{}}, Transport: made, RawLimit: archive,
	})
	if err != nil {
		b.Fatal(err)
	}
	a, err := api.New(api.Config{Supervisor: sup, Token: "t"})
	if err != nil {
		b.Fatal(err)
	}
	srv := httptest.NewServer(a.Handler())
	defer srv.Close()
	header := http.Header{"Authorization": {"Bearer t"}}
	run(b, func(int) (*os.File, string) {
		s, err := sup.Create(b.Context(), supervisor.NewSession{Agent: "pi", Cwd: dir})
		if err != nil {
			b.Fatal(err)
		}
		w := <-made.made
		if _, err := w.say.WriteString(prologue); err != nil {
			b.Fatal(err)
		}
		ref, err := sup.Find(b.Context(), s.ID)
		if err == nil {
			_, err = ask.Ask(b.Context(), ref, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
		}
		if err != nil {
			b.Fatal(err)
		}
		return w.say, srv.URL + "/sessions/" + s.ID + "/stream"
	}, header)
	if err := sup.Close(context.WithoutCancel(b.Context())); err != nil {
		b.Fatal(err)
	}
}

// run says b.N lines in each session, each with the time in it, and reads how late they come.
func run(b *testing.B, open func(i int) (*os.File, string), header http.Header) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var readers, writers sync.WaitGroup
	var mu sync.Mutex
	var late []time.Duration
	start := make(chan struct{})
	var ready sync.WaitGroup
	n := b.N
	for i := range sessions {
		say, url := open(i)
		ready.Add(1)
		readers.Go(func() {
			got, err := read(ctx, url, header, n, ready.Done)
			if err != nil {
				b.Error(err)
			}
			mu.Lock()
			late = append(late, got...)
			mu.Unlock()
		})
		writers.Go(func() {
			<-start
			<-time.After(time.Duration(i) * time.Second / perSec / sessions) // agents do not speak in step
			pace := time.NewTicker(time.Second / perSec)
			defer pace.Stop()
			for range n {
				<-pace.C
				if _, err := fmt.Fprintf(say, delta, time.Now().UnixNano()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	ready.Wait()
	b.ResetTimer()
	close(start)
	writers.Wait()
	readers.Wait()
	b.StopTimer()
	slices.Sort(late)
	if len(late) == 0 {
		return
	}
	b.ReportMetric(float64(late[len(late)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(late[len(late)*99/100].Microseconds()), "p99-µs")
}

// read takes n stamped lines of a stream.
func read(ctx context.Context, url string, header http.Header, n int, connected func()) ([]time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		connected()
		return nil, err
	}
	req.Header = header
	resp, err := http.DefaultClient.Do(req)
	connected()
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	late := make([]time.Duration, 0, n)
	lines := bufio.NewReader(resp.Body)
	for len(late) < n {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return nil, fmt.Errorf("after %d of %d: %w", len(late), n, err)
		}
		_, rest, ok := bytes.Cut(line, []byte("@"))
		if !ok {
			continue
		}
		stamp, _, _ := bytes.Cut(rest, []byte(" "))
		at, err := strconv.ParseInt(string(stamp), 10, 64)
		if err != nil {
			return nil, err
		}
		late = append(late, time.Duration(time.Now().UnixNano()-at))
	}
	return late, nil
}
