package protocol

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// Proves: 002.11
func TestAppendFrames(t *testing.T) {
	line := Append(nil, &Event{Seq: 7, Time: 5, Payload: &EntryDelta{EntryID: "e1", Delta: &TextAppend{Text: "a\r\nb\u2028"}}})
	b := AppendRetry(nil, 1500*time.Millisecond)
	b = AppendSSE(b, Cursor{1, 7}, line)
	b = AppendHeartbeat(b, Cursor{2, 7}, 99)
	b = AppendReset(b, Reset{Epoch: 2, Oldest: 1, Newest: 9})
	b = AppendReset(b, Reset{Epoch: 2, Oldest: 1, Newest: 9, Common: 6})
	want := "retry: 1500\n\n" +
		"id: 7\ndata: {\"seq\":7,\"ts\":5,\"type\":\"entry_delta\",\"entryId\":\"e1\",\"delta\":{\"op\":\"text_append\",\"text\":\"a\\r\\nb\\u2028\"}}\n\n" +
		"id: 2.7\ndata: {\"type\":\"heartbeat\",\"seq\":7,\"ts\":99}\n\n" +
		"data: {\"type\":\"reset\",\"epoch\":2,\"oldest\":1,\"newest\":9}\n\n" +
		"data: {\"type\":\"reset\",\"epoch\":2,\"oldest\":1,\"newest\":9,\"common\":6}\n\n"
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}

	r := NewSSEReader(strings.NewReader(string(b)), 0)
	var got []string
	for {
		f, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := DecodeMessage(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *Event:
			got = append(got, fmt.Sprintf("%s event %s", f.ID, Append(nil, m)))
		case *Heartbeat:
			got = append(got, fmt.Sprintf("%s heartbeat %+v", f.ID, *m))
		case *Reset:
			got = append(got, fmt.Sprintf("%s reset %+v", f.ID, *m))
		}
	}
	wantRead := []string{"7 event " + string(line), "2.7 heartbeat {Seq:7 Ts:99}", "2.7 reset {Epoch:2 Oldest:1 Newest:9 Common:0}", "2.7 reset {Epoch:2 Oldest:1 Newest:9 Common:6}"}
	if fmt.Sprint(got) != fmt.Sprint(wantRead) || r.Retry() != 1500*time.Millisecond || r.LastEventID() != "2.7" {
		t.Errorf("got %q, retry %v, id %s", got, r.Retry(), r.LastEventID())
	}
}

func TestDecodeMessageRefuses(t *testing.T) {
	for _, in := range []string{``, `[]`, `{}`, `{"type":"reset","epoch":1}`, `{"type":"heartbeat","seq":-1,"ts":1}`, `{"type":"x"}`, `{"type":"reset","epoch":1,"oldest":0,"newest":0}x`} {
		m, err := DecodeMessage([]byte(in))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: got %v, %v", in, m, err)
		}
	}
}

// What is not known of a damage is not sent, and not asked for.
func TestDecodeDamage(t *testing.T) {
	for _, want := range []Damage{{File: "a", Problem: "b"}, {File: "a", Offset: 7, Seq: 3, Problem: "b", Hint: "c"}} {
		m, err := DecodeMessage(AppendDamage(nil, &want))
		if got, ok := m.(*Damage); err != nil || !ok || *got != want {
			t.Errorf("got %+v, %v, want %+v", m, err, want)
		}
	}
}

func frames(body io.Reader, limit int) string {
	var b strings.Builder
	r := NewSSEReader(body, limit)
	for {
		f, err := r.Next()
		switch {
		case err == nil:
			fmt.Fprintf(&b, "[%s|%s|%s]", f.ID, f.Name, f.Data)
		case err == ErrFrameTooLong:
			b.WriteString("[too long]")
		case err == io.EOF:
			fmt.Fprintf(&b, " id=%s retry=%d", r.LastEventID(), r.Retry().Milliseconds())
			return b.String()
		default:
			return b.String() + " " + err.Error()
		}
	}
}

func TestSSEReader(t *testing.T) {
	for _, row := range []struct{ name, body, want string }{
		{"nothing", "", " id= retry=0"},
		{"one frame", "id: 1\ndata: a\n\n", "[1||a] id=1 retry=0"},
		{"no space after the colon", "id:1\ndata:a\n\n", "[1||a] id=1 retry=0"},
		{"only one space is taken", "data:  a\n\n", "[|| a] id= retry=0"},
		{"CR", "id: 1\rdata: a\r\r", "[1||a] id=1 retry=0"},
		{"CRLF", "id: 1\r\ndata: a\r\n\r\ndata: b\r\n\r\n", "[1||a][1||b] id=1 retry=0"},
		{"LF, then CR", "data: a\n\rdata: b\r\r\n", "[||a][||b] id= retry=0"},
		{"several data lines", "data: a\ndata\ndata: b\n\n", "[||a\n\nb] id= retry=0"},
		{"empty data is data", "data\n\n", "[||] id= retry=0"},
		{"comments and unknown fields", ": hi\n:\nfoo: bar\nbaz\ndata: a\n\n", "[||a] id= retry=0"},
		{"an event name lasts one frame", "event: x\ndata: a\n\ndata: b\n\n", "[|x|a][||b] id= retry=0"},
		{"no data, no frame", "event: x\nid: 5\n\ndata: b\n\n", "[5||b] id=5 retry=0"},
		{"the id can be cleared", "id: 5\ndata: a\n\nid\ndata: b\n\n", "[5||a][||b] id= retry=0"},
		{"an id with NUL is ignored", "id: 5\nid: 6\x007\ndata: a\n\n", "[5||a] id=5 retry=0"},
		{"retry", "retry: 0250\n\nretry: x1\nretry: \nretry: -5\n\n", " id= retry=250"},
		{"retry is bounded", "retry: 9999999999\n\n", " id= retry=86400000"},
		{"byte order mark, once", "\ufeffdata: a\n\n\ufeffdata: b\n\n", "[||a] id= retry=0"},
		{"an unfinished frame is dropped", "id: 8\ndata: a\n\nid: 9\ndata: b\n", "[8||a] id=8 retry=0"},
		{"an unfinished line is dropped", "id: 8\ndata: a\n\nid: 9\ndata: b\n:", "[8||a] id=8 retry=0"},
		{"invalid UTF-8 in a name", "event: \xff\ndata: a\n\n", "[|\ufffd|a] id= retry=0"},
		{"at the limit", "data: 12345678901\n\n", "[||12345678901] id= retry=0"},
		{"a long line", "id: 3\ndata: 123456789012345678901\n\ndata: b\n\n", "[too long][3||b] id=3 retry=0"},
		{"many lines", "data: 123456\ndata: 123456\ndata: 123456\n\ndata: b\n\n", "[too long][||b] id= retry=0"},
		{"a long comment", ": 123456789012345678901234567890\n\ndata: b\n\n", "[too long][||b] id= retry=0"},
	} {
		for chunk, body := range map[string]io.Reader{
			"whole": strings.NewReader(row.body), "byte by byte": iotest.OneByteReader(strings.NewReader(row.body)),
		} {
			limit := 17
			if got := frames(body, limit); got != row.want {
				t.Errorf("%s, %s: got %q, want %q", row.name, chunk, got, row.want)
			}
		}
	}
	if got := frames(io.MultiReader(strings.NewReader("data: a\n\n"), iotest.ErrReader(errors.New("broken"))), 0); got != "[||a] broken" {
		t.Errorf("got %q", got)
	}
}

func TestSSEReaderIsBounded(t *testing.T) {
	before := allocated()
	if got := frames(io.LimitReader(neverNewline{}, 64<<20), 1<<20); got != " id= retry=0" {
		t.Errorf("got %q", got)
	}
	if used := allocated() - before; used > 8<<20 {
		t.Errorf("%d MiB allocated", used>>20)
	}
}
