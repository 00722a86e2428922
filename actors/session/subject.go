package session

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// subject is what a tool works on, as policies compare it. Rules that allow are strict: what could mean more than it looks like
// matches no wildcard of theirs. All others take it as it is.
type subject interface {
	matches(pattern string, strict bool) bool
}

func subjectOf(r *protocol.RequestOpened, cwd string) subject {
	switch r.ToolKind {
	case protocol.ToolExecute:
		return commandLine(r.Subject)
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit:
		return filePaths{r.Subject, cwd}
	case protocol.ToolFetch:
		return webAddress(r.Subject)
	case protocol.ToolOther:
	}
	return anySubject(r.Subject)
}

// commandLine is a command for a shell.
type commandLine string

func (c commandLine) matches(pattern string, strict bool) bool {
	return textMatches(newGlob(pattern, ""), string(c), strict)
}

// textMatches compares a text in which a shell may see more than one command.
func textMatches(g *glob, text string, strict bool) bool {
	if !strict || !g.wild {
		return g.match(text, anything)
	}
	return utf8.ValidString(text) && g.match(text, oneCommand)
}

// oneCommand keeps a wildcard from standing for what chains commands, redirects or substitutes: only a pattern that names it
// matches it. A parenthesis substitutes in some shells also without a "$": (x) in fish, =(x) and f(e:x:) in zsh. Quotes are not
// understood: a chaining character in quotes counts.
func oneCommand(r, after rune) bool {
	switch r {
	case ';', '&', '|', '`', '<', '>', '(':
		return false
	case '$':
		return after != '('
	case '\t':
		return true
	}
	return !unicode.IsControl(r)
}

// anySubject is the subject of a tool of no known kind: it may be a command line or a path.
type anySubject string

func (a anySubject) matches(pattern string, strict bool) bool {
	g := newGlob(pattern, "")
	if strict && g.wild && hasParent(string(a)) {
		return false
	}
	return textMatches(g, string(a), strict)
}

func hasParent(p string) bool {
	for part := range strings.FieldsFuncSeq(p, func(r rune) bool { return strings.ContainsRune("/\\\"'=:, \t\n", r) }) {
		if part == ".." {
			return true
		}
	}
	return false
}

// filePaths are one path in each line. A rule that allows must match all of them, any other rule one.
type filePaths struct{ lines, cwd string }

func (f filePaths) matches(pattern string, strict bool) bool {
	for line := range strings.SplitSeq(f.lines, "\n") {
		if (filePath{line, f.cwd}).matches(pattern, strict) != strict {
			return !strict
		}
	}
	return strict
}

// filePath is a path, cleaned lexically; a relative one lies below cwd. Links are not followed.
type filePath struct{ path, cwd string }

func (f filePath) matches(pattern string, strict bool) bool {
	have, ok := below(f.cwd, f.path)
	want, fits := below(globEscape.Replace(f.cwd), pattern)
	if !ok || !fits {
		return false
	}
	g := newGlob(want, "/")
	if !strict {
		return g.match(have, anything)
	}
	// A shell or the tool itself may make something else of these than a path below cwd.
	if strings.HasPrefix(f.path, "~") || strings.HasPrefix(f.path, "$") || strings.Contains(f.path, "://") || !utf8.ValidString(f.path) {
		return f.path == pattern
	}
	return g.match(have, func(r, _ rune) bool { return !unicode.IsControl(r) })
}

// globEscape makes a text mean itself in a pattern.
var globEscape = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`)

// below makes a path absolute and clean. Without a cwd a relative one stays relative, and must not climb.
func below(cwd, p string) (clean string, ok bool) {
	switch {
	case p == "":
		return "", false
	case path.IsAbs(p):
		return path.Clean(p), true
	case cwd != "":
		return path.Join(cwd, p), true
	}
	clean = path.Clean(p)
	return clean, clean != ".." && !strings.HasPrefix(clean, "../")
}

// webAddress is a URL.
type webAddress string

// addressBounds end the parts of a URL: "*" does not stand for them.
const addressBounds = "/?#@\\"

func (w webAddress) matches(pattern string, strict bool) bool {
	g := newGlob(lowerHost(pattern), addressBounds)
	if !g.wild && g.match(string(w), anything) {
		return true
	}
	clean, plain := w.clean()
	if strict {
		return plain && g.match(clean, func(r, _ rune) bool {
			return r != '\\' && !unicode.IsSpace(r) && !unicode.IsControl(r)
		})
	}
	return clean != "" && g.match(clean, anything) || newGlob(lowerHost(pattern), "").match(string(w), anything)
}

// clean writes a URL in one way: scheme and host in lower case, no default port, no name and password, no fragment, the path
// clean. plain says that nothing in it is there to mislead.
func (w webAddress) clean() (address string, plain bool) {
	u, err := url.Parse(strings.TrimSpace(string(w)))
	if err != nil || u.Scheme == "" || u.Host == "" {
		return "", false
	}
	scheme, host := strings.ToLower(u.Scheme), strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && (scheme != "http" || port != "80") && (scheme != "https" || port != "443") {
		host += ":" + port
	}
	p := path.Clean("/" + u.Path)
	if strings.HasSuffix(u.Path, "/") && p != "/" {
		p += "/"
	}
	address = scheme + "://" + host + p
	if u.RawQuery != "" {
		address += "?" + u.RawQuery
	}
	hidden := strings.Contains(strings.ToLower(u.EscapedPath()), "%2f") // a server need not take it for a slash
	return address, u.User == nil && !hidden && utf8.ValidString(string(w)) && !strings.ContainsAny(string(w), "\\\x00")
}

// lowerHost puts scheme and host of a pattern into lower case.
func lowerHost(pattern string) string {
	scheme, rest, ok := strings.Cut(pattern, "://")
	if !ok {
		return pattern
	}
	host, more, slash := strings.Cut(rest, "/")
	if slash {
		more = "/" + more
	}
	return strings.ToLower(scheme+"://"+host) + more
}
