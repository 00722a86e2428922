package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
)

// Ports where a server is put that may be anywhere: below those that the system gives to connections.
const (
	firstPort = 15432
	lastPort  = 15531
)

// waitDelay is how long a program's output may stay open behind its end.
const waitDelay = 5 * time.Second

// Running is a server that takes connections.
type Running struct {
	Folder
	Port    int
	Version string // of PostgreSQL
	Begun   bool   // by this call
}

// URL is the database's, without its password.
func (r Running) URL() string { return address(r.Port) }

func address(port int) string {
	u := url.URL{
		Scheme: "postgres", User: url.User(User), Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Path: "/" + Database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Start has a server run in a folder, which it makes where it is not there: at a port, or at one of its own choice where it is 0. It may be called again. The
// server stays when this process ends. Errors are *Error, or those of core.Core.
func Start(ctx context.Context, f Folder, port int) (Running, error) {
	p, err := Find(ctx, 0) // before there is a folder
	if err != nil {
		return Running{}, err
	}
	if err := reachable(f.Path); err != nil {
		return Running{}, err
	}
	release, err := f.claim()
	if err != nil {
		return Running{}, err
	}
	defer release()
	m, err := f.read()
	if err != nil {
		return Running{}, err
	}
	if asked, err := f.ask(ctx, m.Port); err != nil {
		return Running{}, err
	} else if asked.Version != "" {
		if port > 0 && port != m.Port {
			return Running{}, &Error{Port, fmt.Errorf("it runs at port %d", m.Port), "end it first, with --stop, to have it at another one"}
		}
		return Running{Folder: f, Port: m.Port, Version: asked.Version}, nil
	}
	if major, err := f.major(); err != nil {
		return Running{}, err
	} else if major > 0 && major != p.major {
		if p, err = Find(ctx, major); err != nil {
			return Running{}, err
		}
	}
	return f.begin(ctx, p, m, port)
}

// begin starts a server that does not run.
func (f Folder) begin(ctx context.Context, p Programs, m made, port int) (Running, error) {
	wanted := cmp.Or(port, m.Port)
	if _, err := free(wanted); err != nil { // before there is a folder
		return Running{}, err
	}
	if err := f.build(ctx, p); err != nil {
		return Running{}, err
	}
	for {
		port, err := free(wanted)
		if err != nil {
			return Running{}, err
		}
		r, err := f.beginAt(ctx, p, m, port)
		if _, taken := free(port); err == nil || wanted > 0 || taken == nil || ctx.Err() != nil {
			return r, err
		} // else somebody has taken it meanwhile
	}
}

// beginAt starts a server that is built.
func (f Folder) beginAt(ctx context.Context, p Programs, m made, port int) (Running, error) {
	m.Port = port
	if err := errors.Join(f.write(m), f.listenAt(ctx, port)); err != nil {
		return Running{}, err
	}
	if err := f.call(ctx, "", p.Path("pg_ctl"), "start", "-w", "-s", "-D", f.data(), "-l", f.Log()); err != nil {
		return Running{}, f.withLog(err)
	}
	asked, err := f.ask(ctx, port)
	if err == nil && asked.Version == "" {
		err = &Error{Failed, errors.New("the server does not take connections"), "its log is " + f.Log()}
	}
	return Running{f, port, asked.Version, true}, err
}

// withLog adds what the server's log ends with.
func (f Folder) withLog(err error) error {
	text, _ := os.ReadFile(f.Log()) // it may never have come to one
	var failed *Error
	if len(text) > 0 && errors.As(err, &failed) {
		return &Error{Failed, errors.New("the server does not start: " + last(string(text))), "its log is " + f.Log()}
	}
	return err
}

// ask asks the server of the folder for its version; empty: it does not run. Another server at its port does not have its password, and is not asked more.
func (f Folder) ask(ctx context.Context, port int) (postgres.Server, error) {
	if port == 0 {
		return postgres.Server{}, nil
	}
	if major, err := f.major(); err != nil || major == 0 {
		return postgres.Server{}, err
	}
	password, err := f.Password()
	if err != nil {
		return postgres.Server{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	s, err := postgres.Ask(ctx, address(port), postgres.Options{Password: func() (string, error) { return password, nil }})
	var away *core.AwayError
	var refused *core.AccessError
	if errors.As(err, &away) || errors.As(err, &refused) {
		return postgres.Server{}, nil
	}
	return s, err
}

// askTime is how long a server of this machine may take to answer.
const askTime = 10 * time.Second

// free is a port at which nobody listens: the wanted one, or any where that is 0.
func free(wanted int) (int, error) {
	isFree := func(port int) bool {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		return err == nil && l.Close() == nil
	}
	if wanted > 0 {
		if isFree(wanted) {
			return wanted, nil
		}
		return 0, &Error{Port, fmt.Errorf("port %d of this machine is taken, and not by the server of this folder", wanted), "name another one with --port"}
	}
	for port := firstPort; port <= lastPort; port++ {
		if isFree(port) {
			return port, nil
		}
	}
	return 0, &Error{Port, fmt.Errorf("all ports from %d to %d of this machine are taken", firstPort, lastPort), "name another one with --port"}
}

// Stop ends the server of a folder, in order, and says whether it ran. Its data stay.
func Stop(ctx context.Context, f Folder) (ran bool, err error) {
	m, err := f.read()
	if errors.Is(err, fs.ErrNotExist) {
		return false, &Error{Foreign, errors.New(f.Path + " was not made by " + maker), "name the folder that it was made in"}
	}
	if err != nil {
		return false, err
	}
	release, err := f.hold()
	if err != nil {
		return false, err
	}
	defer release()
	asked, err := f.ask(ctx, m.Port)
	if err != nil {
		return false, err
	}
	if asked.Version == "" {
		return false, f.silent()
	}
	major, err := f.major()
	if err != nil {
		return false, err
	}
	p, err := Find(ctx, major)
	if err != nil {
		return false, err
	}
	err = f.call(ctx, "", p.Path("pg_ctl"), "stop", "-w", "-s", "-m", "fast", "-D", f.data())
	return err == nil, err
}

// silent says what is wrong where a server that does not answer has a process all the same. The file with its number outlives a loss of power, and the
// number may be another process's by then: that is left alone.
func (f Folder) silent() error {
	text, err := os.ReadFile(filepath.Join(f.data(), "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was ended in order
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first) // 0: a file that says nothing
	if pid > 0 && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return nil
	}
	return &Error{
		Failed, fmt.Errorf("the server does not answer, and process %d may be it", pid),
		"look at that process, and end it by hand where it is; the server's log is " + f.Log(),
	}
}
