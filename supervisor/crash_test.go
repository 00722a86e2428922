package supervisor_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// longAgo is before the machine was started, also by the clock of a bubble.
var longAgo = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

// witness knows what clients were told, and at which change of the disk.
type witness struct {
	mu    sync.Mutex
	rings map[string]*ring.Ring // of sessions whose creation was answered
	gone  map[string]bool       // whose deletion was answered
	keys  map[string]string     // of the sessions
	told  []told                // before each change
}

type told struct {
	at    time.Time
	shown map[string]uint64 // the newest event that readers may have
	gone  []string
}

func (w *witness) look() told {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := told{at: time.Now(), shown: map[string]uint64{}, gone: slices.Collect(maps.Keys(w.gone))}
	for id, r := range w.rings {
		at.shown[id] = r.Head()
	}
	return at
}

func (w *witness) note(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	do()
}

// talk has sessions made, prompted and deleted, and the daemon started anew, until the disk has changed so often.
func (w *witness) talk(d *daemon, disk *disktest.Disk, changes int) {
	d.t.Helper()
	var live []string
	for n := 0; disk.Count() < changes; n++ {
		key := fmt.Sprintf("key %d", n)
		s := d.keyed(key)
		w.keys[s.ID] = key
		log := d.ring(s.ID) // not within note: the session may wait for the disk
		w.note(func() { w.rings[s.ID] = log })
		live = append(live, s.ID)
		for i := range 3 {
			r := d.say(s.ID, i == 1, fmt.Sprintf(unhurried, n*3+i))
			d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		}
		if len(live) > 2 {
			id := live[0]
			live = live[1:]
			w.note(func() { delete(w.rings, id) }) // from now on it may be gone
			if err := d.Delete(d.t.Context(), id); err != nil {
				d.t.Fatal(err)
			}
			w.note(func() { w.gone[id] = true })
		}
		if n%3 == 1 { // what is closed in order is taken up again
			d.close()
			d.start()
			for _, id := range live {
				log := d.ring(id)
				w.note(func() { w.rings[id] = log })
				d.until(id, d.prompt(id, "again").Cursor.Seq, protocol.TypeTurnEnd)
			}
		}
	}
}

// keyed makes a session with a key, or gives the one that was made with it.
func (d *daemon) keyed(key string) supervisor.Created {
	d.t.Helper()
	s, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "scripted", Key: supervisor.Key{By: "ann", Name: key}})
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

const unhurried = "number %d\n```script\n" + `[{"say":{"text":"one two three four five six seven eight","chunk":5,"every":"20ms"}}]` + "\n```"

var picture = []byte("\x89PNG\r\n\x1a\nnot much of a picture")

// say prompts a session, perhaps with a picture.
func (d *daemon) say(id string, image bool, text string) session.Receipt {
	d.t.Helper()
	p := session.NewPrompt{Text: text}
	if image {
		ref, _, err := d.Images(id).Put("image/png", picture)
		if err != nil {
			d.t.Fatal(err)
		}
		p.Images = []string{ref}
	}
	r, err := session.Ask(d.t.Context(), d.find(id), &session.SendPrompt{Prompt: p})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func (d *daemon) reader(id string) *session.Reader {
	d.t.Helper()
	return join(d.t, d.Supervisor, id)
}

func join(t testing.TB, sup *supervisor.Supervisor, id string) *session.Reader {
	t.Helper()
	ref, err := sup.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ask.Ask(t.Context(), ref, func(r ask.Reply[*session.Reader]) session.Message {
		return &session.Join{Reply: r, Name: "test"}
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (d *daemon) ring(id string) *ring.Ring {
	d.t.Helper()
	r := d.reader(id)
	defer r.Leave()
	return r.Ring
}

// shown is what readers get of a session's log now.
func (d *daemon) shown(id string) []byte {
	d.t.Helper()
	r := d.reader(id)
	defer r.Leave()
	for {
		var b bytes.Buffer
		oldest, _ := r.Log.Bounds()
		p, err := r.Log.Range(oldest-1, r.Ring.Head())
		if err == nil {
			_, err = p.WriteTo(&b)
			err = errors.Join(err, p.Close())
		}
		var gone *store.GoneError
		switch {
		case err == nil:
			return b.Bytes()
		case !errors.As(err, &gone): // else the log was trimmed meanwhile
			d.t.Fatal(err)
		}
	}
}

// agrees gives the seq up to which the cursors of a session's first epoch are good.
func (d *daemon) agrees(id string) (upTo uint64, good bool) {
	r := d.reader(id)
	defer r.Leave()
	return r.Agree(1)
}

// written gives the log of every session that there ever was.
func written(disk *disktest.Disk) map[string][]byte {
	logs := map[string][]byte{}
	for _, op := range disk.Ops(0) {
		if dir, name := filepath.Split(op.Name); op.Kind == "write" && strings.HasSuffix(name, ".ndjson") && !strings.HasSuffix(dir, "/raw/") {
			id := filepath.Base(dir)
			logs[id] = append(logs[id], op.Data...)
		}
	}
	return logs
}

// common counts the lines that two logs have in common before they differ.
func common(a, b []byte) (n uint64) {
	for {
		x, y := bytes.IndexByte(a, '\n')+1, bytes.IndexByte(b, '\n')+1
		if x == 0 || y == 0 || !bytes.Equal(a[:x], b[:y]) {
			return n
		}
		a, b, n = a[x:], b[y:], n+1
	}
}

// TestPowerLossAnywhere takes the power from a whole daemon between any two changes of its disk, and starts it again on what could be
// left: sessions, prompts, pictures and events that a client was told of are there under their numbers (always), or a new
// epoch says that they are not (P7).
//
// Proves: I15.2/bound, I16.1/cursors
func TestPowerLossAnywhere(t *testing.T) {
	changes, choices, every := 250, 2, 9
	if thorough {
		changes, choices, every = 5000, 2, 1 // the journal alone: eight choices
	}
	if raceEnabled {
		every = 50
	}
	for _, how := range []struct {
		name  string
		mode  supervisor.Durability
		limit int64 // of a log
	}{
		{"always", supervisor.DurableAlways, 0},
		{"interval", supervisor.DurableInterval, 0},
		{"os", supervisor.DurableOS, 0},
		{"always, logs are trimmed", supervisor.DurableAlways, 6000},
		{"interval, logs are trimmed", supervisor.DurableInterval, 6000},
	} {
		t.Run(how.name, func(t *testing.T) {
			c := crashes{mode: how.mode, limit: how.limit}
			synctest.Test(t, func(t *testing.T) { c.happen(t, changes) })
			past := c.disk.Replay()
			for n := 0; n <= len(c.told); n++ {
				if n%every == 0 {
					synctest.Test(t, func(t *testing.T) {
						for choice := range choices {
							var r *rand.Rand
							if choice > 0 {
								r = rand.New(rand.NewPCG(uint64(n), uint64(choice)))
							}
							c.state(t, n, choice, past.Crash(r))
						}
					})
				}
				if _, more := past.Next(); !more {
					break
				}
			}
			tally.Count("P7", "daemon states after a loss of power", c.states, "")
			tally.Count("P7", "told of and lost without a new epoch", 0, "0")
			t.Logf("%d changes, %d states; %d times a session lost what was shown, and said so; %d logs were trimmed", len(c.told), c.states, c.epochs, c.trimmed)
			if how.limit > 0 && c.trimmed == 0 {
				t.Error("no log was trimmed")
			}
		})
	}
}

// crashes is one daemon's life and the losses of power in it.
type crashes struct {
	mode           supervisor.Durability
	limit          int64
	disk           *disktest.Disk
	told           []told
	logs           map[string][]byte
	keys           map[string]string
	states, epochs int
	trimmed        int
}

func (c *crashes) happen(t *testing.T, changes int) {
	w := &witness{rings: map[string]*ring.Ring{}, gone: map[string]bool{}, keys: map[string]string{}}
	d := start(t, t.TempDir(), func(cfg *supervisor.Config) {
		disk := record(cfg.Data)
		disk.mem.Fail(func(int, disktest.Op) *disktest.Fault {
			w.told = append(w.told, w.look())
			return nil
		})
		c.disk, cfg.Files, cfg.Durability, cfg.CheckpointBytes = disk.mem, disk, c.mode, 1
		cfg.LogLimit = c.limit
		cfg.SyncApart, cfg.SyncShared = -1, 4<<10 // all syncs are shared, by files that go soon
	})
	begun := c.disk.Count() - len(w.told) // before anybody asked
	w.talk(d, c.disk, changes)
	d.close()
	c.told = slices.Concat(make([]told, begun), w.told, []told{w.look()})
	c.logs, c.keys = written(c.disk), w.keys
}

// promised is what clients were told before the power was lost, and of it what the mode promises to keep.
func (c *crashes) promised(n int) (now told, safe map[string]uint64) {
	n = min(n, len(c.told)-1)
	now = c.told[n]
	switch c.mode {
	case supervisor.DurableAlways:
		return now, now.shown
	case supervisor.DurableInterval:
		for ; n > 0; n-- {
			if before := c.told[n-1]; now.at.Sub(before.at) > interval {
				return now, before.shown
			}
		}
	case supervisor.DurableOS:
	}
	return now, nil
}

// interval is the promise of DurableInterval, and the sync itself.
const interval = 101 * time.Millisecond

// state starts a daemon on what a loss of power after n changes left.
func (c *crashes) state(t *testing.T, n, choice int, left *disktest.Disk) {
	data := t.TempDir()
	if err := restore(left, filepath.Join(data, "data")); err != nil {
		t.Fatal(err)
	}
	told, safe := c.promised(n)
	where := fmt.Sprintf("%s, power lost after %d changes, choice %d", c.mode, n, choice)
	core, logged := observer.New(zap.WarnLevel)
	defer func() {
		if t.Failed() {
			t.Logf("%s: the daemon's log: %v", where, logged.All())
		}
	}()
	d := start(t, data, func(cfg *supervisor.Config) {
		cfg.Files, cfg.Durability, cfg.Log, cfg.CheckpointBytes = swift{disk.OS()}, c.mode, zap.New(core), 1
		cfg.LogLimit = c.limit
	})
	defer d.close()
	page, err := d.List(t.Context(), supervisor.Query{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, s := range page.Sessions {
		there[s.ID] = true
	}
	for _, id := range told.gone {
		if there[id] {
			t.Errorf("%s: session %s is back", where, id)
		}
	}
	for id := range told.shown {
		if !there[id] {
			t.Errorf("%s: session %s is gone", where, id)
		}
	}
	for id := range there {
		log := d.shown(id)
		if gone := c.gone(log, id); gone > 0 {
			log = append(c.logs[id][:gone:gone], log...)
			c.trimmed++
		}
		sum, err := d.Look(t.Context(), id)
		if err != nil || sum.ReadOnly {
			t.Fatalf("%s: %+v, %v", where, sum, err)
		}
		kept := common(log, c.logs[id])
		known := json.Valid(left.Bytes("sessions/" + id + "/session.json"))
		switch lost := kept < told.shown[id]; {
		case kept < safe[id]:
			t.Errorf("%s: events %d to %d of %s are lost", where, kept+1, safe[id], id)
		case lost && (sum.Epoch < 2 || !bytes.Contains(log, []byte(`"type":"epoch"`))):
			t.Errorf("%s: events %d to %d of %s are lost in silence, epoch %d", where, kept+1, told.shown[id], id, sum.Epoch)
		case lost:
			c.epochs++
		case sum.Epoch > 1 && c.mode == supervisor.DurableAlways && known:
			t.Errorf("%s: session %s begins epoch %d, and nothing is lost", where, id, sum.Epoch)
		}
		if upTo, good := d.agrees(id); !good || sum.Epoch == 1 && upTo != protocol.MaxSeq || sum.Epoch == 2 && upTo != kept {
			t.Errorf("%s: cursors of %s are good up to %d (%v), and %d events are as they were", where, id, upTo, good, kept)
		}
		c.pictures(t, where, d, id, log)
		if again := d.keyed(c.keys[id]); again.ID != id || !again.Repeated {
			t.Errorf("%s: the key of session %s makes session %s", where, id, again.ID)
		}
	}
	c.states++
}

// gone is how many bytes of a log retention has dropped, or is about to.
func (c *crashes) gone(log []byte, id string) int {
	if c.limit == 0 {
		return 0
	}
	line, _, _ := bytes.Cut(log, []byte("\n"))
	return max(0, bytes.Index(c.logs[id], append(line, '\n')))
}

// pictures: what a prompt names can be read, if the prompt could not be lost.
func (c *crashes) pictures(t *testing.T, where string, d *daemon, id string, log []byte) {
	if c.mode != supervisor.DurableAlways || !bytes.Contains(log, []byte("sha256:")) {
		return
	}
	names, err := filepath.Glob(filepath.Join(d.folder(id), "images", "[0-9a-f]*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%s: pictures of %s: %v, %v", where, id, names, err)
	}
	if b, err := os.ReadFile(names[0]); err != nil || !bytes.Equal(b, picture) {
		t.Errorf("%s: picture of %s: %q, %v", where, id, b, err)
	}
}
