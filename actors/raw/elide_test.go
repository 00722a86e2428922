package raw

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

func TestElide(t *testing.T) {
	image := make([]byte, 100_000)
	for i := range image {
		image[i] = byte(i * i)
	}
	payload := base64.StdEncoding.EncodeToString(image)
	const mark = "@elided:sha256:"
	for _, c := range []struct {
		name, line string
		marks      int
	}{
		{"an image", `{"type":"prompt","images":[{"data":"` + payload + `","mimeType":"image/png"}],"text":"look"}`, 1},
		{"two images", `{"a":"` + payload + `","b":"` + payload + `"}`, 2},
		{"a data URL", `{"url":"data:image/png;base64,` + payload + `"}`, 1},
		{"a long text", `{"text":"` + strings.Repeat("some words ", 20_000) + `"}`, 0},
		{"a small image", `{"data":"` + payload[:60_000] + `"}`, 0},
		{"no JSON", `"` + payload, 0},
		{"escapes", `{"text":"` + strings.Repeat(`\"`, 50_000) + `"}`, 0},
	} {
		got := string(elide([]byte(c.line)))
		if n := strings.Count(got, mark); n != c.marks || c.marks == 0 && got != c.line {
			t.Errorf("%s: %d marks in %.100q", c.name, n, got)
		}
		if c.marks > 0 && (strings.Contains(got, payload[:100]) || !strings.Contains(got, ":100000") || !strings.HasSuffix(got, c.line[len(c.line)-2:])) {
			t.Errorf("%s: %.300q", c.name, got)
		}
	}
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk})
	r := a.Record(1, Beginning{})
	line := `{"data":"` + payload + `"}`
	r.In([]byte(line))
	r.Out([]byte(line))
	r.Batch(1)
	a.Close()
	got := said(readAll(t, disk))
	if strings.Contains(got[0], payload) || got[1] != "out "+line {
		t.Error("lines to the agent are elided, lines of the agent are not")
	}
}
