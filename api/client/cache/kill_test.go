package cache

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// childEnv names the folder that a child process of TestKilled writes until it is killed.
const childEnv = "RINGMASTER_CACHE_CHILD"

// TestKilled: a process that stores lines on a real disk is killed at any moment, again and again. What it leaves is a run from the first line on, and at least as far as the
// process has said before that it was.
//
// Proves: I13.7/kills
func TestKilled(t *testing.T) {
	kills := 15
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_SYNC_KILLS")); err == nil {
		kills = n
	}
	dir, r := t.TempDir(), rand.New(rand.NewPCG(3, 4))
	torn, restored := 0, 0
	for range kills {
		said := killedChild(t, dir, 1+r.IntN(40))
		seq, cut, state := whole(t, dir)
		restored += state
		if seq < said {
			t.Fatalf("%d lines are stored, and %d were when it was killed", seq, said)
		}
		if cut {
			torn++
		}
	}
	t.Logf("%d kills, %d of them between lines and index; %d times there was a state", kills, torn, restored)
	if restored == 0 {
		t.Error("there never was a state: this proves too little")
	}
}

// killedChild runs a child until it has said so many times how far it is, and kills it. It gives the last number that it said.
func killedChild(t *testing.T, dir string, stores int) uint64 {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var last uint64
	lines := bufio.NewScanner(out)
	for range stores {
		if !lines.Scan() {
			break
		}
		if last, err = strconv.ParseUint(lines.Text(), 10, 64); err != nil {
			t.Errorf("the child says %q", lines.Text())
			break
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Error(err)
	}
	for lines.Scan() { // what it had said meanwhile
		if n, err := strconv.ParseUint(lines.Text(), 10, 64); err == nil {
			last = n
		}
	}
	_ = child.Wait() // it was killed
	return last
}

// storeUntilKilled goes on with what is there, says after each store how far it is, and never ends.
func storeUntilKilled(dir string) {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	folder, err := Open(dir, Options{})
	must(err)
	session, found, err := folder.Session(lifeID)
	must(err)
	var machine sync.State
	for _, e := range machine.Step(found, 0) {
		if c, is := e.(sync.CacheEffect); is {
			must(session.Do(c))
		}
	}
	for seq := int(machine.At().Seq); ; {
		var lines [][]byte
		for range 1 + seq%50 {
			seq++
			lines = append(lines, modelLine(seq))
		}
		at := protocol.Cursor{Epoch: 1, Seq: uint64(seq)}
		must(session.Do(sync.Store{At: at, Lines: lines}))
		if seq%3 == 0 {
			must(session.SaveState(at, stateAt(uint64(seq))))
		}
		fmt.Println(seq)
	}
}

// stateAt is a state that can be told from every other one, and from a part of one.
func stateAt(seq uint64) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d ", seq), 1+int(seq%5000)) }

// whole looks at what a killed process has left: how far it goes, whether the file is longer than its index, and whether it begins with a state.
func whole(t *testing.T, dir string) (seq uint64, cut bool, restored int) {
	folder, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	session, found, err := folder.Session(lifeID)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var machine sync.State
	for _, e := range machine.Step(found, 0) {
		switch e := e.(type) {
		case sync.Cut:
			cut = true
		case sync.Drop:
			t.Fatalf("a kill has cost the cache: %+v %+v", found.Index, found.File)
		case sync.Read:
			if e.From > 0 {
				if state, err := session.State(); err != nil || !bytes.Equal(state, stateAt(e.After)) {
					t.Fatalf("the state at %d is %.40q, %v", e.After, state, err)
				}
				restored++
			}
			seq = e.After
			for line, err := range session.Lines(e) {
				if err != nil {
					t.Fatal(err)
				}
				if seq++; string(line.Bytes) != string(modelLine(int(seq))) {
					t.Fatalf("line %d is %s", seq, strings.TrimSpace(string(line.Bytes)))
				}
			}
		}
	}
	return seq, cut, restored
}
