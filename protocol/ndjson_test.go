package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll writes down what a reader says about a body: a line per line, with its number.
func readLines(body io.Reader, limit int) []string {
	var got []string
	r := NewLineReader(body, limit)
	for {
		line, err := r.Next()
		switch {
		case err == nil:
			got = append(got, fmt.Sprintf("%d %s", r.Line(), line))
		case errors.Is(err, ErrLineTooLong):
			got = append(got, err.Error())
		default:
			return append(got, err.Error())
		}
	}
}

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, row := range []struct {
		name, body string
		limit      int
		want       []string
	}{
		{"empty", "", 0, []string{"EOF"}},
		{"two lines", "a\nbc\n", 0, []string{"1 a", "2 bc", "EOF"}},
		{"empty lines are skipped", "\n\na\n\r\n\nb\n", 0, []string{"3 a", "6 b", "EOF"}},
		{"a torn last line", "a\nb", 0, []string{"1 a", "line 2: last line has no newline"}},
		{"no cliff at 64 KiB", long + "\nb\n", 0, []string{"1 " + long, "2 b", "EOF"}},
		{"at the limit", "12345\n1234\n", 5, []string{"1 12345", "2 1234", "EOF"}},
		{"over the limit, then on", "123456\n1234\n", 5, []string{"line 1: line over the limit", "2 1234", "EOF"}},
		{"far over the limit, then on", long + "\nb\n", 5, []string{"line 1: line over the limit", "2 b", "EOF"}},
		{"over the limit and torn", long, 5, []string{"line 1: last line has no newline"}},
	} {
		for chunk, body := range map[string]io.Reader{
			"whole": strings.NewReader(row.body), "byte by byte": iotest.OneByteReader(strings.NewReader(row.body)),
			"end with data": iotest.DataErrReader(strings.NewReader(row.body)),
		} {
			got := readLines(body, row.limit)
			if fmt.Sprint(got) != fmt.Sprint(row.want) {
				t.Errorf("%s, %s: got %.200q, want %.200q", row.name, chunk, got, row.want)
			}
		}
	}
}

func TestLineReaderPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	if got := readLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 0); fmt.Sprint(got) != "[1 a broken]" {
		t.Errorf("got %q", got)
	}
}

// A line over the limit costs no more memory than the limit.
func TestLineReaderIsBounded(t *testing.T) {
	body := io.LimitReader(neverNewline{}, 64<<20)
	before := allocated()
	_, err := NewLineReader(body, 1<<20).Next()
	if !errors.Is(err, ErrTornLine) {
		t.Errorf("got %v", err)
	}
	if used := allocated() - before; used > 8<<20 {
		t.Errorf("%d MiB allocated", used>>20)
	}
}

type neverNewline struct{}

func (neverNewline) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestEvents(t *testing.T) {
	body := `{"seq":1,"ts":1,"type":"a"}` + "\n" + `{"seq":2,"ts":1,"type":"b"}` + "\r\n"
	var out []byte
	for e, err := range Events(strings.NewReader(body)) {
		if err != nil {
			t.Fatal(err)
		}
		out = AppendLine(out, &e)
	}
	if want := strings.ReplaceAll(body, "\r", ""); string(out) != want {
		t.Errorf("got %s", out)
	}
	for range Events(bytes.NewReader(out)) {
		break // leaving early is allowed
	}
	var last error
	for _, err := range Events(strings.NewReader(body + "{}\n" + body)) {
		last = err
	}
	var line *LineError
	var syntax *SyntaxError
	if !errors.As(last, &line) || line.Line != 3 || !errors.As(last, &syntax) || syntax.Path != "/type" {
		t.Errorf("got %v", last)
	}
}
