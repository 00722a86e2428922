package cluster

import (
	"bufio"
	"flag"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/server"
)

const page = "../../docs/many-nodes.md"

var update = flag.Bool("update", false, "write what the page's commands print")

// TestPage: the commands of docs/many-nodes.md are called, one after another in one shell, with other ports. Each line that the page
// shows is printed then: but for ids, numbers, times, folders and the program's version. What fails is called again for a while, since nodes hear of one
// another's moves within seconds. With -update the page is written, with what is printed at the folder and the ports that it has.
//
// Proves: I16.8/page, I16.8/script
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	if _, err := server.Find(t.Context(), 0); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	s := beginShell(t)
	var written []string
	commands, inside := 0, false
	for i := 0; i < len(lines); i++ {
		written = append(written, lines[i])
		switch command, is := strings.CutPrefix(lines[i], "$ "); {
		case strings.HasPrefix(lines[i], "```"):
			inside = lines[i] == "```console"
		case is && inside:
			commands++
			first := i + 1
			for !strings.HasPrefix(lines[i+1], "$ ") && !strings.HasPrefix(lines[i+1], "```") {
				i++
			}
			written = append(written, s.call(command, lines[first:i+1])...)
		}
	}
	if commands < 15 {
		t.Errorf("%s has %d commands", page, commands)
	}
	if *update {
		if err := os.WriteFile(page, []byte(strings.Join(written, "\n")), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// shell is one that is given commands.
type shell struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func beginShell(t *testing.T) *shell {
	t.Helper()
	env := os.Environ()
	if !*update {
		dir := t.TempDir()
		for above := dir; above != filepath.Dir(filepath.Clean(os.TempDir())); above = filepath.Dir(above) { // the database's user passes through
			if err := os.Chmod(above, 0o711); err != nil {
				t.Fatal(err)
			}
		}
		env = append(env, "NODES_DIR="+filepath.Join(dir, "nodes"), "NODES_PORT="+strconv.Itoa(ports(t)), "NODES_LEASE=10s")
	} else {
		env = append(env, "TMPDIR=/tmp", "GOFLAGS=-buildvcs=false") // the page names no commit
	}
	cmd := exec.CommandContext(t.Context(), "bash")
	cmd.Dir, cmd.Env, cmd.WaitDelay = "../..", env, patience
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // as its last command went
		remove := exec.Command("tools/nodes.sh", "remove")
		remove.Dir, remove.Env = "../..", env
		if out, err := remove.CombinedOutput(); err == nil {
			t.Errorf("the page's last command has left nodes: %s", out)
		}
	})
	return &shell{t, in, bufio.NewReader(out)}
}

// mark is what the shell says behind a command, before its exit code.
const mark = "\x01done "

// call calls a command, and gives what the page is to show of it.
func (s *shell) call(command string, shown []string) []string {
	s.t.Helper()
	for begun := time.Now(); ; {
		said, code := s.once(command)
		isOver := time.Since(begun) > patience || s.t.Context().Err() != nil
		missing := missingIn(said, shown)
		if strings.Contains(command, "cksum") && len(slices.Compact(slices.DeleteFunc(slices.Clone(said), isEmpty))) != 1 {
			missing = append(missing, "the same, for each node")
		}
		if len(missing) == 0 && len(shown) > 0 {
			code = 0 // also what fails is shown
		}
		switch {
		case code != 0 && !isOver:
			continue // at once: a command takes a while
		case code != 0:
			s.t.Fatalf("$ %s\nexit code %d:\n%s", command, code, strings.Join(said, "\n"))
		case *update:
			return asShown(said, shown)
		case len(missing) > 0 && (isOver || strings.Contains(command, " send ")): // which is done once
			s.t.Errorf("$ %s\nthe page shows: %s\nit printed:\n%s", command, strings.Join(missing, "\n"), strings.Join(said, "\n"))
			return nil
		case len(missing) == 0:
			return nil
		}
	}
}

func (s *shell) once(command string) (said []string, code int) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, command+"\nprintf '\\n\\001done %d\\n' $?\n"); err != nil {
		s.t.Fatal(err)
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("$ %s\nthe shell has ended: %v", command, err)
		}
		line = strings.TrimRight(line, "\n")
		if rest, is := strings.CutPrefix(line, mark); is {
			code, err := strconv.Atoi(rest)
			if err != nil {
				s.t.Fatal(err)
			}
			return said, code
		}
		said = append(said, strings.TrimRight(line, " "))
	}
}

// missingIn are the lines that the page shows and that were not said.
func missingIn(said, shown []string) (missing []string) {
	have := map[string]bool{rest: true}
	for _, line := range said {
		have[plain(line)] = true
	}
	for _, line := range shown {
		if !have[plain(line)] {
			missing = append(missing, line)
		}
	}
	return missing
}

func isEmpty(line string) bool { return line == "" }

// rest stands in the page for more lines.
const rest = "…"

// asShown is what was said, and no more lines than the page has chosen to show.
func asShown(said, shown []string) (list []string) {
	if n := slices.Index(shown, rest); n >= 0 && n < len(said) {
		said = append(slices.Clone(said[:n]), rest)
	}
	for _, line := range said {
		if line != "" {
			list = append(list, line)
		}
	}
	return list
}

var changing = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(` (v[0-9]+\.[0-9]+\.[0-9]+|devel)[^ ]*(\s+this one)?$`), " VERSION"}, // a clean checkout's program names its commit
	{regexp.MustCompile(`work=/\S+|/[^ "]*/work\b`), "WORK"},
	{regexp.MustCompile(`/[^ "]*/core\b`), "CORE"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b|\b[0-9a-f]{8}\b`), "N"}, // as numbers: one may look like the other
	{regexp.MustCompile(`[0-9]+`), "N"},
	{regexp.MustCompile(`\s+this one$`), ""},
	{regexp.MustCompile(`\s+`), " "},
}

// plain is a line without what is otherwise each time.
func plain(line string) string {
	line = strings.TrimSpace(line)
	for _, c := range changing {
		line = c.what.ReplaceAllString(line, c.by)
	}
	return line
}

// ports is a number above which the nodes' ports are free.
func ports(t *testing.T) int {
	t.Helper()
	for base := 20000; base < 30000; base += 100 {
		isFree := true
		for _, n := range []int{1, 2, 3, 11, 12, 13} {
			l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:"+strconv.Itoa(base+n))
			if err == nil {
				err = l.Close()
			}
			isFree = isFree && err == nil
		}
		if isFree {
			return base
		}
	}
	t.Fatal("no ports are free")
	return 0
}
