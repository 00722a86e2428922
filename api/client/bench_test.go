package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// whole is a network that brings one stream, and then nothing.
type whole struct{ text string }

func (w whole) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := answer(http.StatusOK, "text/event-stream", "")
	resp.Body = &body{text: strings.NewReader(w.text), silent: true, ctx: r.Context()}
	return resp, nil
}

// BenchmarkMirror: events of 100 sessions over one stream, 200,000 in all.
func BenchmarkMirror(b *testing.B) {
	const sessions, each = 100, 2000
	var text strings.Builder
	for seq := uint64(1); seq <= each; seq++ {
		for n := range sessions {
			fmt.Fprintf(&text, "id: 0198c5a2-7d1e-7c3f-9a51-6f2b8d4e%04x/%s\ndata: %s\n\n", n, protocol.Cursor{Epoch: 1, Seq: seq}, event(seq))
		}
	}
	text.WriteString(complete)
	for name, o := range map[string]MirrorOptions{"lines": {}, "states": {States: true}, "files": {Cache: Files(nil)}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run := o
				if o.Cache != nil {
					folder, err := cache.Open(b.TempDir(), cache.Options{})
					if err != nil {
						b.Fatal(err)
					}
					defer folder.Close()
					run.Cache = Files(folder)
				}
				m := newClient("http://localhost", "the fake", "", whole{text.String()}, nil).Mirror(run)
				ctx, cancel := context.WithCancel(b.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					_ = m.Run(ctx)
				}()
				<-m.Synced()
				cancel()
				<-done
			}
			b.ReportMetric(sessions*each*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
