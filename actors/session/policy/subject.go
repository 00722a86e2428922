package policy

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters/bash"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"golang.org/x/text/unicode/norm"
)

// subject is what a tool works on, as policies compare it. Rules that allow are strict: what could mean more than it looks like
// matches no wildcard of theirs. All others take it as it is, letter case aside, and perhaps match what is not known to its end.
type subject interface {
	matches(pattern string, strict bool) match
}

// match says whether a rule's pattern matches.
type match int

const (
	differs match = iota
	perhaps       // of a rule that does not allow: what is not known of the subject may be what it is about
	matches
)

func matchIf(is bool) match {
	if is {
		return matches
	}
	return differs
}

// unknown is a subject of which nothing is known, or not all.
type unknown struct{}

func (unknown) matches(_ string, strict bool) match {
	if strict {
		return differs
	}
	return perhaps
}

// subjectsOf are all that a request is about. Each is judged for itself: several paths may be allowed by several rules.
func subjectsOf(r *Request) []subject {
	if r.Subject == "" || cutAt(r.Limit, r.Subject) {
		return []subject{unknown{}}
	}
	switch r.ToolKind {
	case protocol.ToolExecute:
		return []subject{newCommandLine(r.Subject, r.Cwd == "")}
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit:
		var list []subject
		paths := strings.Split(r.Subject, "\n")
		for _, p := range append(paths, r.Leads...) {
			if p == "" {
				list = append(list, unknown{})
				continue
			}
			list = append(list, filePath{p, r.Folder, r.ToolKind == protocol.ToolSearch})
		}
		return list
	case protocol.ToolFetch:
		return []subject{webAddress(r.Subject)}
	case protocol.ToolOther:
	}
	if strings.Contains(r.Subject, "://") && strings.Contains(r.Subject, "\n") { // the sessions that a tool of the daemon is about
		var list []subject
		for line := range strings.SplitSeq(r.Subject, "\n") {
			list = append(list, anySubject(line))
		}
		return list
	}
	return []subject{anySubject(r.Subject)}
}

// textMatches compares a text in which a shell may see more than one command, for a rule that allows.
func textMatches(g *glob, text string) bool {
	if !g.wild {
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

func (a anySubject) matches(pattern string, strict bool) match {
	if !strict {
		g := newGlob(fold(pattern), "")
		text := fold(string(a))
		found := g.match(text, anything)
		for line := range strings.SplitSeq(text, "\n") { // there may be one thing in each
			found = found || g.match(line, anything)
		}
		return matchIf(found)
	}
	g := newGlob(pattern, "")
	return matchIf(!(g.wild && hasParent(string(a))) && textMatches(g, string(a)))
}

func hasParent(p string) bool {
	for part := range strings.FieldsFuncSeq(p, func(r rune) bool { return strings.ContainsRune("/\\\"'=:, \t\n", r) }) {
		if part == ".." {
			return true
		}
	}
	return false
}

// filePath is a path, cleaned lexically; a relative one lies below cwd. Where a search looks, all lies that is below it.
type filePath struct {
	path, cwd string
	search    bool
}

func (f filePath) matches(pattern string, strict bool) match {
	have, ok := below(f.cwd, f.path)
	want, fits := below(globEscape.Replace(f.cwd), pattern)
	if !ok || !fits {
		return differs
	}
	if !strict {
		return f.concerns(want, have)
	}
	// A shell or the tool itself may make something else of these than a path below cwd.
	if strings.HasPrefix(f.path, "~") || strings.HasPrefix(f.path, "$") || strings.Contains(f.path, "://") || !utf8.ValidString(f.path) {
		return matchIf(f.path == pattern)
	}
	return matchIf(newGlob(want, "/").match(have, func(r, _ rune) bool { return !unicode.IsControl(r) }))
}

// fold makes one text of those that a disk may not tell apart, for rules that do not allow: in upper or lower case, put together or taken apart
// ("é"), with characters that are not seen.
func fold(text string) string {
	for _, r := range text {
		if r >= utf8.RuneSelf {
			text = strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Cf, r) {
					return -1
				}
				return r
			}, norm.NFC.String(text))
			break
		}
	}
	return strings.ToLower(strings.ToUpper(text)) // "ſ" is an s in upper case alone
}

// concerns compares for a rule that does not allow.
func (f filePath) concerns(want, have string) match {
	want, have = fold(want), fold(have)
	g := newGlob(want, "/")
	switch {
	case g.match(have, anything):
		return matches
	case !f.search:
		return differs
	}
	if i := strings.IndexAny(have, "*?[{"); i >= 0 { // a pattern of the search's own
		have = have[:i] + string(bash.Unknown)
	}
	if g.mayMatch(have) || g.mayMatch(strings.TrimSuffix(have, "/")+"/"+string(bash.Unknown)) {
		return perhaps
	}
	return differs
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

func (w webAddress) matches(pattern string, strict bool) match {
	g := newGlob(lowerHost(pattern), addressBounds)
	if !g.wild && g.match(string(w), anything) {
		return matches
	}
	clean, plain := w.clean()
	if strict {
		return matchIf(plain && g.match(clean, func(r, _ rune) bool {
			return r != '\\' && !unicode.IsSpace(r) && !unicode.IsControl(r)
		}))
	}
	return matchIf(clean != "" && g.match(clean, anything) || newGlob(lowerHost(pattern), "").match(string(w), anything))
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
