package cored

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// try sends a prompt, and gives the status and the code of a problem; 0: no answer came.
func (w *world) try(id, text, key string) (status int, code protocol.Code) {
	body := fmt.Sprintf(`{"text":%q}`, text+"\n```script\n[{\"say\":{\"text\":\"yes\"}}]\n```")
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://"+w.address+"/sessions/"+id+"/prompts", strings.NewReader(body))
	if err != nil {
		return 0, ""
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	var p protocol.Problem
	if json.NewDecoder(answer.Body).Decode(&p) != nil {
		return 0, ""
	}
	return answer.StatusCode, p.Code
}

// TestPromptsAtTheWrongNodeAreTakenOnce: prompts come to a node that does not have the session, while that one and the session's are killed. With a key each is
// taken once, however often it had to be sent; without one what was answered is true: taken once, not taken, or nobody knows.
//
// Proves: I16.7/once
func TestPromptsAtTheWrongNodeAreTakenOnce(t *testing.T) {
	w := begin(t, peersFlags...)
	w.create()
	other := w.neighbour()
	id := w.ids[0]
	other.knows(id)
	prompts, kills := 60, 5
	if os.Getenv("RINGMASTER_CORE") == "full" {
		prompts, kills = 600, 40
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sent := make(chan int, prompts)
	told := map[string][]string{}
	var writers sync.WaitGroup
	writers.Go(func() {
		defer close(sent)
		again := time.NewTicker(20 * time.Millisecond)
		defer again.Stop()
		for n := range prompts {
			text, key := fmt.Sprintf("prompt %d.", n), ""
			if n%2 == 0 {
				key = fmt.Sprintf("key %d", n)
			}
			for ctx.Err() == nil {
				status, code := other.try(id, text, key)
				told[text] = append(told[text], fmt.Sprint(status, " ", code))
				if status == http.StatusAccepted || key == "" && status != http.StatusServiceUnavailable {
					break // without a key nothing is sent again but what was certainly not taken
				}
				<-again.C
			}
			sent <- n
		}
	})
	done := 0
	for k := range kills {
		for next := (k + 1) * prompts / (kills + 1); done < next; done++ {
			<-sent
		}
		victim := w
		if k%3 == 2 {
			victim = other
		}
		victim.daemon.Kill()
		victim.start()
	}
	writers.Wait()
	w.rest()
	_, log := w.fetch("/sessions/" + id + "/log")
	doubts := 0
	for text, answers := range told {
		last := answers[len(answers)-1]
		n := 0
		for line := range strings.Lines(string(log)) {
			if strings.Contains(line, `"type":"prompt_queued"`) && strings.Contains(line, `"text":"`+text) {
				n++
			}
		}
		switch {
		case last == "202 " && n == 1:
		case (last == "409 uncertain" || last == "0 ") && n <= 1: // nobody knows, or no answer came
			doubts++
		default:
			t.Errorf("%s was taken %d times, and its sender was told %v", text, n, answers)
		}
	}
	t.Logf("%d prompts, %d kills, %d of which nobody knows, the most tries: %d", prompts, kills, doubts, most(told))
}

func most(told map[string][]string) (n int) {
	for _, answers := range told {
		n = max(n, len(answers))
	}
	return n
}

// arrival is a line of a stream, and when it came.
type arrival struct {
	line string
	at   time.Time
}

// TestFarIsAlmostAsNear measures how long a change, and its event on a stream, take at the session's node and through another one, in one run.
//
// Proves: I16.7/latency
func TestFarIsAlmostAsNear(t *testing.T) {
	w := begin(t, peersFlags...)
	w.create()
	other := w.neighbour()
	id := w.ids[0]
	other.knows(id)
	arrived := map[*world]chan arrival{}
	ctx, cancel := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	for _, at := range []*world{w, other} {
		answer, err := at.get(ctx, "/sessions/"+id+"/stream?since=0")
		if err != nil {
			t.Fatal(err)
		}
		if source := answer.Header.Get("X-Session-Source"); source != "" {
			t.Fatalf("the stream comes from %s", source)
		}
		came := make(chan arrival, 1024)
		arrived[at] = came
		readers.Go(func() {
			defer answer.Body.Close()
			frames := protocol.NewSSEReader(answer.Body, 1<<20)
			for {
				frame, err := frames.Next()
				if err != nil {
					return
				}
				if bytes.Contains(frame.Data, []byte(`"title"`)) {
					came <- arrival{string(frame.Data), time.Now()}
				}
			}
		})
	}
	rounds := 400
	calls, streams := map[*world][]time.Duration{}, map[*world][]time.Duration{}
	for n := range rounds {
		at := []*world{w, other}[n%2] // where the change is made; both are followed
		begin := time.Now()
		if status, _, text := at.ask("PATCH", "/sessions/"+id, fmt.Sprintf(`{"title":"%d"}`, n)); status != http.StatusOK {
			t.Fatal(text)
		}
		calls[at] = append(calls[at], time.Since(begin))
	}
	for n := range rounds { // both follow the same events
		title, begin := fmt.Sprintf(`"title":"again %d"`, n), time.Now()
		w.ask("PATCH", "/sessions/"+id, "{"+title+"}")
		for _, at := range []*world{w, other} {
			came := <-arrived[at]
			for !strings.Contains(came.line, title) {
				came = <-arrived[at]
			}
			streams[at] = append(streams[at], came.at.Sub(begin))
		}
	}
	p50 := func(of map[*world][]time.Duration, at *world) time.Duration {
		slices.Sort(of[at])
		return of[at][len(of[at])/2]
	}
	near, far, nearStream, farStream := p50(calls, w), p50(calls, other), p50(streams, w), p50(streams, other)
	t.Logf("a change: %v here, %v through another node; its event on a stream: %v and %v (%.2f)", near, far, nearStream, farStream, float64(farStream)/float64(nearStream))
	if isFar(near, far, 2) && far-near > 500*time.Microsecond || isFar(nearStream, farStream, 1.3) { // an idle machine needs 0.5 ms more for a change, and 1.08 times for an event
		t.Error("another node is far away")
	}
}

// isFar says that what goes through another node takes longer than so many times what it takes without. A machine on which other tests run shows no more than
// whether it is another order of magnitude.
func isFar(near, far time.Duration, times float64) bool {
	rest := time.Duration(0)
	if os.Getenv("RINGMASTER_CORE") != "full" {
		times, rest = 10, 100*time.Millisecond
	}
	return float64(far) > times*float64(near)+float64(rest)
}
