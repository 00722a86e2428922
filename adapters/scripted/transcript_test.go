package scripted

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"golang.org/x/tools/txtar"
)

// updating says that transcripts are to be written instead of compared: -update, the flag of the conformance suite.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// A transcript is a txtar archive:
//
//	script.json  the script; absent: the echo
//	args         more arguments, one per line
//	in           lines "TIME WHAT": at this time after the start, the JSON of a command goes to stdin; or one of
//	             eof, term, kill; or "answer JSON": the answer to the last dialog, whose id is put in
//	out          what the agent says, each line with its time, the exit and stderr
//
// Time is virtual and the ids are seeded, so a transcript is exact to the byte.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := transcript(t, archive)
			checkForms(t, got)
			if updating() {
				section(archive, "out", got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := section(archive, "out", nil); !bytes.Equal(got, want) {
				t.Errorf("the agent says something else (go test -update shows it as a diff):\n%s", firstDifference(want, got))
			}
		})
	}
}

// section returns a file of an archive, after setting it when data is not nil.
func section(a *txtar.Archive, name string, data []byte) []byte {
	for i := range a.Files {
		if a.Files[i].Name == name {
			if data != nil {
				a.Files[i].Data = data
			}
			return a.Files[i].Data
		}
	}
	if data != nil {
		a.Files = append(a.Files, txtar.File{Name: name, Data: data})
	}
	return nil
}

func firstDifference(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nwant %s\n got %s", i+1, a, b)
		}
	}
	return ""
}

// transcript plays one archive in virtual time.
func transcript(t *testing.T, archive *txtar.Archive) (out []byte) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		stdin, stdout := newPipe(), newPipe()
		ctx, kill := context.WithCancel(t.Context())
		defer kill()
		terminate := make(chan struct{})
		var stderr bytes.Buffer
		var dialog string
		heard := make(chan struct{})
		go func() {
			defer close(heard)
			framer := process.NewFramer(reader{stdout}, 0)
			for {
				frame, err := framer.Next()
				if err != nil {
					return
				}
				var d dialogRequest
				if json.Unmarshal(frame.Line, &d) == nil && d.Type == "extension_ui_request" {
					dialog = d.ID
				}
				out = fmt.Appendf(out, "%7.3f %s", time.Since(began).Seconds(), frame.Line)
				if frame.Partial {
					out = append(out, " (no newline)"...)
				}
				out = append(out, '\n')
			}
		}()
		ended := make(chan Exit)
		go func() {
			end := Run(ctx, Options{
				Args: strings.Fields(string(section(archive, "args", nil))), Stdin: reader{stdin}, Stdout: writer{stdout}, Stderr: &stderr,
				Cwd: "/workspace", Script: section(archive, "script.json", nil), Terminate: terminate, Seed: 1,
			})
			_ = writer{stdout}.Close()
			ended <- end
		}()
		for line := range strings.Lines(string(section(archive, "in", nil))) {
			at, what, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			when, err := time.ParseDuration(at)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(when - time.Since(began)) // virtual
			synctest.Wait()
			switch {
			case what == "eof":
				_ = writer{stdin}.Close()
			case what == "term":
				close(terminate)
			case what == "kill":
				kill()
			case strings.HasPrefix(what, "answer "):
				fmt.Fprintf(writer{stdin}, `{"type":"extension_ui_response","id":%q,%s`+"\n", dialog, strings.TrimPrefix(what, "answer {"))
			default:
				fmt.Fprintln(writer{stdin}, what)
			}
		}
		end := <-ended
		<-heard
		out = fmt.Appendf(out, "%7.3f exit code=%d signal=%d\n", time.Since(began).Seconds(), end.Code, end.Signal)
		for line := range strings.Lines(stderr.String()) {
			out = append(out, "stderr  "+line...)
		}
	})
	return out
}
