package supervisor_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"golang.org/x/sys/unix"
)

// smallDisk names, in a process of this test, the folder where it may mount a disk.
const smallDisk = "RINGMASTER_SMALL_DISK"

// notHere is what the process says of a system that does not let it mount one.
const notHere = "no disk can be mounted here"

// TestFullDisk fills a real disk of 2 MiB, under three sessions whose agents talk: what is not accepted is refused with a code and a hint, what was
// shown can be read, and 5 s after there is room again all of them go on (P10). The disk is a tmpfs in a mount namespace of its own,
// which takes root's rights or a user namespace.
func TestFullDisk(t *testing.T) {
	dir := os.Getenv(smallDisk)
	if dir == "" {
		apart(t)
		return
	}
	err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	if err = errors.Join(err, unix.Mount("none", dir, "tmpfs", 0, "size=2m")); err != nil {
		t.Skip(notHere, err)
	}
	for _, mode := range []supervisor.Durability{supervisor.DurableAlways, supervisor.DurableOS} {
		t.Run(string(mode), func(t *testing.T) { fill(t, filepath.Join(dir, string(mode)), mode) })
	}
}

// apart runs this test once more, in namespaces of its own.
func apart(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), smallDisk+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Skip("no namespaces here: ", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case bytes.Contains(out, []byte(notHere)):
		t.Skip(notHere)
	}
	for line := range strings.Lines(string(out)) {
		if _, said, ok := strings.Cut(line, "found: "); ok {
			t.Log(strings.TrimSpace(said))
		}
	}
	tally.Count("P10", "full disks of 2 MiB", 2, "")
}

const chatty = "go\n```script\n" + `[{"say":{"text":"%s","chunk":40,"every":"1ms"}}]` + "\n```"

func fill(t *testing.T, data string, mode supervisor.Durability) {
	agents := t.TempDir()
	d := start(t, data, func(c *supervisor.Config) {
		c.Durability = mode
		c.Agents = []adapters.Agent{agentIn(agents)}
		c.Transport = scripted.Transport{Seed: 1, Sessions: scripted.Files{Dir: filepath.Join(agents, "agent")}}
	})
	text := fmt.Sprintf(chatty, strings.Repeat("some words of an agent. ", 800))
	var ids []string
	for range 3 {
		id := d.create().ID
		ids = append(ids, id)
		d.until(id, d.prompt(id, text).Cursor.Seq, protocol.TypeEntryDelta)
	}
	filler := filepath.Join(data, "filler")
	if err := os.WriteFile(filler, make([]byte, 4<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	shown := map[string][]byte{}
	for _, id := range ids {
		refused := within(t, 20*time.Second, func() error { // the last page of a file may have room for some more
			soon, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := ask.Ask(soon, d.find(id), sendPrompt(text))
			if err == nil || soon.Err() != nil { // the one that finds the disk full waits for room
				return fmt.Errorf("a prompt is not refused: %w", err)
			}
			var p *protocol.Problem
			if !errors.As(err, &p) || p.Code != protocol.CodeReadOnly && p.Code != protocol.CodeOverloaded || p.Hint == "" {
				t.Fatalf("%s: refused with %v", id, err)
			}
			return nil
		})
		shown[id] = d.shown(id)
		if sum, err := d.Supervisor.Look(t.Context(), id); err != nil || !sum.ReadOnly {
			t.Fatalf("%s: %+v, %v, after %v", id, sum, err, refused)
		}
	}
	if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root}); code(err) != protocol.CodeReadOnly {
		t.Fatalf("create: %v", err)
	}
	if d.Health().NoRoom == "" {
		t.Error("the health does not say that the disk is full")
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if h := d.Health(); h.NoRoom != "" {
		t.Errorf("there is room again: %s", h.NoRoom)
	}
	var slowest time.Duration
	for _, id := range ids {
		slowest = max(slowest, within(t, 5*time.Second, func() error {
			_, err := session.Ask(t.Context(), d.find(id), &session.Change{Labels: map[string]*string{"room": new(string)}})
			return err
		}))
	}
	t.Logf("found: %s: all sessions wrote again after %v", mode, slowest.Round(time.Millisecond))
	for range 2 {
		for _, id := range ids {
			if now := d.shown(id); !bytes.HasPrefix(now, shown[id]) {
				t.Fatalf("%s: what was shown is lost", id)
			}
		}
		if err := d.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		d.start()
	}
	if err := errors.Join(d.Close(context.WithoutCancel(t.Context())), os.RemoveAll(data)); err != nil {
		t.Fatal(err)
	}
}

// within tries until it succeeds, and says how long that took.
func within(t *testing.T, limit time.Duration, try func() error) time.Duration {
	t.Helper()
	begun := time.Now()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		err := try()
		took := time.Since(begun)
		if err == nil {
			return took
		}
		if took > limit {
			t.Fatalf("after %v: %v", took, err)
		}
		<-again.C
	}
}
