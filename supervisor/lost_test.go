package supervisor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// folderOf gives all files of a session, its session.json aside.
func (d *daemon) folderOf(id string) map[string]string {
	d.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(d.folder(id), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "session.json" {
			return err
		}
		b, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, d.folder(id))] = string(b)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return files
}

// damage is a way in which a session's folder loses something between two daemons.
type damage struct {
	do   func(d *daemon, id string)
	file string // that is named
}

func cutTo(n int64) func(*daemon, string)    { return cut("000001.ndjson", n) }
func cutIndex(n int64) func(*daemon, string) { return cut("000001.index", n) }

func cut(name string, n int64) func(*daemon, string) {
	return func(d *daemon, id string) {
		if err := os.Truncate(filepath.Join(d.folder(id), name), n); err != nil {
			d.t.Fatal(err)
		}
	}
}

func without(names ...string) func(*daemon, string) {
	return func(d *daemon, id string) {
		for _, n := range names {
			if err := os.RemoveAll(filepath.Join(d.folder(id), n)); err != nil {
				d.t.Fatal(err)
			}
		}
	}
}

func and(do ...func(*daemon, string)) func(*daemon, string) {
	return func(d *daemon, id string) {
		for _, f := range do {
			f(d, id)
		}
	}
}

// TestLostBytesAreDamage: what a disk lost of a session that was closed in order makes it read-only, and is named in the daemon's log, in session.json and in
// what a list shows, by every daemon that starts. Nothing in the folder is changed or removed, until somebody deletes the session.
func TestLostBytesAreDamage(t *testing.T) {
	newer := func(d *daemon, id string) {
		d.write(id, "session.json", `{"version":99,"all":["of","it"],"summary":{"ID":"`+id+`"}}`)
	}
	const lines = "000001.ndjson"
	for name, c := range map[string]damage{
		"cut to nothing":                            {cutTo(0), lines},
		"cut to 700 bytes":                          {cutTo(700), lines},
		"cut to nothing, without a record":          {and(cutTo(0), without("session.json")), lines},
		"cut to 700 bytes, without a record":        {and(cutTo(700), without("session.json")), lines},
		"without lines":                             {without(lines), lines},
		"without lines and record":                  {without(lines, "session.json"), lines},
		"without a journal":                         {without(lines, "000001.index"), lines},
		"with native lines and images only":         {without(lines, "000001.index", "session.json"), lines},
		"with images only":                          {without(lines, "000001.index", "session.json", "raw"), lines},
		"with records only":                         {and(cutTo(0), cutIndex(192), without("session.json", "raw", "images")), lines},
		"with native lines beside an empty journal": {and(cutTo(0), cutIndex(64), without("session.json", "images")), lines},
		"with an empty journal":                     {and(cutTo(0), without("000001.index", "session.json")), lines},
		"with a session.json of a newer build":      {newer, "session.json"},
		"with that and nothing else":                {and(newer, without(lines, "000001.index", "raw", "images")), "session.json"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				core, logged := observer.New(zapcore.WarnLevel)
				d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Log = zap.New(core) })
				defer func() { d.close() }()
				s := d.create()
				if _, _, err := d.Images(s.ID).Put("image/png", []byte("a picture")); err != nil {
					t.Fatal(err)
				}
				r := d.prompt(s.ID, "hello")
				d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
				d.close()
				good := d.file(s.ID)
				c.do(d, s.ID)
				left := d.folderOf(s.ID)
				for range 3 {
					logged.TakeAll()
					d.start()
					synctest.Wait()
					page, err := d.List(t.Context(), supervisor.Query{})
					if err != nil || len(page.Sessions) != 1 {
						t.Fatalf("%+v, %v", page, err)
					}
					sum := page.Sessions[0]
					if sum.ID != s.ID || !sum.ReadOnly || sum.Damage == nil || sum.Damage.File != c.file || sum.Damage.Problem == "" || sum.Damage.Hint == "" {
						t.Fatalf("%+v %+v", sum, sum.Damage)
					}
					if _, err := ask.Ask(t.Context(), d.find(s.ID), sendPrompt("x")); code(err) != protocol.CodeReadOnly {
						t.Fatalf("a prompt: %v", err)
					}
					if h := d.Health(); h.Damaged != 1 || h.Agents != 0 {
						t.Fatalf("%+v", h)
					}
					if all := logged.FilterLevelExact(zapcore.ErrorLevel).TakeAll(); len(all) != 1 || !strings.Contains(fmt.Sprint(all[0].ContextMap()), d.folder(s.ID)) {
						t.Fatalf("logged: %v", all)
					}
					if sum.Seq > 0 && sum.Damage.File == "session.json" && string(d.shown(s.ID)) != good {
						t.Fatal("the journal is whole, and its log is not shown")
					}
					d.close()
					if now := d.folderOf(s.ID); fmt.Sprint(now) != fmt.Sprint(left) {
						t.Fatalf("the folder was changed:\n%q\n%q", left, now)
					}
					b, err := os.ReadFile(filepath.Join(d.folder(s.ID), "session.json"))
					said := `"Damage":{"file":"` + lines
					if c.file != lines {
						said = `"version":99,"all":["of","it"]` // it is as it was
					}
					if err != nil || !strings.Contains(string(b), said) {
						t.Fatalf("session.json: %v, %s", err, b)
					}
				}
				d.start()
				if err := d.Delete(t.Context(), s.ID); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(d.folder(s.ID)); !os.IsNotExist(err) {
					t.Fatalf("deleted: %v", err)
				}
			})
		})
	}
}

// TestDamageIsLookedAtAgain by the next daemon, which counts it, and finds what was restored.
func TestDamageIsLookedAtAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer func() { d.close() }()
		s := d.create()
		d.close()
		good := d.file(s.ID)
		d.write(s.ID, "000001.ndjson", strings.Replace(good, "scripted", "skripted", 1))
		d.start()
		if _, err := ask.Ask(t.Context(), d.find(s.ID), sendPrompt("x")); code(err) != protocol.CodeReadOnly {
			t.Fatal(err)
		}
		for damaged := 1; damaged >= 0; damaged-- {
			d.close()
			if damaged == 0 {
				d.write(s.ID, "000001.ndjson", good)
			}
			d.start()
			synctest.Wait()
			sum, err := d.Look(t.Context(), s.ID)
			if h := d.Health(); err != nil || h.Damaged != damaged || sum.ReadOnly != (damaged > 0) || (sum.Damage != nil) != (damaged > 0) {
				t.Fatalf("%d: %+v, %+v, %v", damaged, h, sum, err)
			}
		}
	})
}

// TestMissingNativeLines: an archive that ends before the log does says so.
func TestMissingNativeLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		d.until(s.ID, d.prompt(s.ID, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		files, err := filepath.Glob(filepath.Join(d.folder(s.ID), "raw", "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v, %v", files, err)
		}
		d.start()
		defer d.close()
		whole := d.lines(s.ID)
		var newest uint64
		for _, l := range whole {
			newest = max(newest, l.To)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, spoil := range []func() error{
			func() error { return os.Truncate(files[0], int64(len(text)/2)) },
			func() error { return os.Truncate(files[0], 0) },
			func() error { return os.RemoveAll(filepath.Dir(files[0])) },
		} {
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			left := d.lines(s.ID)
			if last := left[len(left)-1]; last.Dir != "note" || string(last.Data) != `{"event":"missing"}` || last.To != newest || last.From == 0 {
				t.Fatalf("%d of %d lines, the last one %+v %s", len(left), len(whole), last, last.Data)
			}
		}
		if last := whole[len(whole)-1]; last.Dir == "note" {
			t.Errorf("nothing was missing: %s", last.Data)
		}
	})
}

// TestDeleteLeavesNothing: of a session that is deleted nothing names it any more, nor has what it was told, in the folders of the daemon and of the agent whose
// sessions it keeps. What another session goes on with stays until that one goes.
func TestDeleteLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := t.TempDir()
		d := start(t, data, nil)
		defer func() { d.close() }()
		key := supervisor.Key{By: "ann", Name: "the-key"}
		s := d.keyedBy(supervisor.NewSession{Agent: "scripted", Cwd: d.root, Key: key})
		const secret = "nobody else knows this"
		if _, _, err := d.Images(s.ID).Put("image/png", []byte(secret)); err != nil {
			t.Fatal(err)
		}
		d.until(s.ID, d.prompt(s.ID, secret).Cursor.Seq, protocol.TypeTurnEnd)
		native := d.look(s.ID).NativeSessionID
		stored := func() (files []string) {
			synctest.Wait() // what is being written is there then, under its own name
			err := filepath.WalkDir(data, func(path string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				b, err := os.ReadFile(path)
				if all := path + string(b); strings.Contains(all, s.ID) || strings.Contains(all, native) || strings.Contains(all, secret) {
					files = append(files, strings.TrimPrefix(path, data))
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			return files
		}
		if before := fmt.Sprint(stored()); !strings.Contains(before, "/agent/") || !strings.Contains(before, "/idempotency") || !strings.Contains(before, "/images/") {
			t.Fatalf("stored: %s", before)
		}
		d.end(s.ID)
		other, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root, NativeSessionID: native})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := d.Delete(t.Context(), s.ID); err != nil {
			t.Fatal(err)
		}
		if left := fmt.Sprint(stored()); !strings.Contains(left, "/agent/") || strings.Contains(left, "/sessions/"+s.ID) || strings.Contains(left, "/idempotency") {
			t.Errorf("another session goes on with the agent's own: %s", left)
		}
		if err := d.Delete(t.Context(), other.ID); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if left := stored(); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// TestLostSegmentIsDamage: the newest segment that is gone with its index, the oldest of which is as it was closed, is no log that ended earlier.
func TestLostSegmentIsDamage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, disk := faulty(t, nil)
		defer func() { d.close() }()
		id := d.create().ID
		r := d.prompt(id, "hello")
		d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
		synctest.Wait() // what follows a turn is written
		refused := false
		disk.set(func(string) error {
			if refused {
				return nil
			}
			refused = true
			return syscall.ENOSPC
		})
		r = d.prompt(id, "into another segment")
		d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		whole, newest := d.folderOf(id), ""
		for name := range whole {
			if strings.HasPrefix(name, "/0") && strings.HasSuffix(name, ".ndjson") && name > newest { // not of raw
				newest = name
			}
		}
		if newest == "/000001.ndjson" || whole[newest] == "" {
			t.Fatalf("there is one segment: %s", newest)
		}
		without(newest, strings.TrimSuffix(newest, "ndjson")+"index")(d, id)
		left := d.folderOf(id)
		for range 2 {
			d.start()
			synctest.Wait()
			sum, err := d.Look(t.Context(), id)
			if err != nil || !sum.ReadOnly || sum.Damage == nil || sum.Damage.Seq != r.Cursor.Seq+1 || sum.Damage.Hint == "" {
				t.Errorf("%+v %+v, %v", sum, sum.Damage, err)
			}
			if _, err := ask.Ask(t.Context(), d.find(id), sendPrompt("x")); code(err) != protocol.CodeReadOnly {
				t.Errorf("a prompt: %v", err)
			}
			d.close()
			if now := d.folderOf(id); fmt.Sprint(now) != fmt.Sprint(left) {
				t.Errorf("the folder was changed:\n%q\n%q", left, now)
			}
		}
		for name, text := range whole {
			d.write(id, name, text)
		}
		d.start()
		synctest.Wait()
		if sum, err := d.Look(t.Context(), id); err != nil || sum.ReadOnly || sum.Damage != nil {
			t.Errorf("restored: %+v %+v, %v", sum, sum.Damage, err)
		}
	})
}
