package logfile

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// daemonLog is the log of a data folder, as a daemon in the background has it for its standard error.
func daemonLog(t *testing.T) (datafolder.Folder, *os.File) {
	t.Helper()
	folder := datafolder.Folder{Path: t.TempDir()}
	stderr, err := Open(folder.LogFile())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stderr.Close() })
	return folder, stderr
}

// A daemon's log takes a bounded part of the disk, and what else comes to standard error is where its newest lines are.
func TestLogFileIsBounded(t *testing.T) {
	folder, stderr := daemonLog(t)
	log, ok := Bounded(stderr, folder).(*logFile)
	if !ok {
		t.Fatal("the log is not bounded")
	}
	log.most = 1000
	for i := range 500 {
		if _, err := fmt.Fprintf(log, "line %d\n", i); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{folder.LogFile(), folder.LogFile() + ".1"} {
			if info, err := os.Stat(name); err == nil && info.Size() > log.most {
				t.Fatalf("%s has %d bytes", name, info.Size())
			}
		}
	}
	if _, err := stderr.WriteString("panic: x\n"); err != nil {
		t.Fatal(err)
	}
	newest, err := os.ReadFile(folder.LogFile())
	if err != nil || !strings.HasSuffix(string(newest), "line 499\npanic: x\n") {
		t.Errorf("the newest lines are %q, %v", newest, err)
	}
	before, err := os.ReadFile(folder.LogFile() + ".1")
	if all := string(before) + string(newest); err != nil || strings.Count(all, "\n")-1 < 100 || !strings.Contains(all, "line 400\n") {
		t.Errorf("%v: %q", err, all)
	}
}

// A terminal, a pipe and a file that somebody named are theirs.
func TestOtherLogsAreNotBounded(t *testing.T) {
	folder, _ := daemonLog(t)
	other, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = read.Close(), write.Close() }()
	for _, f := range []*os.File{other, write} {
		if Bounded(f, folder) != f {
			t.Errorf("%s is bounded", f.Name())
		}
	}
}

// Whoever follows the log goes on in the file that takes its place, and misses no line of either.
func TestFollowsALogThatIsPutAside(t *testing.T) {
	folder, stderr := daemonLog(t)
	log, ok := Bounded(stderr, folder).(*logFile)
	if !ok {
		t.Fatal("the log is not bounded")
	}
	log.most = 1000
	file, err := os.Open(folder.LogFile())
	if err != nil {
		t.Fatal(err)
	}
	var out, want bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- Copy(ctx, &out, file, true) }()
		for i := range 60 {
			for j := range 10 {
				fmt.Fprintf(&want, "line %d.%d\n", i, j)
				if _, err := fmt.Fprintf(log, "line %d.%d\n", i, j); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(lookEvery) // it looks at least once before the log is put aside twice
			synctest.Wait()
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if out.String() != want.String() {
		t.Errorf("it saw %d bytes of %d", out.Len(), want.Len())
	}
}
