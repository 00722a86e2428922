package robust

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
)

// daemon is the built program on one data folder. A daemon that has ended can be started again.
type daemon struct {
	data  string   // its folder
	root  string   // where agents work
	hits  hits     // of fault points; empty: nobody counts
	more  []string // flags
	sizes string   // further sizes, behind a comma

	process *program.Daemon // nil: not begun yet
	started time.Time
	http    *http.Client
	address string
	secret  string
}

func newDaemon(dir string) (*daemon, error) {
	d := &daemon{data: filepath.Join(dir, "data"), root: filepath.Join(dir, "root")}
	return d, os.MkdirAll(d.root, 0o700)
}

// Limits that let fault points be reached which a real load comes to once in hours.
const sizes = "journal/segment=24576,raw/roll=1536,session/checkpoint=4096,groupsync/apart=1,tails/limit=8192"

// begin starts the process. running must follow, or kill.
func (d *daemon) begin(durability, point string) (err error) {
	cmd := program.Command(built, d.data, d.root, append(d.more, "--durability", durability)...)
	cmd.Env = []string{"HOME=" + d.root, "RINGMASTER_FAILPOINT_SIZES=" + sizes + d.sizes}
	if d.hits != "" {
		cmd.Env = append(cmd.Env, "RINGMASTER_FAILPOINT_HITS="+string(d.hits))
	}
	if point != "" {
		cmd.Env = append(cmd.Env, "RINGMASTER_FAILPOINT="+point)
	}
	d.started = time.Now()
	process, err := program.Start(cmd)
	if err == nil {
		d.process = process
	}
	return err
}

// startTime is when a daemon that does not say that it runs is taken for one that never will.
const startTime = time.Minute

// running returns when the daemon says that it runs, or with program.ErrEnded.
func (d *daemon) running() (err error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), startTime, errors.New("the daemon does not say that it runs"))
	defer cancel()
	if d.address, err = d.process.Running(ctx); err != nil {
		return err
	}
	d.secret, err = program.Token(d.data)
	d.http = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}}
	return err
}

func (d *daemon) start(durability string) error {
	if err := d.begin(durability, ""); err != nil {
		return err
	}
	err := d.running()
	if err != nil {
		d.kill()
	}
	return err
}

// kill ends it at once.
func (d *daemon) kill() {
	if d.process != nil {
		d.process.Kill()
		d.closeIdle()
	}
}

// stop ends it in order. The note says what was not in order.
func (d *daemon) stop() (note string) {
	defer d.closeIdle()
	return d.process.Stop(15 * time.Second)
}

func (d *daemon) closeIdle() {
	if d.http != nil {
		d.http.CloseIdleConnections()
	}
}

// call asks over HTTP. An answer that came is no error, whatever its status; only a daemon that is being ended answers none.
func (d *daemon) call(ctx context.Context, method, path, key string, in any) (status int, header http.Header, body []byte, err error) {
	var send io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return 0, nil, nil, err
		}
		send = bytes.NewReader(b)
	}
	res, err := d.open(ctx, method, path, send, http.Header{"Idempotency-Key": {key}})
	if err != nil {
		return 0, nil, nil, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusServiceUnavailable {
		return 0, nil, nil, program.ErrEnded
	}
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, res.Header, body, err
}

// get reads something that must be there.
func (d *daemon) get(ctx context.Context, path string) (http.Header, []byte, error) {
	status, header, body, err := d.call(ctx, http.MethodGet, path, "", nil)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("GET %s: %d: %s", path, status, body)
	}
	return header, body, err
}

// open begins a request.
func (d *daemon) open(ctx context.Context, method, path string, body io.Reader, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, d.address+path, body)
	if err != nil {
		return nil, err
	}
	for k, v := range header {
		if v[0] != "" {
			req.Header[k] = v
		}
	}
	req.Header.Set("Authorization", "Bearer "+d.secret)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return d.http.Do(req)
}
