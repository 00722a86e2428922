package link

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// costs is a log of so many events, a second apart, each of which costs a millionth, as somebody estimates, for three tokens.
func costs(events int, asked *[]uint64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		since := uint64(0)
		if c, err := protocol.ParseCursor(r.URL.Query().Get("since")); err == nil {
			since = c.Seq
		}
		*asked = append(*asked, since)
		w.Header().Set("X-Session-Version", strconv.Itoa(events))
		w.Header().Set("X-Session-Epoch", "1")
		for n := since + 1; n <= uint64(events); n++ {
			e := protocol.Event{Seq: n, Time: int64(n) * 1000, Payload: &protocol.TokenUsage{Usage: protocol.Usage{TotalTokens: 3}, Cost: &protocol.Cost{Total: 0.000001, Estimated: true}}}
			_, _ = w.Write(append(protocol.Append(nil, &e), '\n'))
		}
	}
}

// What a session had spent before a time follows from the end of its log; no more of it is read than reaches back so far, and a log that has said too much since is
// said to be too long.
func TestSpentBefore(t *testing.T) {
	for _, c := range []struct {
		events, before int
		want           int64
		readings       int
		err            bool
	}{
		{10, 4, 1003, 1, false},        // the whole log
		{3000, 2900, 3899, 1, false},   // its end
		{10_000, 4000, 4999, 3, false}, // pieces that double
		{70_000, 6000, 6999, 6, false}, // the longest one
		{100_000, 10, 0, 6, true},      // too far
		{5, 100, 1005, 1, false},       // nothing since
	} {
		var asked []uint64
		l := linked(t, map[string]http.HandlerFunc{"/log": costs(c.events+20, &asked)}) // the log has gone on since
		n := int64(c.events)
		l.Do(desk.ReadSpent{
			Session: session, Cursor: strconv.Itoa(c.events), Total: protocol.Spent{CostMicros: 1000 + n, EstimatedMicros: 1000 + n, TotalTokens: 3 * (1000 + n)}, Since: time.UnixMilli(int64(c.before) * 1000),
		})
		until(t, l, func(n desk.News) bool {
			s, is := n.(desk.SpentBefore)
			if !is {
				return false
			}
			if s.Before != (protocol.Spent{CostMicros: c.want, EstimatedMicros: c.want, TotalTokens: 3 * c.want}) || (s.Err != "") != c.err || s.Far != c.err || s.Away || len(asked) != c.readings {
				t.Errorf("%d events: %+v after %d readings, want %d", c.events, s, len(asked), c.want)
			}
			return true
		})
	}
}

// That no daemon has answered is told apart from what a daemon has said.
func TestSpentBeforeOfNobody(t *testing.T) {
	for away, log := range map[bool]http.HandlerFunc{
		true:  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		false: func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) },
	} {
		l := linked(t, map[string]http.HandlerFunc{"/log": log})
		l.Do(desk.ReadSpent{Session: session, Cursor: "5", Since: time.UnixMilli(1)})
		until(t, l, func(n desk.News) bool {
			s, is := n.(desk.SpentBefore)
			if is && (s.Err == "" || s.Away != away || s.Far) {
				t.Errorf("%+v, away %v", s, away)
			}
			return is
		})
	}
}

// Where a session does not say what its agent offers, what the newest session of that agent has said is offered.
func TestChoicesOfTheAgent(t *testing.T) {
	answer := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(text))
		}
	}
	l := linked(t, map[string]http.HandlerFunc{
		"/models":     answer(`{"known":false,"models":[],"all":false,"model":"a"}`),
		"/modes":      answer(`{"known":true,"modes":[{"id":"plan"}],"mode":"plan"}`),
		"/agents":     answer(`{"agents":[{"name":"pi","modelsKnown":true,"models":[{"id":"x"}]},{"name":"codex","modelsKnown":true,"allModels":true,"models":[{"id":"a"},{"id":"b"}]}],"processes":{}}`),
		"/" + session: answer(`{"id":"` + session + `","agent":"codex"}`),
	})
	l.Do(desk.ListChoices{Session: session, What: desk.Model})
	until(t, l, func(n desk.News) bool {
		c, is := n.(desk.Choices)
		if is && (len(c.List) != 2 || c.List[1].ID != "b" || c.Current != "a" || c.Err != "" || c.Others) {
			t.Errorf("%+v", c)
		}
		return is
	})
	l.Do(desk.ListChoices{Session: session, What: desk.Mode})
	until(t, l, func(n desk.News) bool {
		c, is := n.(desk.Choices)
		if is && (len(c.List) != 1 || c.Current != "plan" || c.What != desk.Mode) {
			t.Errorf("%+v", c)
		}
		return is
	})
}

// A picture is written where somebody is, or into a folder of its own where the desktop shows it; where no desktop is there it is said where the file lies.
func TestPictureIsSaved(t *testing.T) {
	data := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 50)...)
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	l := linked(t, map[string]http.HandlerFunc{"/images/" + digest: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }})
	here := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	shown := ""
	l.desktop = Desktop{Folder: here, Show: func(_ context.Context, path string) error {
		shown = path
		return errors.New("there is no desktop here")
	}}
	said := func(w desk.Wish) (d desk.Done) {
		l.Do(w)
		until(t, l, func(n desk.News) bool {
			one, is := n.(desk.Done)
			if is = is && one.Wish == w; is { // news come together, and others may follow it
				d = one
			}
			return is
		})
		return d
	}
	if d := said(desk.SavePicture{Session: session, Digest: digest, Media: "image/png"}); d.Err != "" || filepath.Dir(d.How) != here {
		t.Errorf("%+v", d)
	}
	d := said(desk.SavePicture{Session: session, Digest: digest, Media: "image/png", Show: true})
	if !strings.Contains(d.Err, "no desktop here; it is written to "+shown) || strings.HasPrefix(shown, here) {
		t.Errorf("%+v, %s", d, shown)
	}
	if _, err := os.Stat(shown); err != nil {
		t.Error(err)
	}
	if d := said(desk.SavePicture{Session: session, Digest: digest, Media: "text/html", Show: true}); !strings.Contains(d.Err, "only PNG") {
		t.Errorf("a page is shown: %+v", d)
	}
	l.Do(desk.Weigh{Session: session, Digests: []string{digest, strings.Repeat("0a", 32)}})
	until(t, l, func(n desk.News) bool {
		w, is := n.(desk.Weighed)
		if is && (w.Sizes[digest] != int64(len(data)) || len(w.Sizes) != 1 || len(w.Errs) != 1) {
			t.Errorf("%+v", w)
		}
		return is
	})
	if d := said(desk.CancelPrompt{Session: session, Prompt: "p1"}); d.Err == "" {
		t.Error("a refusal is not told")
	}
}

// A prompt whose picture cannot be read is not sent without it.
func TestPromptWithoutItsPicture(t *testing.T) {
	l := linked(t, map[string]http.HandlerFunc{"/prompts": func(http.ResponseWriter, *http.Request) { t.Error("it was sent") }})
	l.Do(desk.Prompt{Session: session, Text: "look", Pictures: []string{filepath.Join(t.TempDir(), "none.png")}, Key: "k"})
	until(t, l, func(n desk.News) bool {
		d, is := n.(desk.Done)
		if is && !strings.Contains(d.Err, "none.png") {
			t.Errorf("%+v", d)
		}
		return is
	})
}
