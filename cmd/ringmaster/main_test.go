package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/server"
	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

var update = flag.Bool("update", false, "rewrite the goldens in the scripts")

// asProgram makes the test binary be the program.
const asProgram = "TEST_AS_PROGRAM"

// programs name the agents' programs, by their variables: none of this machine takes part.
var programs = func() map[string]string {
	paths := map[string]string{}
	for _, a := range daemon.Agents(datafolder.Folder{}, "") {
		if _, is := a.(scripted.Agent); !is {
			paths["RINGMASTER_"+strings.ToUpper(a.Name())] = "/nowhere/no-" + a.Name()
		}
	}
	return paths
}()

// No agent is looked for elsewhere than where its variable says.
func TestNoProgramOfThisMachine(t *testing.T) {
	for _, a := range daemon.Agents(datafolder.Folder{}, "") {
		found := a.Find(t.Context())
		if _, is := a.(scripted.Agent); !is && (found.Program != "" || !strings.Contains(found.Problem, "/nowhere/no-"+a.Name())) {
			t.Errorf("%s is not looked for where RINGMASTER_%s says: %+v", a.Name(), strings.ToUpper(a.Name()), found)
		}
	}
}

// The test binary is the program, too: under the name ringmaster in the scripts, and as the scripted agent of a daemon
// that runs inside of a test.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && os.Args[1] == scripted.Subcommand {
		os.Exit(invariant.Code(command.Main(), os.Stderr))
	}
	for name, path := range programs { // in-process daemons look with our own environment
		if err := os.Setenv(name, path); err != nil {
			panic(err)
		}
	}
	testscript.Main(leaks.Checked(m), map[string]func(){"ringmaster": func() { os.Exit(invariant.Code(command.Main(), os.Stderr)) }})
}

// The scripts: one per subject. `daemon` runs a daemon for the rest of the script, in this process.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program some two hundred times")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(datafolder.EnvData, filepath.Join(env.WorkDir, "data"))
			for name, path := range programs {
				env.Setenv(name, path)
			}
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CONFIG_HOME", "")
			for _, above := range []string{filepath.Dir(env.WorkDir), os.TempDir()} { // a PostgreSQL server's user passes through
				if err := os.Chmod(above, 0o711); err != nil {
					return err
				}
			}
			env.Defer(func() {
				_, _ = server.Stop(context.Background(), server.Folder{Path: filepath.Join(env.WorkDir, "data-core")})
			})
			env.Defer(func() { killDaemon(datafolder.Folder{Path: filepath.Join(env.WorkDir, "data")}) })
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "postgres" {
				return false, errors.New("there is no such condition")
			}
			_, err := server.Find(context.Background(), 0)
			return err == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"daemon": startDaemon,
			"mode":   mode,
			"setenv": setenv,
		},
	})
}

// killDaemon ends the daemon that a command has started, if there is one, and what waits to take its place.
func killDaemon(folder datafolder.Folder) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for ; ; <-look.C {
		pid, held := folder.Holder()
		if !held || pid == os.Getpid() {
			return
		}
		if pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have gone
		}
	}
}

func startDaemon(ts *testscript.TestScript, neg bool, args []string) {
	texts := 0
	var webhooks []string
	for len(args) > 1 && args[0] == "--webhook-allow" {
		webhooks, args = append(webhooks, args[1]), args[2:]
	}
	if len(args) == 2 && args[0] == "--max-text" {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		texts, args = n<<10, nil
	}
	if neg || len(args) > 0 {
		ts.Fatalf("usage: daemon [--webhook-allow URL]… [--max-text KIB]")
	}
	folder := datafolder.Folder{Path: ts.Getenv(datafolder.EnvData)}
	d, err := daemon.Start(context.Background(), daemon.Config{
		Folder: folder, Roots: []string{ts.Getenv("WORK")}, Listen: daemon.Listen{Address: "127.0.0.1:0"},
		Agents: daemon.Agents(folder, "test"), Env: os.Environ(), Version: "test", Log: zap.NewNop(), MaxText: texts,
		Webhooks: webhooks,
	})
	ts.Check(err)
	ts.Defer(func() {
		ctx, cancel := context.WithTimeout(context.Background(), daemon.DrainTime)
		defer cancel()
		if err := d.Close(ctx); err != nil {
			ts.Logf("close the daemon: %v", err)
		}
	})
}

// mode checks the permissions of a file: mode FILE -rw-------.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: mode FILE MODE")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := info.Mode().Perm().String(); (got == args[1]) == neg {
		ts.Fatalf("%s has mode %s", args[0], got)
	}
}

// setenv sets a variable to the standard output of the last command: setenv NAME.
func setenv(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: setenv NAME")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// serving is a `ringmaster serve` in a process of its own that takes work.
type serving struct {
	cmd    *exec.Cmd
	folder datafolder.Folder
	lines  *bufio.Scanner // its log
	log    strings.Builder
}

func serve(t *testing.T, args ...string) *serving {
	t.Helper()
	s := &serving{folder: datafolder.Folder{Path: filepath.Join(t.TempDir(), "data")}}
	s.start(t, args...)
	s.awaitLine(t, `"msg":"daemon runs"`)
	return s
}

func (s *serving) start(t *testing.T, args ...string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"serve", "--data", s.folder.Path, "--listen", "127.0.0.1:0", "--socket", "none", "--root", t.TempDir()}, args...)
	s.cmd = exec.Command(self, args...)
	s.cmd.Env = append(os.Environ(), asProgram+"=1")
	out, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.lines = bufio.NewScanner(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait() // both may have been done
	})
}

func (s *serving) awaitLine(t *testing.T, part string) {
	t.Helper()
	for s.lines.Scan() {
		s.log.WriteString(s.lines.Text() + "\n")
		invariant.Logged(s.lines.Bytes())
		if strings.Contains(s.lines.Text(), part) {
			return
		}
	}
	t.Fatalf("no line with %s in:\n%s", part, s.log.String())
}

// end waits for the process's end and gives its exit code.
func (s *serving) end() int {
	for s.lines.Scan() {
		s.log.WriteString(s.lines.Text() + "\n")
		invariant.Logged(s.lines.Bytes())
	}
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}

func TestServeDrainsOnSIGTERM(t *testing.T) {
	s := serve(t)
	began := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, s.log.String())
	}
	if took := time.Since(began); took > daemon.DrainTime {
		t.Errorf("it took %v", took)
	}
	if !strings.Contains(s.log.String(), `"msg":"daemon ended"`) {
		t.Errorf("its log:\n%s", s.log.String())
	}
	if _, err := s.folder.ReadAddress(); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the address file is still there")
	}
}

// TestServeEndsWhenIdle: not while a stream is read or a session is awake, and then by itself, in order.
func TestServeEndsWhenIdle(t *testing.T) {
	s := serve(t, "--idle-exit", "3s", "--socket", "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.folder.ReadAddress()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(self, "run", "--data", s.folder.Path, "--agent", "scripted", "--cwd", a.Roots[0], "hello\n```script\n"+`[{"say":{"text":"Done, and not in a hurry.","over":"4s"}}]`+"\n```")
	run.Env = append(os.Environ(), asProgram+"=1")
	if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), "not in a hurry") { // longer than it waits
		t.Errorf("%v: %s", err, out)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, s.log.String())
	}
	for _, line := range []string{`"reason":"nobody asks for anything, and no session is at work"`, `"msg":"daemon ended"`} {
		if !strings.Contains(s.log.String(), line) {
			t.Errorf("no %s in its log:\n%s", line, s.log.String())
		}
	}
}

func TestSecondDaemonIsRefused(t *testing.T) {
	first := serve(t)
	token, err := first.folder.Token()
	if err != nil {
		t.Fatal(err)
	}
	address, err := first.folder.ReadAddress()
	if err != nil {
		t.Fatal(err)
	}
	second := &serving{folder: first.folder}
	second.start(t)
	if code := second.end(); code != 1 || !strings.Contains(second.log.String(), "conflict: Another daemon") || !strings.Contains(second.log.String(), "hint:") {
		t.Errorf("exit code %d:\n%s", code, second.log.String())
	}
	if again, err := first.folder.Token(); err != nil || again != token {
		t.Errorf("the token was changed: %v", err)
	}
	if again, err := first.folder.ReadAddress(); err != nil || !reflect.DeepEqual(again, address) {
		t.Errorf("the address was changed: %+v, %v", again, err)
	}
}

func TestDaemonAfterAKilledOne(t *testing.T) {
	first := serve(t)
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.end()
	second := &serving{folder: first.folder}
	second.start(t)
	second.awaitLine(t, `"msg":"daemon runs"`)
	if a, err := second.folder.ReadAddress(); err != nil || a.PID != second.cmd.Process.Pid {
		t.Errorf("the address file says %+v, %v", a, err)
	}
}

func TestServeLogsNoToken(t *testing.T) {
	s := serve(t, "--log-level", "debug")
	token, err := s.folder.Token()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	s.end()
	if strings.Contains(s.log.String(), token) {
		t.Error("the token is in the log")
	}
}
