package bench

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// crowd is many readers of one process.
type crowd struct {
	t     *testing.T
	conns []net.Conn
	wg    sync.WaitGroup
	bytes atomic.Int64

	// Only what agents say between the two, Unix nanoseconds, counts as late or in time; 0: there is no such bound.
	from, until atomic.Int64

	mu   sync.Mutex
	late *hdrhistogram.Histogram // µs from the agent's word to the reader
}

// counts says that what was said at this time is looked at.
func (c *crowd) counts(at int64) bool {
	from, until := c.from.Load(), c.until.Load()
	return at >= from && (until == 0 || at < until)
}

func newCrowd(t *testing.T) *crowd {
	c := &crowd{t: t, late: hdrhistogram.New(1, 60_000_000, 3)}
	t.Cleanup(c.leave)
	return c
}

// open connects to a stream; it reads no further than the first bytes of the answer.
func (c *crowd) open(p *process, path string) net.Conn {
	c.t.Helper()
	return c.ask(p, "GET", path, "")
}

// openMerged connects to the merged stream that a body asks for.
func (c *crowd) openMerged(p *process, body string) net.Conn {
	c.t.Helper()
	return c.ask(p, "POST", "/stream", body)
}

func (c *crowd) ask(p *process, method, path, body string) net.Conn {
	c.t.Helper()
	host := strings.TrimPrefix(p.base, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		c.t.Fatal(err)
	}
	auth := ""
	if p.auth != "" {
		auth = "Authorization: " + p.auth + "\r\n"
	}
	if body != "" {
		auth += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	if _, err := fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n%s", method, path, host, auth, body); err != nil {
		c.t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err != nil { // it is joined
		c.t.Fatal(err)
	}
	c.conns = append(c.conns, conn)
	return conn
}

// follow reads a stream until so many stamped events have come, or one marked @END; timed notes how late they are.
func (c *crowd) follow(conn net.Conn, stamped int, timed bool) {
	c.wg.Go(func() {
		buf, keep, seen := make([]byte, 256<<10), 0, 0
		late := hdrhistogram.New(1, 60_000_000, 3)
		for {
			n, err := conn.Read(buf[keep:])
			now := time.Now().UnixNano()
			if err != nil {
				return
			}
			c.bytes.Add(int64(n))
			have := buf[:keep+n]
			if stamped == 0 && bytes.Contains(have, []byte("@END")) {
				return
			}
			if stamped > 0 {
				for {
					i := bytes.IndexByte(have, '@')
					if i < 0 || len(have) < i+20 {
						have = have[max(i, 0):]
						break
					}
					at, err := strconv.ParseInt(string(have[i+1:i+20]), 10, 64)
					if have = have[i+1:]; err != nil {
						continue
					}
					have = have[19:]
					if seen++; timed && c.counts(at) {
						_ = late.RecordValue(max(1, (now-at)/1000))
					}
				}
				if seen >= stamped {
					c.mu.Lock()
					c.late.Merge(late)
					c.mu.Unlock()
					return
				}
			}
			if i := bytes.LastIndexByte(have, '@'); i < 0 || len(have)-i > 32 {
				have = have[len(have):]
			} else {
				have = have[i:]
			}
			keep = copy(buf, have)
		}
	})
}

// wait waits for all who follow.
func (c *crowd) wait() { c.wg.Wait() }

// leave ends all connections.
func (c *crowd) leave() {
	for _, conn := range c.conns {
		conn.Close()
	}
	c.wg.Wait()
	c.conns = nil
}
