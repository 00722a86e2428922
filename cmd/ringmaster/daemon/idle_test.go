package daemon

import (
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
)

// TestIdle: a daemon is idle once there has been nothing to do for long enough; work puts that off, and another time takes effect at once.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var since atomic.Pointer[time.Time]
		set := func(at time.Time) { since.Store(&at) }
		set(time.Now())
		get := func() time.Time { return *since.Load() }
		i := newIdle()
		defer i.stop()
		is := func() bool {
			synctest.Wait()
			select {
			case <-i.ended:
				return true
			default:
				return false
			}
		}
		i.watch(15*time.Minute, get)
		time.Sleep(14 * time.Minute)
		set(time.Time{}) // at work
		time.Sleep(time.Hour)
		if is() {
			t.Error("idle at work")
		}
		set(time.Now())
		time.Sleep(14 * time.Minute)
		if is() {
			t.Error("idle too early")
		}
		i.watch(time.Hour, get)
		time.Sleep(40 * time.Minute)
		if is() {
			t.Error("the old time counts")
		}
		i.watch(0, get)
		time.Sleep(24 * time.Hour)
		if is() {
			t.Error("idle, and it was to stay")
		}
		i.watch(time.Hour, get)
		time.Sleep(10 * time.Minute)
		if !is() {
			t.Error("never idle")
		}
		i.watch(time.Hour, get) // once is enough
		time.Sleep(10 * time.Hour)
	})
}

// TestIdleDaemon: who asks is somebody; /health is asked by machines.
func TestIdleDaemon(t *testing.T) {
	cfg := config(t)
	cfg.IdleExit = 5 * time.Second // longer than a busy machine takes to ask
	cfg.Socket = cfg.Folder.Socket()
	d := start(t, cfg)
	before := d.quiet()
	if res, err := http.Get(d.Address().HTTP + "/health"); err != nil || res.Body.Close() != nil {
		t.Fatal(err)
	}
	if after := d.quiet(); !after.Equal(before) {
		t.Error("a look at its health counts")
	}
	c, err := client.Find(cfg.Folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Roots(t.Context()); err != nil || d.quiet().Equal(before) {
		t.Errorf("a question does not count: %v", err)
	}
	select {
	case <-d.Idle():
	case <-time.After(time.Minute):
		t.Fatal("never idle")
	}
	if since := time.Since(d.quiet()); since < cfg.IdleExit {
		t.Errorf("idle after %s", since)
	}
}
