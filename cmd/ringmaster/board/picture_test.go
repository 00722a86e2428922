package board

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// The picture of the documents is a golden screen, drawn as SVG: text, so that it is sharp, small and the same on every machine. It has a background of its own, so
// that it can be read on light pages and dark ones.
const (
	cellWidth, cellHeight = 8.4, 18
	margin                = 14
)

// ink is the colours of the picture, by the parameter of SGR.
var ink = map[string]string{"": "#d8dee9", "1": "#ffffff", "2": "#9aa5b8", "31": "#ff8f8f", "32": "#a3d977", "33": "#f0c674", "36": "#7fd1e0"}

const paper = "#1b2029"

// run is a piece of a line in one colour.
type run struct {
	column int
	sgr    string
	text   string
}

// runsOf takes a line apart.
func runsOf(line string) (list []run) {
	column, sgr := 0, ""
	for line != "" {
		text, rest, more := strings.Cut(line, "\x1b[")
		if strings.TrimSpace(text) != "" {
			list = append(list, run{column, sgr, text})
		}
		column += terminal.Cells(text)
		if !more {
			break
		}
		code, behind, _ := strings.Cut(rest, "m")
		if sgr, line = code, behind; code == "0" {
			sgr = ""
		}
	}
	return list
}

// draw makes the picture of lines.
func draw(lines []string, columns int, title string) string {
	var b strings.Builder
	w, h := float64(columns)*cellWidth+2*margin, float64(len(lines))*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-labelledby="t">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, "<title id=\"t\">%s</title>\n", title)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", paper)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="%s">`+"\n", ink[""])
	for y, line := range lines {
		for _, r := range runsOf(line) {
			text := strings.TrimRight(r.text, " ")
			lead := len(text) - len(strings.TrimLeft(text, " "))
			text = text[lead:]
			style := ""
			if r.sgr == "1" {
				style = ` font-weight="bold"`
			}
			if r.sgr != "" {
				style += ` fill="` + ink[r.sgr] + `"`
			}
			fmt.Fprintf(&b, `<text x="%.1f" y="%.0f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s>`,
				margin+float64(r.column+lead)*cellWidth, margin+float64(y)*cellHeight+13, float64(terminal.Cells(text))*cellWidth, style)
			_ = xml.EscapeText(&b, []byte(text))
			b.WriteString("</text>\n")
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// The picture of README is what the program shows.
func TestPictureOfTheTerminal(t *testing.T) {
	const file = "../../../docs/pictures/terminal.svg"
	s := newScene(t, scenes[2], 88, 25, Options{Colour: true})
	s.sees("mend the parser", "NEEDS YOU", "-", "return []Item{}", "y allow once", "$ 4.12 today")
	got := draw(s.board.View().Lines, 88, "ringmaster top: six sessions, of which two need you, and below them the edit that one of these asks about, with the keys that answer")
	if *update {
		if err := os.MkdirAll("../../../docs/pictures", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the program shows: go test ./cmd/ringmaster/board -run Picture -update draws it anew", file)
	}
	d := xml.NewDecoder(bytes.NewReader(want))
	texts := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, is := token.(xml.StartElement); is && e.Name.Local == "text" {
			texts++
		}
	}
	if texts < 30 {
		t.Errorf("only %d texts", texts)
	}
	for code, colour := range ink {
		if c := contrast(colour, paper); c < 4.5 {
			t.Errorf("the colour of %q has a contrast of %.1f", code, c)
		}
	}
	for _, l := range s.board.View().Lines {
		for _, r := range runsOf(l) {
			if ink[r.sgr] == "" {
				t.Errorf("no colour for %q", r.sgr)
			}
		}
	}
}

// contrast is that of WCAG 2.
func contrast(a, b string) float64 {
	light := func(colour string) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, _ := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
			c := float64(n) / 255
			if c <= 0.03928 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
