package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters/recording"
)

// Seeds gives a fuzz test the beginnings of recordings, of at most so many bytes each, with the test's own lines behind them. In a seed, a line that
// begins with "<" was sent by somebody else. Lines of the agent that keep refuses are left out, such as long ones that say the same
// everywhere; a nil keep refuses none.
func Seeds(f *testing.F, recordings string, most int, behind string, keep func(line []byte) bool) {
	f.Helper()
	files, err := filepath.Glob(recordings)
	if err != nil || len(files) == 0 {
		f.Fatalf("no recordings in %s: %v", recordings, err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var seed bytes.Buffer
		for r, err := range recording.Read(bytes.NewReader(raw)) {
			if err != nil {
				f.Fatal(err)
			}
			switch s := r.Step.(type) {
			case recording.Out:
				if keep == nil || keep(s.Line) {
					seed.Write(append(bytes.Clone(s.Line), '\n'))
				}
			case recording.In:
				seed.Write(append(append([]byte("<"), s.Line...), '\n'))
			default:
			}
			if seed.Len() > most {
				break
			}
		}
		seed.WriteString(behind)
		f.Add(seed.Bytes())
	}
}

// FuzzedLines are the lines of a fuzzed text, as a transport gives them: what is no UTF-8 is replaced.
func FuzzedLines(text []byte) func(yield func(line []byte) bool) {
	return func(yield func(line []byte) bool) {
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			if !utf8.Valid(line) {
				line = bytes.ToValidUTF8(line, []byte("\ufffd"))
			}
			if !yield(line) {
				return
			}
		}
	}
}
