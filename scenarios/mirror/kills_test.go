package mirror

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const (
	sessions = 4
	round    = 20 // kills with the same sessions
	patience = time.Minute
)

// world is a daemon that is killed and started again on its data, and the cache of a program that mirrors it.
type world struct {
	t       *testing.T
	program string
	address string
	data    string
	root    string
	cache   string
	token   string
	daemon  *program.Daemon
	client  *client.Client
	ids     []string
	lines   int // that readers were told

	restored int // sessions that began with a state
	states   int // that were found in caches
}

// TestKills: daemon and client are killed at any moment.
//
// Proves: I13.5/kills
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	kills := 6
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_MIRROR_KILLS")); err == nil {
		kills = n
	}
	w := begin(t)
	r := rand.New(rand.NewPCG(5, 6))
	daemons := 0
	for n := range kills {
		if n%round == 0 {
			w.create()
		}
		for _, id := range w.ids {
			w.prompt(id, "round "+strconv.Itoa(n))
		}
		ofDaemon := r.IntN(5) < 2
		if ofDaemon {
			daemons++
		}
		w.life(1+r.IntN(80), ofDaemon)
		w.cacheIsBeginning()
		if n%round == round-1 || n == kills-1 {
			w.settle()
		}
	}
	if note := w.daemon.Stop(patience); note != "" {
		t.Error(note)
	}
	t.Logf("%d kills, %d of them of the daemon; %d lines told; %d times a state was begun with, and %d times found; lost 0, doubled 0",
		kills, daemons, w.lines, w.restored, w.states)
	if w.restored == 0 || w.states == 0 {
		t.Error("no state was ever begun with: this proves too little")
	}
}

// free is an address at which nobody listens, and that no connection is given: its port is below theirs.
func free(t *testing.T) string {
	t.Helper()
	for {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(30_000+rand.IntN(1000))))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
}

func begin(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, program: filepath.Join(dir, "ringmaster"), data: filepath.Join(dir, "data"), root: t.TempDir(), cache: filepath.Join(dir, "cache")}
	if out, err := exec.Command("go", "build", "-o", w.program, "../../cmd/ringmaster").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.address = free(t) // the same after each start
	w.start()
	t.Cleanup(func() { w.daemon.Kill() })
	var err error
	if w.token, err = program.Token(w.data); err == nil {
		w.client, err = client.At("http://"+w.address, w.token)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
	return w
}

func (w *world) start() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	var err error
	if w.daemon, err = program.Start(program.Command(w.program, w.data, w.root, "--listen", w.address)); err == nil {
		_, err = w.daemon.Running(ctx)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// create ends the sessions that there are and makes new ones.
func (w *world) create() {
	w.t.Helper()
	for _, id := range w.ids {
		if _, err := w.client.Session(id).End(w.t.Context(), ""); err != nil {
			w.t.Fatal(err)
		}
	}
	w.ids = nil
	for range sessions {
		made, err := w.client.Create(w.t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: w.root}})
		if err != nil {
			w.t.Fatal(err)
		}
		w.ids = append(w.ids, made.ID)
	}
}

func (w *world) prompt(id, text string) {
	w.t.Helper()
	_, err := w.client.Session(id).Prompt(w.t.Context(), client.Prompt{Text: text})
	var full *protocol.Problem
	if err != nil && (!errors.As(err, &full) || full.Code != protocol.CodeOverloaded) {
		w.t.Fatal(err)
	}
}

// life runs a child until it has told of so many changes, and kills it, or first the daemon in the middle of them.
func (w *world) life(changes int, ofDaemon bool) {
	w.t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), addressEnv+"=http://"+w.address, tokenEnv+"="+w.token, cacheEnv+"="+w.cache)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	said, told := bufio.NewScanner(out), map[string]uint64{}
	for n := range changes {
		if !said.Scan() {
			w.t.Errorf("the child ended: %v", said.Err())
			break
		}
		w.tell(said.Text(), told)
		if ofDaemon && n == changes/2 {
			w.daemon.Kill()
			w.start()
			for _, id := range w.ids {
				w.prompt(id, "after a kill")
			}
		}
	}
	if err := child.Process.Kill(); err != nil {
		w.t.Error(err)
	}
	for said.Scan() {
		w.tell(said.Text(), told)
	}
	_ = child.Wait() // it was killed
}

// tell checks what a child has told, whose life has come to the numbers of told.
func (w *world) tell(text string, told map[string]uint64) {
	w.t.Helper()
	var id, kind string
	var seq uint64
	if n, _ := fmt.Sscan(text, &id, &kind, &seq); n != 3 {
		return // cut by the kill
	}
	last, before := told[id]
	switch {
	case kind == "reset":
		w.t.Errorf("session %s was reset: a kill of the daemon loses nothing that was shown", id)
	case kind == "restored" && before:
		w.t.Errorf("session %s: a state at %d was begun with behind the line %d", id, seq, last)
	case before && seq != last+1:
		w.t.Errorf("session %s: the line %d was told behind %d", id, seq, last)
	}
	told[id] = seq
	if kind == "restored" {
		w.restored++
		return
	}
	w.lines++
}

// log is what the daemon has of a session.
func (w *world) log(id string) []byte {
	w.t.Helper()
	var log []byte
	for l, err := range w.client.Session(id).Log(w.t.Context(), protocol.Cursor{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		log = append(append(log, l.Raw...), '\n')
	}
	return log
}

// cacheIsBeginning holds what a killed child has left against the logs.
func (w *world) cacheIsBeginning() {
	w.t.Helper()
	folder, err := cache.Open(w.cache, cache.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	defer folder.Close()
	for _, id := range w.ids {
		session, found, err := folder.Session(id)
		if err != nil {
			w.t.Fatal(err)
		}
		if found.Index == nil {
			session.Close()
			continue
		}
		w.stateIsFold(session, found)
		session.Close()
		stored, err := os.ReadFile(filepath.Join(w.cache, "sessions", id+".ndjson"))
		if err != nil {
			w.t.Fatal(err)
		}
		length := int(found.Index.Length)
		if length > len(stored) || !bytes.HasPrefix(w.log(id), stored[:length]) || found.File.Sum != found.Index.Sum {
			w.t.Errorf("session %s: what is stored is no beginning of its log", id)
		}
	}
}

// stateIsFold holds a state that was found against the lines that it stands for.
func (w *world) stateIsFold(session *cache.Session, found sync.Open) {
	w.t.Helper()
	if found.Checkpoint == nil {
		return
	}
	w.states++
	text, err := session.State()
	if err != nil {
		w.t.Fatal(err)
	}
	state := new(protocol.SessionState)
	for line, err := range session.Lines(sync.Read{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		if line.Event.Seq <= found.Checkpoint.Seq {
			state.Apply(&line.Event)
		}
	}
	if want := state.AppendJSON(nil); !bytes.Equal(text, want) {
		w.t.Errorf("session %s: the state at %d is\n%s, want\n%s", state.SessionID, found.Checkpoint.Seq, text, want)
	}
}

// settle mirrors until everything is there: lines and states are the daemon's.
func (w *world) settle() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	for _, id := range w.ids { // their logs end, so that there is something to compare with
		if _, err := w.client.Session(id).End(ctx, ""); err != nil {
			w.t.Fatal(err)
		}
		if _, err := w.client.Await(ctx, resource.WaitRequest{Sessions: []string{id}, Until: resource.WaitUntil{Ended: true}}); err != nil {
			w.t.Fatal(err)
		}
	}
	folder, err := cache.Open(w.cache, cache.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	defer folder.Close()
	m := w.client.Mirror(client.MirrorOptions{Cache: client.Files(folder), States: true, SaveEvery: saveEvery})
	logs := map[string][]byte{}
	for _, id := range w.ids {
		logs[id] = w.log(id)
	}
	all := func() bool {
		for id, log := range logs {
			if at, kept := m.At(id); !kept || at.Seq < uint64(bytes.Count(log, []byte{'\n'})) {
				return false
			}
		}
		return true
	}
	enough := errors.New("enough")
	run, stop := context.WithCancelCause(ctx)
	ended := make(chan error, 1)
	go func() { ended <- m.Run(run) }() // ends with run
	for _, err := range m.Changes(run) {
		if err != nil {
			w.t.Fatal(err)
		}
		if all() {
			break
		}
	}
	stop(enough)
	if err := <-ended; !errors.Is(err, enough) {
		w.t.Fatal(err)
	}
	for id, log := range logs {
		stored, err := os.ReadFile(filepath.Join(w.cache, "sessions", id+".ndjson"))
		if err != nil || !bytes.Equal(stored, log) {
			w.t.Errorf("session %s: %d bytes are stored of %d, %v", id, len(stored), len(log), err)
		}
		state, err := w.client.Session(id).State(ctx, protocol.Cursor{})
		if got := m.State(id); err != nil || !reflect.DeepEqual(got, state) {
			w.t.Errorf("session %s: the state is %+v, want %+v, %v", id, got, state, err)
		}
	}
}
