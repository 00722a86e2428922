package supervisor_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// lines reads a session's raw archive.
func (d *daemon) lines(id string) []supervisor.RawLine {
	d.t.Helper()
	r, err := d.Raw(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	var all []supervisor.RawLine
	for l, err := range r.Lines() {
		if err != nil {
			d.t.Fatal(err)
		}
		l.Data = append(json.RawMessage(nil), l.Data...)
		all = append(all, l)
	}
	return all
}

// events are the events of a session's journal by seq.
func (d *daemon) events(id string) map[uint64]protocol.Event {
	d.t.Helper()
	all := map[uint64]protocol.Event{}
	for line := range strings.Lines(d.file(id)) {
		e, err := protocol.Decode([]byte(line))
		if err != nil {
			d.t.Fatal(err)
		}
		all[e.Seq] = e
	}
	return all
}

const dies = "go\n```script\n" + `[{"say":{"text":"some words"}},{"die":{"code":3}}]` + "\n```"

// Native lines of two connections are there with the events that they became, also while the session is passive, and nothing is started to read
// them.
func TestRawLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		r := d.prompt(s.ID, dies)
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		r = d.prompt(s.ID, "a second prompt")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		d.start()
		defer d.close()
		all, events := d.lines(s.ID), d.events(s.ID)
		if live := d.Health().Live; live != 0 {
			t.Errorf("%d sessions were started", live)
		}
		heard, ended, deltas, last := 0, 0, 0, uint64(0)
		incarnations := map[uint32]bool{}
		for i, l := range all {
			incarnations[l.Incarnation] = true
			if l.Number != uint64(i+1) || l.Time == 0 {
				t.Fatalf("line %d has number %d, time %d", i+1, l.Number, l.Time)
			}
			if l.Dir == "meta" && strings.Contains(string(l.Data), `"exit"`) {
				ended++
			}
			if l.Dir == "in" && strings.Contains(string(l.Data), "a second prompt") {
				heard++
			}
			if l.To == 0 {
				continue
			}
			if l.From > l.To || l.From < last {
				t.Fatalf("line %d became %d to %d, after %d", l.Number, l.From, l.To, last)
			}
			last = l.From
			if strings.Contains(string(l.Data), `"text_delta"`) {
				found := false
				for seq := l.From; seq <= l.To; seq++ {
					_, is := events[seq].Payload.(*protocol.EntryDelta)
					found = found || is
				}
				if deltas++; !found {
					t.Errorf("line %d became events %d to %d, and none of them is its delta", l.Number, l.From, l.To)
				}
			}
		}
		if heard != 1 || ended != 2 || deltas == 0 || len(incarnations) != 2 {
			t.Errorf("%d prompts heard, %d exits, %d deltas, %d incarnations", heard, ended, deltas, len(incarnations))
		}
		if _, err := d.Raw(t.Context(), "00000000-0000-4000-8000-000000000099"); code(err) != protocol.CodeSessionNotFound {
			t.Errorf("of no session: %v", err)
		}
	})
}

// cut gives the entry of a type whose text the log has cut.
func (d *daemon) cut(id string, of protocol.EntryType) supervisor.CutEntry {
	d.t.Helper()
	for _, e := range d.events(id) {
		if p, ok := e.Payload.(*protocol.EntryEnd); ok {
			if _, c := protocol.EntryText(p.Data); c.Truncated && p.EntryType == of {
				return supervisor.CutEntry{EntryID: p.EntryID, Type: p.EntryType, Data: p.Data}
			}
		}
	}
	d.t.Fatalf("nothing is cut in\n%s", d.file(id))
	return supervisor.CutEntry{}
}

// A text that the log has cut is whole in the archive, until the lines are gone.
func TestWholeText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		s := d.create()
		whole := strings.Repeat("0123456789é", 20_000) + "the end"
		prompt := "go\n```script\n" + `[{"tool":{"name":"bash","output":["` + whole + `"]}},{"tool":{"name":"bash","output":["short"]}}]` + "\n```"
		r := d.prompt(s.ID, prompt)
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		e := d.cut(s.ID, protocol.EntryToolCall)
		if text, err := d.WholeText(t.Context(), s.ID, e); err != nil || text != whole {
			t.Fatalf("%d bytes of %d, %v", len(text), len(whole), err)
		}
		if text, err := d.WholeText(t.Context(), s.ID, d.cut(s.ID, protocol.EntryUserMessage)); err != nil || text != prompt {
			t.Fatalf("%d bytes of %d, %v", len(text), len(prompt), err)
		}
		output := *e.Data.(*protocol.ToolCallData)
		for name, c := range map[string]struct {
			change func(e *supervisor.CutEntry)
			want   protocol.Code
		}{
			"too large":                  {func(_ *supervisor.CutEntry) { output.Bytes = supervisor.MaxWholeText + 1 }, protocol.CodeTooLarge},
			"another length":             {func(_ *supervisor.CutEntry) { output.Bytes-- }, protocol.CodeRawGone},
			"another beginning":          {func(_ *supervisor.CutEntry) { output.Output = "x" + output.Output[1:] }, protocol.CodeRawGone},
			"another call":               {func(_ *supervisor.CutEntry) { output.CallID += "x" }, protocol.CodeRawGone},
			"the daemon's own":           {func(e *supervisor.CutEntry) { e.EntryID = "d7" }, protocol.CodeRawGone},
			"of another connection":      {func(e *supervisor.CutEntry) { e.EntryID = "e2.1" }, protocol.CodeRawGone},
			"of a connection before all": {func(e *supervisor.CutEntry) { e.EntryID = "e0.1" }, protocol.CodeRawGone},
		} {
			output = *e.Data.(*protocol.ToolCallData)
			other := supervisor.CutEntry{EntryID: e.EntryID, Type: e.Type, Data: &output}
			c.change(&other)
			if _, err := d.WholeText(t.Context(), s.ID, other); code(err) != c.want {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := os.RemoveAll(filepath.Join(d.folder(s.ID), "raw")); err != nil {
			t.Fatal(err)
		}
		if _, err := d.WholeText(t.Context(), s.ID, e); code(err) != protocol.CodeRawGone {
			t.Errorf("without lines: %v", err)
		}
	})
}

// Without an archive nothing is written, and nothing else changes.
func TestNoArchive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.RawLimit = -1 })
		defer d.close()
		s := d.create()
		r := d.prompt(s.ID, "hello")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		if all := d.lines(s.ID); len(all) != 0 {
			t.Errorf("%d lines", len(all))
		}
	})
}

// A session goes with its native lines, also while its agent speaks.
func TestDeleteRemovesTheArchive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		s := d.create()
		r := d.prompt(s.ID, "go\n```script\n"+`[{"flood":{"lines":5000}}]`+"\n```")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		if err := d.Delete(t.Context(), s.ID); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if left, err := filepath.Glob(filepath.Join(d.cfg.Data, "sessions", "*")); err != nil || len(left) > 0 {
			t.Errorf("left: %q, %v", left, err)
		}
	})
}

// What is the case now is counted over all sessions, and not after them.
func TestGauges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.StallAfter = 3 * time.Second })
		defer d.close()
		asks, silent := d.create(), d.create()
		r := d.prompt(asks.ID, "go\n```script\n"+`[{"ask":{"method":"confirm","title":"Well?"}}]`+"\n```")
		d.until(asks.ID, r.Cursor.Seq, protocol.TypeRequestOpened)
		d.prompt(silent.ID, "go\n```script\n"+`[{"say":{"text":"wait"}},{"stall":{}}]`+"\n```")
		time.Sleep(5 * time.Second) // of the bubble: longer than StallAfter
		synctest.Wait()
		if h := d.Health(); h.OpenRequests != 1 || h.Stalled != 1 || h.RawBytes == 0 || h.RawGaps != 0 || h.RawLost != 0 {
			t.Fatalf("%+v", h)
		}
		for _, id := range []string{asks.ID, silent.ID} {
			_, err := session.Ask(t.Context(), d.find(id), &session.End{})
			if err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if h := d.Health(); h.OpenRequests != 0 || h.Stalled != 0 {
			t.Fatalf("after the end: %+v", h)
		}
	})
}

// StallAfter below zero is never.
func TestNeverStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.StallAfter = -1 })
		defer d.close()
		s := d.create()
		d.prompt(s.ID, "go\n```script\n"+`[{"say":{"text":"wait"}},{"stall":{}}]`+"\n```")
		time.Sleep(24 * time.Hour) // of the bubble
		synctest.Wait()
		if h := d.Health(); h.Stalled != 0 {
			t.Fatalf("%+v", h)
		}
	})
}
