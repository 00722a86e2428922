package connection_test

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// BenchmarkLines is what a shared connection costs per line of 300 bytes, from the agent's output to a session's: two sessions,
// each of which gets every other line.
func BenchmarkLines(b *testing.B) {
	m := &machine{}
	pool := connection.New(connection.Config{Marker: "instance/connection"})
	done := make(chan int, 2)
	var lanes []adapters.Conn
	for _, name := range []string{"x", "y"} {
		c, err := pool.Open(b.Context(), hub{}, adapters.Spec{SessionID: name, Model: "one"}, m)
		if err != nil {
			b.Fatal(err)
		}
		lanes = append(lanes, c)
		go func() { // ends with the lane
			n := 0
			for lines := bufio.NewScanner(c.Output()); lines.Scan(); {
				n++
			}
			done <- n
		}()
	}
	text := strings.Repeat("d", 298)
	var block strings.Builder
	for range 64 {
		block.WriteString("x " + text + "\ny " + text + "\n")
	}
	b.ReportAllocs()
	b.SetBytes(300)
	for n := 0; n < b.N; n += 128 {
		if _, err := io.WriteString(m.started[0].out.w, block.String()); err != nil {
			b.Fatal(err)
		}
	}
	m.started[0].end(adapters.Exit{})
	if n := <-done + <-done; n < b.N {
		b.Errorf("%d lines came, want %d", n, b.N)
	}
	for _, c := range lanes {
		c.Wait()
	}
}
