package api

import (
	"bufio"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/clock"
)

// TestClockIsSet: however the clock is set, streams show that they live, neither earlier nor later, and an MCP session that nobody
// uses ends after its time (P12).
func TestClockIsSet(t *testing.T) {
	c := clock.New(3)
	bubble(t, func(t *testing.T, h *harness, _ *pipeListener) {
		const every = 15 * time.Second
		id := h.create("busy")
		st := h.stream(id, "")
		st.untilSeq(seqOf(h, id))
		years := map[int]bool{}
		for n := range 1000 {
			before := time.Now()
			beat, ok := st.next().(*protocol.Heartbeat)
			if took := time.Since(before); !ok || took != every {
				t.Fatalf("heartbeat %d of /stream: %+v after %v", n, beat, took)
			}
			years[time.UnixMilli(beat.Ts).Year()] = true
		}
		st.close()
		if len(years) < 10 {
			t.Errorf("the years are %v", years)
		}

		both := "application/json, text/event-stream"
		hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
		client := h.want(http.StatusOK, "POST", "/mcp", hello, "Accept", both).Header.Get("Mcp-Session-Id")
		h.want(http.StatusAccepted, "POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Accept", both, "Mcp-Session-Id", client)
		res, err := h.http.Do(h.request("GET", "/mcp", "", "Accept", "text/event-stream", "Mcp-Session-Id", client))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(res.Body)
		var last time.Time
		for n := 0; n < 1000; {
			if !lines.Scan() {
				t.Fatalf("heartbeat %d of /mcp: %v", n, lines.Err())
			}
			if lines.Text() != ": heartbeat" {
				continue
			}
			if took := time.Since(last); n > 0 && took != every {
				t.Fatalf("heartbeat %d of /mcp after %v", n, took)
			}
			n, last = n+1, time.Now()
		}
		if err := res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		ping := func() int {
			return h.do("POST", "/mcp", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Accept", both, "Mcp-Session-Id", client).StatusCode
		}
		time.Sleep(59 * time.Minute) // virtual
		synctest.Wait()
		if got := ping(); got != http.StatusOK {
			t.Errorf("before its time: %d", got)
		}
		time.Sleep(70 * time.Minute) // virtual; it is looked for every 7.5 minutes
		synctest.Wait()
		if got := ping(); got != http.StatusNotFound {
			t.Errorf("after its time: %d", got)
		}
	}, func(cfg *Config) { cfg.Now = c.Now })
}
