package storms

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// vitals are what the daemon uses.
type vitals struct {
	rss         int64 // bytes
	peak        int64 // of rss since unpeak
	descriptors int
	threads     int
	goroutines  int
	streams     int   // as the daemon counts them
	native      int64 // bytes that agents have said
	live        int64 // bytes in use, as the collector found when it looked last
	looked      int   // how often it has
}

func (v vitals) String() string {
	return fmt.Sprintf("RSS %d MiB (peak %d, live %d), %d descriptors, %d threads, %d goroutines, %d streams",
		v.rss>>20, v.peak>>20, v.live>>20, v.descriptors, v.threads, v.goroutines, v.streams)
}

func (d *daemon) proc(name string) string {
	return filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), name)
}

// vitals looks at the daemon.
func (d *daemon) vitals() (v vitals, err error) {
	status, err := os.ReadFile(d.proc("status"))
	if err != nil {
		return v, err
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		n, _ := strconv.ParseInt(fields[1], 10, 64)
		switch fields[0] {
		case "VmRSS:":
			v.rss = n << 10
		case "VmHWM:":
			v.peak = n << 10
		case "Threads:":
			v.threads = int(n)
		}
	}
	open, err := os.ReadDir(d.proc("fd"))
	if err != nil {
		return v, err
	}
	v.descriptors = len(open)
	metrics, err := d.want(d.t.Context(), http.MethodGet, "/metrics", nil)
	if err != nil {
		return v, err
	}
	for line := range bytes.Lines(metrics) {
		name, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		n, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "go_goroutines":
			v.goroutines = int(n)
		case "ringmaster_http_streams":
			v.streams = int(n)
		case "ringmaster_raw_bytes_total":
			v.native = int64(n)
		case "go_memstats_next_gc_bytes":
			v.live = int64(n) / 2 // it looks again when they have doubled
		case "go_gc_duration_seconds_count":
			v.looked = int(n)
		}
	}
	if v.rss == 0 || v.goroutines == 0 {
		err = errors.New("the daemon does not say what it uses")
	}
	return v, err
}

func (d *daemon) mustVitals() vitals {
	d.t.Helper()
	v, err := d.vitals()
	if err != nil {
		d.t.Fatal(err)
	}
	return v
}

// unpeak lets the peak of RSS begin anew.
func (d *daemon) unpeak() {
	d.t.Helper()
	if err := os.WriteFile(d.proc("clear_refs"), []byte("5"), 0); err != nil {
		d.t.Fatal(err)
	}
}

// cpu is the time that the daemon has worked, without its agents.
func (d *daemon) cpu() time.Duration {
	d.t.Helper()
	text, err := os.ReadFile(d.proc("stat"))
	if err != nil {
		d.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		d.t.Fatalf("%q", text)
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / 100 // USER_HZ
}

// sockets counts the daemon's connections, and what the system keeps of answers that clients do not take, in bytes.
func (d *daemon) sockets() (open int, unsent int64) {
	f, err := os.Open("/proc/net/tcp")
	if err != nil {
		d.t.Error(err)
		return 0, 0
	}
	defer f.Close() // opened for reading
	_, port, _ := strings.Cut(d.address, ":")
	n, _ := strconv.Atoi(port)
	suffix := fmt.Sprintf(":%04X", n)
	const established = "01"
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 || !strings.HasSuffix(fields[1], suffix) || fields[3] != established {
			continue
		}
		open++
		queue, _, _ := strings.Cut(fields[4], ":")
		n, _ := strconv.ParseInt(queue, 16, 64)
		unsent += n
	}
	return open, unsent
}

// slack is what may be there afterwards that was not there before: connections of our own client that are kept open, threads
// that the runtime keeps, buffers of the journal's.
const slack = 12

// returns waits until goroutines, descriptors and streams are back where they were.
func (d *daemon) returns(base vitals, within time.Duration) (took time.Duration) {
	d.t.Helper()
	began := time.Now()
	err := eventually(d.t.Context(), within, func() error {
		now, err := d.vitals()
		if err == nil && (now.goroutines > base.goroutines+slack || now.descriptors > base.descriptors+slack || now.streams > base.streams) {
			err = fmt.Errorf("before: %v\nafter:  %v", base, now)
		}
		return err
	})
	if err != nil {
		d.t.Errorf("not back where it was: %v", err)
	}
	return time.Since(began)
}
