package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

const token = "token"

// daemon is a whole daemon but for its sockets, and the one that follows when it was restarted or killed.
type daemon struct {
	dir        string // of data folders: each daemon that follows a killed one has a copy
	copies     int
	root       string
	durability supervisor.Durability
	offset     atomic.Int64 // of the wall clock: a time.Duration
	stage      *stage
	disk       *fullDisk
	ids        int
	life       uint64 // of daemons: this one and those that follow it when it is killed

	super *supervisor.Supervisor
	edge  *edge
}

// edge is the HTTP side. Making one takes long, for its description of itself; it is used again, by one daemon at a time.
type edge struct {
	*supervisor.Supervisor
	now func() time.Time
	web http.Handler
}

var (
	edges sync.Pool
	lives atomic.Uint64 // of daemons
)

func newEdge() (*edge, error) {
	if e, ok := edges.Get().(*edge); ok {
		return e, nil
	}
	e := &edge{}
	a, err := api.New(api.Config{Supervisor: e, Token: token, Now: func() time.Time { return e.now() }})
	if err == nil {
		e.web = a.Handler()
	}
	return e, err
}

func (d *daemon) data() string { return filepath.Join(d.dir, fmt.Sprintf("data%d", d.copies)) }

func (d *daemon) now() time.Time { return time.Now().Add(time.Duration(d.offset.Load())) }

func (d *daemon) start() error {
	var err error
	d.super, err = supervisor.Start(context.Background(), supervisor.Config{
		Data: d.data(), Roots: []string{d.root}, Agents: []adapters.Agent{d.stage}, Transport: d.stage,
		Durability: d.durability, Files: d.disk, CheckpointBytes: 1, MaxQueue: 4, MaxRestarts: 5, Now: d.now,
		Rand: func(n int64) int64 { return n - 1 },
		NewID: func() string {
			d.ids++
			return d.nextID(d.ids)
		},
	})
	d.edge.Supervisor, d.edge.now = d.super, d.now
	return err
}

// drain ends the daemon in order.
func (d *daemon) drain() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	err := d.super.Close(ctx)
	time.Sleep(3 * time.Second) // virtual: the engine looks at its dead letters a second later
	return err
}

// kill leaves the data folder as it is now, for the next daemon. What the old one does from here on, nobody sees.
func (d *daemon) kill() error {
	synctest.Wait()
	from := d.data()
	d.copies++
	err := os.CopyFS(d.data(), os.DirFS(from))
	d.disk.free()
	return errors.Join(err, d.drain(), os.RemoveAll(from))
}

// reply is an answer of the API.
type reply struct {
	status int
	body   []byte
	header http.Header
}

func (r *reply) code() protocol.Code {
	var p protocol.Problem
	if r.status < 400 {
		return ""
	}
	if json.Unmarshal(r.body, &p) != nil || p.Status != r.status {
		return protocol.Code(fmt.Sprintf("%d %s", r.status, r.body))
	}
	return p.Code
}

// request is one of a client.
func (d *daemon) request(ctx context.Context, method, path, body string, header ...string) *http.Request {
	ctx = context.WithValue(ctx, http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7777}))
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:7777"
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	return r
}

func (d *daemon) do(ctx context.Context, method, path, body string, header ...string) reply {
	w := httptest.NewRecorder()
	d.edge.web.ServeHTTP(w, d.request(ctx, method, path, body, header...))
	return reply{w.Code, w.Body.Bytes(), w.Header()}
}
