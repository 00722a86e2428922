package post

import (
	"fmt"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxURL bounds a URL, in bytes.
const maxURL = 2048

// Allow is the list of URLs to which notices may be sent. It can be replaced while it is used.
type Allow struct{ entries atomic.Pointer[[]entry] }

// entry is one of the list.
type entry struct {
	*url.URL
	at []netip.Prefix // where its host may be; empty: at public addresses
}

// Set replaces the list. Each entry is the beginning of URLs: scheme, host, port, and a path up to a slash or its end. Behind a blank it may have the
// addresses and networks at which its host is. An error changes nothing.
func (a *Allow) Set(list []string) error {
	entries := make([]entry, 0, len(list))
	for _, text := range list {
		words := strings.Fields(text)
		u, err := parse(append(words, "")[0])
		if err == nil && u.RawQuery != "" {
			err = fmt.Errorf("it has a query")
		}
		e := entry{URL: u}
		if err == nil {
			e.at, err = networks(u.Hostname(), words[1:])
		}
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		entries = append(entries, e)
	}
	a.entries.Store(&entries)
	return nil
}

// list is the list as it is now, which does not change.
func (a *Allow) list() []entry {
	if list := a.entries.Load(); list != nil {
		return *list
	}
	return nil
}

// parse reads a URL in its plain form.
func parse(text string) (*url.URL, error) {
	if len(text) > maxURL || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) {
		return nil, fmt.Errorf("it is too long, or has characters that a URL has not: percent-encode what is no ASCII")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || !strings.HasPrefix(text, u.Scheme+"://"):
		return nil, fmt.Errorf("want https://HOST[:PORT][/PATH]")
	case u.User != nil:
		return nil, fmt.Errorf("it holds a user name or password")
	case u.ForceQuery || strings.Contains(text, "#"):
		return nil, fmt.Errorf("it has an empty query or a fragment")
	case u.RawPath != "" || u.Path != "" && strings.TrimSuffix(u.Path, "/") != strings.TrimSuffix(path.Clean(u.Path), "/"):
		return nil, fmt.Errorf("its path is not in its plain form: leave out dots, doubled slashes and encoded ones")
	case strings.HasSuffix(u.Host, ":"):
		return nil, fmt.Errorf("its port is empty")
	case u.Port() != "":
		if n, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || n == 0 || strconv.FormatUint(n, 10) != u.Port() {
			return nil, fmt.Errorf("its port is no number from 1 to 65535")
		}
	}
	if u.Scheme == "http" && !local(u.Hostname()) {
		return nil, fmt.Errorf("without TLS only this machine is reached: want https, or a host that is localhost or a loopback address")
	}
	return u, nil
}

// local says that a host is this machine, whatever a name server says.
func local(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// Check says whether notices may be sent to a URL. The error is a problem of the client's.
func (a *Allow) Check(text string) error {
	u, err := parse(text)
	if err != nil {
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The URL cannot be used: " + err.Error() + ".",
			Hint: "Name where the receiver listens, as https://hooks.example.org/ringmaster.",
		}
	}
	list := a.list()
	if len(list) == 0 {
		return &protocol.Problem{
			Code: protocol.CodeForbidden, Detail: "This daemon sends no webhooks: its list of URLs is empty.",
			Hint: "The daemon's operator names the receiver with --webhook-allow, or webhook-allow in the configuration file.",
		}
	}
	for _, e := range list {
		if begins(e.URL, u) {
			return nil
		}
	}
	return &protocol.Problem{
		Code: protocol.CodeForbidden, Detail: "The URL is not on the list of those to which this daemon sends webhooks.",
		Hint: "The daemon's operator adds it with --webhook-allow, or webhook-allow in the configuration file.",
	}
}

// begins says that a URL is an entry of the list, or below it.
func begins(e, u *url.URL) bool {
	if e.Scheme != u.Scheme || !strings.EqualFold(e.Hostname(), u.Hostname()) || port(e) != port(u) {
		return false
	}
	prefix, of := strings.TrimSuffix(e.Path, "/"), u.Path
	return of == prefix || strings.HasPrefix(of, prefix+"/")
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}
