package vault

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/bash"
)

// In the words of a command these stand for what is not known, and for wildcards; a quoted wildcard is itself.
const (
	unknown = bash.Unknown // any text, slashes too
	many    = bash.Many
	one     = bash.One
)

// maxPaths bounds how many paths a wildcard may stand for.
const maxPaths = 1024

// maxLooks bounds what one request may cost, in looks at the disk (some microseconds each) and in characters of commands, by a thousand. What
// costs more is asked.
const maxLooks = 1 << 14

// sight is the look at one request.
type sight struct {
	*Vault
	left int
	real map[string]string // of bases, without links
}

func (v *Vault) look() *sight { return &sight{Vault: v, left: maxLooks, real: map[string]string{}} }

// from is a path below a base, without links.
func (s *sight) from(base, path string) string {
	if filepath.IsAbs(path) {
		s.left -= strings.Count(path, "/")
		return resolve(path)
	}
	at, known := s.real[base]
	if !known {
		at = resolve(base)
		s.real[base] = at
		s.left -= strings.Count(base, "/")
	}
	s.left -= 1 + strings.Count(path, "/")
	at, _ = Follow(at, path)
	return at
}

// resolve is an absolute path without links: what cannot be seen is taken as it is written.
func resolve(path string) string {
	if path == "" {
		return ""
	}
	place, _ := Follow("/", path)
	return place
}

// patternOf is a path as a tool may take it that knows no quotes: wildcards and the home folder.
func patternOf(path, home string) string {
	path = strings.TrimPrefix(path, "file://")
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') && home != "" {
		path = home + rest
	}
	return path
}

// reaches says whether a word, as a path from one of the bases, may mean something in the folder, or a folder above it.
func (s *sight) reaches(bases []string, word string) (in, above bool) {
	if word == "" {
		return false, false
	}
	for _, base := range bases {
		if s.left < 0 {
			return true, false
		}
		whole := word
		if !strings.HasPrefix(word, "/") && !strings.HasPrefix(word, string(unknown)) {
			whole = base + "/" + word
		}
		if at := strings.LastIndex(whole, string(unknown)); at >= 0 {
			i, a := s.beginsLike(whole)
			in, above = in || i || s.endsLike(whole[at+len(string(unknown)):]), above || a
			continue
		}
		var i, a bool
		if strings.ContainsAny(whole, string([]rune{many, one})) {
			i, a = s.expanded(whole)
		} else {
			path := s.from(base, word)
			i, a = s.holds(path), s.below(path)
		}
		// As it is written it may be a path, too: what a shell makes of "a/../b" and a program of its own does not agree.
		clean := filepath.Clean(whole)
		in, above = in || i || s.holds(clean), above || a || s.below(clean)
	}
	return in, above
}

// beginsLike says where a path may lead of which only the beginning is known: the folder that it names, and what it says of a name in that.
func (s *sight) beginsLike(path string) (in, above bool) {
	begin, _, _ := strings.Cut(path, string(unknown))
	at := strings.LastIndexByte(begin, '/')
	if at < 0 {
		return false, false // no more is known than of any word
	}
	folder, name := begin[:at+1], begin[at+1:]
	if strings.ContainsAny(folder, string([]rune{many, one})) {
		return s.expanded(folder)
	}
	place := s.from("/", folder)
	if s.holds(place) || !s.below(place) {
		return s.holds(place), false
	}
	next := filepath.Join(place, name)
	return name != "" && (startsWith(s.dir, next) || startsWith(s.Vault.real, next)), name == ""
}

func startsWith(path, begin string) bool {
	return strings.HasPrefix(strings.ToLower(path), strings.ToLower(begin))
}

// endsLike says that a path that ends so may be one in the folder.
func (v *Vault) endsLike(end string) bool {
	if len(end) < 2 || strings.ContainsRune(end, many) {
		return false
	}
	end = filepath.Clean(end)
	for _, name := range append([]string{""}, inside...) {
		if strings.HasSuffix(filepath.Join(v.dir, name), end) || strings.HasSuffix(filepath.Join(v.real, name), end) {
			return true
		}
	}
	return false
}

// expanded follows a path with wildcards. What would be too many paths is taken for one in the folder.
func (s *sight) expanded(path string) (in, above bool) {
	at := []string{"/"}
	for part := range strings.SplitSeq(path, "/") {
		var next []string
		wild := strings.ContainsAny(part, string([]rune{many, one}))
		for _, dir := range at {
			if !wild {
				next = append(next, s.from(dir, part))
				continue
			}
			entries, err := os.ReadDir(dir)
			if s.left -= 1 + len(entries)/64; err != nil {
				continue
			}
			pattern := strings.NewReplacer(string(many), "*", string(one), "?", `\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(part)
			for _, e := range entries {
				if ok, _ := filepath.Match(pattern, e.Name()); ok {
					next = append(next, s.from(dir, e.Name()))
				}
			}
			if part == strings.Repeat(string(many), 2) {
				if s.below(dir) || s.holds(dir) {
					return true, false
				}
				next = append(next, dir)
			}
		}
		if at = next; len(at) > maxPaths || s.left < 0 {
			return true, false
		}
	}
	for _, path := range at {
		in, above = in || s.holds(path), above || s.below(path)
	}
	return in, above
}
