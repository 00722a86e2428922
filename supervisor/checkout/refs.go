package checkout

import (
	"bufio"
	"io"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

const heads = "refs/heads/"

func (g *store) head() (h Head) {
	text, _ := small(g.own, "HEAD")
	ref, is := refIn(text)
	if !is {
		h.Commit = hash(text)
		return h
	}
	if !valid(ref) {
		return h
	}
	if branch, is := strings.CutPrefix(ref, heads); is {
		h.Branch = branch
	}
	h.Commit = g.commit(ref)
	return h
}

// commit follows a reference to its commit; empty: it has none yet.
func (g *store) commit(ref string) string {
	for range maxLinks {
		text, ok := small(g.common, ref)
		if !ok && g.own != g.common {
			text, ok = small(g.own, ref) // of the work tree alone
		}
		if !ok {
			return g.packed(ref)
		}
		next, is := refIn(text)
		if !is {
			return hash(text)
		}
		if ref = next; !valid(ref) {
			return ""
		}
	}
	return ""
}

// packed looks for a reference among those that have no file of their own.
func (g *store) packed(ref string) string {
	f := regular(g.common, "packed-refs")
	if f == nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxPacked))
	for lines.Scan() {
		if commit, name, ok := strings.Cut(lines.Text(), " "); ok && name == ref {
			return hash(commit)
		}
	}
	return ""
}

// refIn is the reference that a text names.
func refIn(text string) (ref string, is bool) {
	ref, is = strings.CutPrefix(text, "ref:")
	return strings.TrimSpace(ref), is
}

// hash is a commit's, of either length that git has; empty: it is none.
func hash(text string) string {
	text = strings.TrimRight(text, "\r\n")
	if len(text) != 40 && len(text) != 64 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}

// valid says that a text can name a reference, by the rules of git check-ref-format. What is told of a file that is none of git's is nothing.
func valid(ref string) bool {
	if len(ref) > len(heads)+maxName || !strings.HasPrefix(ref, "refs/") || !utf8.ValidString(ref) || strings.HasSuffix(ref, ".") {
		return false
	}
	if strings.Contains(ref, "..") || strings.Contains(ref, "@{") || strings.ContainsAny(ref, " ~^:?*[\\") || strings.ContainsFunc(ref, unicode.IsControl) {
		return false
	}
	for part := range strings.SplitSeq(ref, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// small reads a file of at most maxSmall bytes; ok is false for others.
func small(dir *os.Root, name string) (text string, ok bool) {
	f := regular(dir, name)
	if f == nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	return string(b), err == nil && len(b) <= maxSmall
}

// regular opens a file without waiting, as for the other end of a pipe; nil: it cannot be opened, or is no file.
func regular(dir *os.Root, name string) *os.File {
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil
	}
	return f
}
