package client

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// opened is how many events BenchmarkOpen has stored, of which a hundredth stands behind the checkpoint.
const opened = 100_000

// longLog is a log of turns in which a message is written in many deltas, as agents write them.
func longLog(n int) (lines [][]byte) {
	const each = 100
	for seq := 1; seq <= n; seq++ {
		var text string
		switch turn := seq / each; {
		case seq == 1:
			text = `"type":"session_start","sessionId":"` + mirrored + `","agentBackend":"pi","metadata":{"cwd":"/srv/shop"}`
		case seq%each == 1:
			text = fmt.Sprintf(`"type":"entry_start","turnId":"t%d","entryId":"e%d","entryType":"assistant_message","data":{"role":"assistant","text":""}`, turn, turn)
		case seq%each == 0:
			text = fmt.Sprintf(`"type":"entry_end","turnId":"t%d","entryId":"e%d","entryType":"assistant_message","data":{"role":"assistant","text":%q}`, turn-1, turn-1, bytes.Repeat([]byte("some words of it "), each-2))
		default:
			text = fmt.Sprintf(`"type":"entry_delta","entryId":"e%d","delta":{"op":"text_append","text":"some words of it "}`, turn)
		}
		lines = append(lines, fmt.Appendf(nil, `{"seq":%d,"ts":%d,%s}`, seq, 1767225600000+seq, text))
	}
	return lines
}

// BenchmarkOpen: a mirror opens a session of 100,000 events, with and without a checkpoint before the last 1,000; what looking at the lines costs alone, which
// is their checksum; and what a state costs that is stored.
func BenchmarkOpen(b *testing.B) {
	lines := longLog(opened)
	folder, err := cache.Open(b.TempDir(), cache.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer folder.Close()
	session, _, err := folder.Session(mirrored)
	if err != nil {
		b.Fatal(err)
	}
	state := new(protocol.SessionState)
	store := func(from, to int) {
		if err := session.Do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: uint64(to)}, Lines: lines[from:to]}); err != nil {
			b.Fatal(err)
		}
		for _, line := range lines[from:to] {
			e, err := protocol.Decode(line)
			if err != nil {
				b.Fatal(err)
			}
			state.Apply(&e)
		}
	}
	const behind = opened / 100
	store(0, opened-behind)
	at := protocol.Cursor{Epoch: 1, Seq: opened - behind}
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			if err := session.SaveState(at, state.AppendJSON(nil)); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(state.AppendJSON(nil))))
	})
	store(opened-behind, opened)
	session.Close()
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			session, found, err := folder.Session(mirrored)
			if err != nil || found.File.Sum != found.Index.Sum || found.Checkpoint == nil {
				b.Fatal(err)
			}
			session.Close()
			b.SetBytes(found.File.Length)
		}
	})
	open := func(b *testing.B, drop bool) {
		for b.Loop() {
			m := newClient("http://localhost", "the fake", "", whole{complete}, nil).Mirror(MirrorOptions{Cache: noSave{Files(folder), drop}, States: true})
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				_ = m.Run(ctx)
			}()
			<-m.Synced()
			if at, _ := m.At(mirrored); at.Seq != opened {
				b.Fatal("it is not open")
			}
			cancel()
			<-done
		}
	}
	b.Run("lines", func(b *testing.B) { open(b, true) })
	b.Run("state", func(b *testing.B) { open(b, false) })
}

// noSave is a cache that stores no states, and may hide the one that it has.
type noSave struct {
	Cache
	hide bool
}

func (n noSave) Open(id string) (CachedSession, sync.Open, error) {
	s, found, err := n.Cache.Open(id)
	if n.hide {
		found.Checkpoint = nil
	}
	return unsaved{s.(StateKeeper)}, found, err
}

type unsaved struct{ StateKeeper }

func (unsaved) SaveState(protocol.Cursor, []byte) error { return nil }
