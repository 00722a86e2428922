package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (w *world) logEquals(a args) error {
	if w.loose {
		want := w.file.want(a["FILE"], w.era)
		err := w.await(a["SESSION"], func(events []protocol.Event) bool { // for the number of events; what they are is compared below
			var b []byte
			for i := range events {
				if cursor, err := protocol.ParseCursor(a["CURSOR"]); err != nil || events[i].Seq > cursor.Seq {
					b = protocol.AppendLine(b, &events[i])
				}
			}
			return countLines(b) >= countLines(want)
		})
		if err != nil && !errors.Is(err, errNever) { // what is missing the comparison shows
			return err
		}
	}
	b, err := w.log(a["SESSION"], a["CURSOR"])
	if err != nil {
		return err
	}
	return w.golden(a["FILE"], b)
}

// received is about streams, clients and pollers; nothing is no file.
func (w *world) received(a args) error {
	want := w.file.want(a["FILE"], w.era)
	if p := w.pollers[a["NAME"]]; p != nil {
		b, err := p.page.lines()
		if err != nil {
			return err
		}
		if a["FILE"] == "nothing" {
			if len(p.page.Events) > 0 {
				return fmt.Errorf("received:\n%s", b)
			}
			return nil
		}
		return w.golden(a["FILE"], b)
	}
	var b []byte
	if c := w.clients[a["NAME"]]; c != nil {
		b = c.received(want)
	} else if s, err := w.reader(a["NAME"]); err == nil {
		b = s.received(want)
	} else {
		return err
	}
	if a["FILE"] != "nothing" {
		return w.golden(a["FILE"], b)
	}
	if len(bytes.TrimSpace(b)) > 0 {
		return fmt.Errorf("received:\n%s", b)
	}
	return nil
}

// shownHeaders are the members of an answer that checks compare.
var shownHeaders = []string{"Content-Type", "Content-Encoding", "Location", "X-Session-Version", "X-Session-Epoch", "Allow", "Retry-After"}

func (w *world) answerIs(a args) error {
	if w.last == nil {
		return fmt.Errorf("there is no answer yet")
	}
	code := w.last.code
	if code == "" {
		code = strconv.Itoa(w.last.status)
	}
	if code != a["CODE"] {
		return fmt.Errorf("answer %s: %s", code, w.last.body)
	}
	if a["FILE"] == "" {
		return nil
	}
	var b bytes.Buffer
	for _, h := range shownHeaders {
		if v := w.last.header.Get(h); v != "" {
			fmt.Fprintf(&b, "%s: %s\n", h, v)
		}
	}
	if w.last.code == "" {
		b.WriteByte('\n')
	}
	b.Write(w.last.body)
	return w.golden(a["FILE"], b.Bytes())
}

func (w *world) heard(a args) error {
	p, err := w.agent(a["SESSION"])
	if err != nil {
		return err
	}
	b := p.news()
	if a["FILE"] != "nothing" {
		return w.golden(a["FILE"], b)
	}
	if len(b) > 0 {
		return fmt.Errorf("the agent heard:\n%s", b)
	}
	return nil
}

// is waits for a state; idle also means that no prompt waits.
func (w *world) is(a args) error {
	var last protocol.Status
	err := w.await(a["SESSION"], func(events []protocol.Event) bool {
		for i := range slices.Backward(events) {
			if s, ok := events[i].Payload.(*protocol.Status); ok {
				last = *s
				break
			}
		}
		return string(last.State) == a["STATE"] && (last.State != protocol.StateIdle || last.QueuedPrompts == 0)
	})
	if err != nil {
		return fmt.Errorf("state %s: %w", last.State, err)
	}
	return nil
}

func (w *world) count(a args) error {
	want, err := strconv.Atoi(a["N"])
	if err != nil {
		return err
	}
	if !slices.Contains(protocol.Types(), protocol.Type(a["TYPE"])) {
		return fmt.Errorf("there is no event type %s", a["TYPE"])
	}
	n := 0
	tally := func(events []protocol.Event) bool {
		n = 0
		for i := range events {
			if events[i].Payload.Type() == protocol.Type(a["TYPE"]) {
				n++
			}
		}
		return n >= want
	}
	if w.loose {
		if err := w.await(a["SESSION"], tally); err != nil {
			return fmt.Errorf("%d: %w", n, err)
		}
	} else {
		events, err := w.events(a["SESSION"])
		if err != nil {
			return err
		}
		tally(events)
	}
	if n != want {
		return fmt.Errorf("count is %d", n)
	}
	return nil
}

func (w *world) itemsEqual(a args) error {
	events, err := w.events(a["SESSION"])
	if err != nil {
		return err
	}
	list := items(events)
	if a["pushed"] != "" {
		list = pushes(w.id(a["SESSION"]), events)
	}
	b, err := jsonLines(list)
	if err != nil {
		return err
	}
	return w.golden(a["FILE"], b)
}

func (w *world) stateEquals(a args) error {
	path := "/sessions/" + w.id(a["SESSION"]) + "/state"
	if a["CURSOR"] != "" {
		path += "?at=" + a["CURSOR"]
	}
	got, err := w.request(http.MethodGet, path, nil, nil)
	if err == nil {
		err = got.wantSuccess()
	}
	if err != nil {
		return err
	}
	return w.golden(a["FILE"], got.body)
}

// reconstruction compares three folds of one version: of the log here, of what the reader was shown, and the daemon's own.
// A real agent may say its ids at any time after its turn, so there what follows the version counts for none of them.
func (w *world) reconstruction(a args) error {
	s, err := w.reader(a["NAME"])
	if err != nil {
		return err
	}
	events, err := w.events(a["SESSION"])
	if err != nil {
		return err
	}
	version, at := uint64(len(events)), ""
	if w.loose {
		at = fmt.Sprintf("?at=%d", version)
		for s.head() < version {
			if err := s.wait(); err != nil {
				return err
			}
		}
	}
	ofLog := new(protocol.SessionState)
	for i := range events {
		ofLog.Apply(&events[i])
	}
	ofStream, err := s.state(version)
	if err != nil {
		return err
	}
	got, err := w.request(http.MethodGet, "/sessions/"+w.id(a["SESSION"])+"/state"+at, nil, nil)
	if err == nil {
		err = got.wantSuccess()
	}
	if err != nil {
		return err
	}
	want := ofLog.AppendJSON(nil)
	if shown := ofStream.AppendJSON(nil); !bytes.Equal(want, shown) {
		return fmt.Errorf("the log and the stream differ:\n%s", difference(indented(want), indented(shown)))
	}
	if own := bytes.TrimSpace(got.body); !bytes.Equal(want, own) {
		return fmt.Errorf("the log and /state differ:\n%s", difference(indented(want), indented(own)))
	}
	return nil
}

func indented(b []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, b, "", " ") != nil {
		return string(b)
	}
	return out.String()
}

func (s *stream) head() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastSeq
}
