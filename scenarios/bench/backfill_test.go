package bench

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// plain takes answers as they are.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// fetch reads an answer to its end, and gives its size and how long that took.
func (p *process) fetch(path string, to io.Writer) (int64, time.Duration) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), "GET", p.base+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", p.auth)
	begin := time.Now()
	res, err := plain.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	n, err := io.Copy(to, res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: %d after %d bytes, %v", path, res.StatusCode, n, err)
	}
	return n, time.Since(begin)
}

func speed(n int64, took time.Duration) float64 { return float64(n) / 1e6 / took.Seconds() }

// replay reads a stream from the start up to its newest event.
func (p *process) replay(session, newest string) float64 {
	c := newCrowd(p.t)
	defer c.leave()
	begin := time.Now()
	conn := c.open(p, session+"/stream")
	mark := []byte("\nid: " + newest + "\n")
	buf, keep, sum := make([]byte, 256<<10), 0, int64(0)
	for {
		n, err := conn.Read(buf[keep:])
		if err != nil {
			p.t.Fatal(err)
		}
		sum += int64(n)
		if have := buf[:keep+n]; bytes.Contains(have, mark) {
			return speed(sum, time.Since(begin))
		} else {
			keep = copy(buf, have[max(0, len(have)-len(mark)):])
		}
	}
}

// TestBackfill reads a long log whole, as a patch and as a stream, beside a file of the same bytes through net/http.
func TestBackfill(t *testing.T) {
	needsProgram(t)
	p, reference := startDaemon(t, "", "--durability", "os"), startReference(t, 0)
	session := p.create()
	p.prompt(session, "flood 400000")
	p.idle(session)
	newest := strings.TrimPrefix(p.newest(session), "?since=")
	half := fmt.Sprint(200_000)
	save := func(name, path string) string {
		f, err := os.Create(filepath.Join(p.root, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n, _ := p.fetch(path, f)
		t.Logf("%s has %d MB", path[len(session):], n/1e6)
		return "/file?path=" + url.QueryEscape(f.Name())
	}
	whole, part := save("whole", session+"/log"), save("part", session+"/log?since="+half)
	m := medians(t, []string{"file", "log", "patch", "stream", "stream MB/s"}, func() []float64 {
		file := speed(reference.fetch(whole, io.Discard))
		log := speed(p.fetch(session+"/log", io.Discard))
		filePart := speed(reference.fetch(part, io.Discard))
		patch := speed(p.fetch(session+"/log?since="+half, io.Discard))
		stream := p.replay(session, newest)
		return []float64{file, log / file, patch / filePart, stream / file, stream}
	})
	aside(t, "backfill: a file through net/http", m["file"], "MB/s")
	atLeast(t, "backfill: /log", m["log"], 0.8, "× file")
	atLeast(t, "backfill: /log?since=", m["patch"], 0.8, "× file")
	atLeast(t, "backfill: /stream", m["stream"], 0.5, "× file")
	aside(t, "backfill: /stream", m["stream MB/s"], "MB/s")

	short := p.create()
	p.prompt(short, "flood 1000")
	p.idle(short)
	cost := func(session string, since uint64) float64 {
		var took []float64
		for range 100 {
			_, d := p.fetch(fmt.Sprintf("%s/log?since=%d", session, since), io.Discard)
			took = append(took, d.Seconds())
		}
		slices.Sort(took)
		return took[len(took)/2]
	}
	q := medians(t, []string{"since"}, func() []float64 {
		var late struct{ Seq uint64 }
		p.do("GET", session, nil, &late)
		var early struct{ Seq uint64 }
		p.do("GET", short, nil, &early)
		return []float64{cost(session, late.Seq-100) / cost(short, early.Seq-100)}
	})
	atMost(t, "the newest 100 events: a log of 400,000 to one of 1,000", q["since"], 1.2, "×")
}
