package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var fed = flag.Int("fed", 10_000, "how many sessions a fed daemon makes in its second life, in the first it makes half of it")

const (
	keptBytes = 4 << 20
	// keptFor is longer than a session is kept for bytes, which is a minute, so that both rules are at work.
	keptFor = 80 * time.Second
	feeders = 8 // sessions at once
)

// TestFed feeds the built daemon with short sessions as fast as it takes them, and has it keep few. In its second life it has the same descriptors,
// goroutines, folders, bytes and memory after all of its sessions as after half of them, and it starts as fast behind all as behind the first life.
//
// Proves: I15.2/fed
func TestFed(t *testing.T) {
	needsProgram(t)
	if *fed == 0 {
		t.Skip("-fed 0")
	}
	data := filepath.Join(t.TempDir(), "data")
	flags := []string{"--keep-bytes", fmt.Sprint(keptBytes), "--keep-for", keptFor.String(), "--session-rate", "1000"}

	p := startDaemon(t, data, flags...)
	p.feed(*fed / 2)
	p.stop()
	p, first := restarted(t, data, flags)
	begin := time.Now()
	p.feed(*fed / 2)
	early := p.meal()
	p.feed(*fed / 2)
	late := p.meal()
	rate := float64(*fed) / time.Since(begin).Seconds()
	gone := p.metric(`ringmaster_retention_sessions_total{reason="age"}`) + p.metric(`ringmaster_retention_sessions_total{reason="bytes"}`)
	t.Logf("%.0f of %d sessions are gone; by age %.0f", gone, *fed, p.metric(`ringmaster_retention_sessions_total{reason="age"}`))
	t.Logf("after half %+v", early)
	t.Logf("after all  %+v", late)
	p.stop()
	p, second := restarted(t, data, flags)
	defer p.stop()
	if gone < float64(*fed)/4 {
		t.Errorf("only %.0f of %d sessions are gone: this proves nothing", gone, *fed)
	}

	n := float64(*fed)
	aside(t, "a fed daemon: sessions", n*1.5, "")
	aside(t, "a fed daemon: sessions made, prompted and ended in a second", rate, "")
	aside(t, "a fed daemon: RSS", late.rss/1024, "MB")
	aside(t, "a fed daemon: bytes on the disk", late.disk/1e6, "MB")
	aside(t, "a fed daemon: start behind it", second.Seconds(), "s")
	grows := func(name string, early, late, spare float64, unit string) {
		if grown := max(0, late-early); grown <= spare {
			atMost(t, name, grown, round(spare), unit)
		} else {
			t.Errorf("%s: %.3g %s, at most %.3g are no growth", name, grown, unit, spare)
		}
	}
	grows("a fed daemon, from half of its sessions to all: descriptors", early.files, late.files, 20, "")
	grows("a fed daemon, from half of its sessions to all: goroutines", early.goroutines, late.goroutines, 50, "")
	grows("a fed daemon, from half of its sessions to all: heap", early.heap/1024, late.heap/1024, 8, "MB")
	grows("a fed daemon, from half of its sessions to all: RSS", early.rss/1024, late.rss/1024, 16, "MB")
	grows("a fed daemon, from half of its sessions to all: folders", early.folders, late.folders, early.folders/4+50, "")
	grows("a fed daemon, from half of its sessions to all: disk", early.disk/1e6, late.disk/1e6, early.disk/4e6+1, "MB")
	grows("a fed daemon, from half of its sessions to all: files beside sessions", early.beside, late.beside, 10, "")
	atMost(t, "a fed daemon, from one life to the next: start", second.Seconds()/first.Seconds(), 2, "×")
}

// restarted is a daemon on a folder, and how long it took until it was ready.
func restarted(t *testing.T, data string, flags []string) (p *process, took time.Duration) {
	begin := time.Now()
	p = startDaemon(t, data, flags...)
	for p.text("/ready") == "" {
		if time.Since(begin) > time.Minute {
			t.Fatal("the daemon is not ready")
		}
	}
	return p, time.Since(begin)
}

// meal is what a daemon has after a number of sessions.
type meal struct {
	load
	goroutines, folders, beside, disk float64 // disk: bytes of the whole data folder; beside: its files that are of no session's folder
	largest                           string  // of the files beside sessions
}

// meal looks at a daemon that has nothing to do.
func (p *process) meal() (m meal) {
	p.t.Helper()
	m.load, m.goroutines = weigh(p), p.metric("go_goroutines")
	sessions := filepath.Join(p.data, "sessions")
	var most int64
	err := filepath.WalkDir(p.data, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // it goes just now
			return nil
		case err != nil:
			return err
		case e.IsDir() && filepath.Dir(path) == sessions:
			m.folders++
		case !e.IsDir():
			info, err := e.Info()
			if err != nil {
				return nil // likewise
			}
			m.disk += float64(info.Size())
			if strings.HasPrefix(path, sessions) {
				break
			}
			if m.beside++; info.Size() > most {
				most, m.largest = info.Size(), fmt.Sprintf("%s: %d bytes", e.Name(), info.Size())
			}
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// metric is a number that the daemon tells.
func (p *process) metric(name string) (v float64) {
	p.t.Helper()
	_, rest, _ := strings.Cut(p.text("/metrics"), "\n"+name+" ")
	if _, err := fmt.Sscan(rest, &v); err != nil {
		p.t.Fatalf("%s: %v", name, err)
	}
	return v
}

// feed makes so many sessions, each with one turn, and ends them, as fast as the daemon takes them.
func (p *process) feed(n int) {
	p.t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * feeders}}
	defer client.CloseIdleConnections()
	var next atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, feeders)
	for range feeders {
		all.Go(func() {
			for next.Add(1) <= int64(n) {
				if err := p.bite(client); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	if len(failed) > 0 {
		p.t.Fatal(<-failed)
	}
}

const shortTurn = "play\n```script\n[{\"say\": {\"text\": \"Done.\"}}]\n```"

// bite is one session.
func (p *process) bite(client *http.Client) error {
	var made struct{ ID, Stream string }
	err := p.call(client, http.MethodPost, "/sessions", map[string]string{"agent": "scripted", "cwd": p.root}, func(r io.Reader) error {
		return json.NewDecoder(r).Decode(&made)
	})
	if err == nil {
		err = p.call(client, http.MethodPost, "/sessions/"+made.ID+"/prompts", map[string]string{"text": shortTurn}, func(r io.Reader) error {
			return json.NewDecoder(r).Decode(&made)
		})
	}
	if err == nil {
		err = p.call(client, http.MethodGet, made.Stream, nil, func(r io.Reader) error {
			for lines := bufio.NewScanner(r); lines.Scan(); {
				if bytes.Contains(lines.Bytes(), []byte(`"type":"turn_end"`)) {
					return nil
				}
			}
			return errors.New("the stream has ended before the turn")
		})
	}
	if err == nil {
		err = p.call(client, http.MethodPost, "/sessions/"+made.ID+"/end", nil, func(io.Reader) error { return nil })
	}
	return err
}

// call asks the daemon, and has the answer read.
func (p *process) call(client *http.Client, method, path string, body any, read func(io.Reader) error) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, bytes.NewReader(b))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", p.auth)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	} else {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	res, err := client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		text, _ := io.ReadAll(res.Body)
		return fmt.Errorf("%s %s: %d: %s", method, path, res.StatusCode, text)
	}
	if err := read(res.Body); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if method == http.MethodGet {
		return nil // a stream: its connection ends
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}
