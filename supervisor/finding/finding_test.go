package finding

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"go.uber.org/zap"
)

const id = "4d3f9a10-0000-4000-8000-000000000001"

// bench is a data folder in which one session comes and goes.
type bench struct {
	*testing.T
	*Reader
}

func newBench(t *testing.T) *bench {
	data, files := folder.Data{Root: t.TempDir()}, disk.OS()
	if err := os.MkdirAll(data.Sessions(), 0o700); err != nil {
		t.Fatal(err)
	}
	return &bench{t, New(Config{Data: data, Files: files, Store: journal.In(data.Session, journal.Options{FS: files}), Log: zap.NewNop(), Booted: time.Now()})}
}

// gone takes the session away.
func (b *bench) gone() {
	b.Helper()
	if err := os.RemoveAll(b.Data.Session(id)); err != nil {
		b.Fatal(err)
	}
}

// whole puts a session there that can be read.
func (b *bench) whole() {
	b.Helper()
	b.gone()
	j, err := b.Store.Create(id)
	if err != nil {
		b.Fatal(err)
	}
	line := protocol.Append(nil, &protocol.Event{Seq: 1, Time: 1, Payload: &protocol.SessionStart{AgentBackend: "pi"}})
	if err := errors.Join(j.Append(store.Batch{First: 1, Count: 1, Lines: append(line, '\n')}), j.Close()); err != nil {
		b.Fatal(err)
	}
}

// damaged puts one there that has a picture, and of whose log no line is left.
func (b *bench) damaged() {
	b.Helper()
	b.gone()
	j, err := b.Store.Create(id)
	if err != nil {
		b.Fatal(err)
	}
	picture := filepath.Join(b.Data.Images(id), "a.png")
	if err = errors.Join(j.Close(), os.MkdirAll(filepath.Dir(picture), 0o700), os.WriteFile(picture, []byte("x"), 0o600)); err != nil {
		b.Fatal(err)
	}
}

// unread puts one there whose session.json a newer build wrote.
func (b *bench) unread() {
	b.Helper()
	b.whole()
	if err := os.WriteFile(b.Data.Record(id), []byte(`{"version":99}`), 0o600); err != nil {
		b.Fatal(err)
	}
}

// TestRefusalIsOfWhatIsThere: a session whose files were left as they are, and that comes back whole from another node, is not refused; nor is one of which
// nothing is there any more.
func TestRefusalIsOfWhatIsThere(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		name         string
		put          func()
		is, isRefuse bool
	}{
		{"whole", b.whole, true, false},
		{"damaged", b.damaged, true, true},
		{"whole again", b.whole, true, false},
		{"unread", b.unread, true, true},
		{"whole once more", b.whole, true, false},
		{"damaged again", b.damaged, true, true},
		{"gone", b.gone, false, false},
	} {
		c.put()
		x, is := b.Session(id)
		if err := b.Refusal(id); is != c.is || (err != nil) != c.isRefuse {
			t.Errorf("%s: a session: %v, refused: %v", c.name, is, err)
		}
		if is && (x.Summary.Damage != nil) != c.isRefuse {
			t.Errorf("%s: its damage is %v", c.name, x.Summary.Damage)
		}
	}
}
