package policy

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"pgregory.net/rapid"
)

const cwd = "/srv/shop"

func approval(kind protocol.ToolKind, tool, subject string) *protocol.RequestOpened {
	return &protocol.RequestOpened{Kind: protocol.RequestApproval, ToolKind: kind, ToolName: tool, Subject: subject}
}

// Proves: I3/modes
func TestPolicyModes(t *testing.T) {
	kinds := []protocol.ToolKind{
		protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit, protocol.ToolExecute, protocol.ToolFetch, protocol.ToolOther, "", "hologram",
	}
	for mode, want := range map[protocol.PolicyMode]func(protocol.ToolKind) protocol.PolicyAction{
		"":                 func(protocol.ToolKind) protocol.PolicyAction { return protocol.PolicyLeave },
		protocol.PolicyAsk: func(protocol.ToolKind) protocol.PolicyAction { return protocol.PolicyLeave },
		protocol.PolicyAllowReads: func(k protocol.ToolKind) protocol.PolicyAction {
			if k == protocol.ToolRead || k == protocol.ToolSearch {
				return protocol.PolicyAllow
			}
			return protocol.PolicyLeave
		},
		protocol.PolicyAllowAll: func(protocol.ToolKind) protocol.PolicyAction { return protocol.PolicyAllow },
		protocol.PolicyDenyAll:  func(protocol.ToolKind) protocol.PolicyAction { return protocol.PolicyDeny },
		"of another build":      func(protocol.ToolKind) protocol.PolicyAction { return protocol.PolicyLeave },
	} {
		for _, k := range kinds {
			p := &protocol.Policy{Mode: mode}
			if got := decided(p, &Request{RequestOpened: approval(k, "tool", "x"), Folder: cwd, Limit: 0}); got != want(k) {
				t.Errorf("mode %q, kind %q: %s", mode, k, got)
			}
			for _, kind := range []protocol.RequestKind{protocol.RequestQuestion, protocol.RequestElicitation, "new"} {
				r := approval(k, "tool", "x")
				r.Kind = kind
				if got := decided(p, &Request{RequestOpened: r, Folder: cwd, Limit: 0}); got != protocol.PolicyLeave {
					t.Errorf("mode %q answers a %s: %s", mode, kind, got)
				}
			}
		}
	}
	if got := decided(nil, &Request{RequestOpened: approval(protocol.ToolRead, "", ""), Folder: cwd, Limit: 0}); got != protocol.PolicyLeave {
		t.Errorf("no policy: %s", got)
	}
}

func TestPolicyFirstRuleWins(t *testing.T) {
	p := &protocol.Policy{Mode: protocol.PolicyDenyAll, Rules: []protocol.PolicyRule{
		{Tool: "execute", Pattern: "git push*", Action: protocol.PolicyDenyStop},
		{Tool: "execute", Pattern: "git *", Action: protocol.PolicyAllow},
		{Tool: "fetch", Action: protocol.PolicyLeave},
		{Tool: "mcp__*", Action: protocol.PolicyDeny},
		{Tool: "web?earch", Action: protocol.PolicyAllow},
	}}
	for _, c := range []struct {
		r    *protocol.RequestOpened
		want protocol.PolicyAction
	}{
		{approval(protocol.ToolExecute, "Bash", "git push --force"), protocol.PolicyDenyStop},
		{approval(protocol.ToolExecute, "Bash", "git log"), protocol.PolicyAllow},
		{approval(protocol.ToolExecute, "Bash", "ls"), protocol.PolicyDeny}, // the mode
		{approval(protocol.ToolFetch, "WebFetch", ""), protocol.PolicyLeave},
		{approval(protocol.ToolOther, "MCP__db__drop", ""), protocol.PolicyDeny},
		{approval(protocol.ToolOther, "WebSearch", "x"), protocol.PolicyAllow},
	} {
		if got := decided(p, &Request{RequestOpened: c.r, Folder: cwd, Limit: 0}); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.r.ToolName, c.r.Subject, got, c.want)
		}
	}
}

// A tool chooses its name itself: one that is called as a kind is not of the kind.
func TestPolicyToolsNamedLikeKinds(t *testing.T) {
	impostor := approval(protocol.ToolOther, "Read", "x")
	for action, want := range map[protocol.PolicyAction]protocol.PolicyAction{
		protocol.PolicyAllow: protocol.PolicyLeave, protocol.PolicyDeny: protocol.PolicyDeny,
	} {
		p := &protocol.Policy{Rules: []protocol.PolicyRule{{Tool: "read", Action: action}}}
		if got := decided(p, &Request{RequestOpened: impostor, Folder: cwd, Limit: 0}); got != want {
			t.Errorf("%s read: %s", action, got)
		}
	}
	unknown := approval("", "thing", "x")
	p := &protocol.Policy{Rules: []protocol.PolicyRule{{Tool: "other", Action: protocol.PolicyAllow}}}
	if got := decided(p, &Request{RequestOpened: unknown, Folder: cwd, Limit: 0}); got != protocol.PolicyAllow {
		t.Errorf("a tool of no kind is none of the kind other: %s", got)
	}
}

// What the patterns of rules match: when they allow, and when they deny.
// Proves: I3/rules
func TestPolicyPatterns(t *testing.T) {
	const (
		no   = 0
		deny = 1 // only a rule that denies or asks
		both = 2
	)
	for _, c := range []struct {
		kind             protocol.ToolKind
		pattern, subject string
		want             int
	}{
		// Without a pattern, and with the one that means all, everything.
		{protocol.ToolExecute, "", "rm -rf / ; reboot", both},
		{protocol.ToolExecute, "*", "rm -rf / ; reboot", both},
		{protocol.ToolExecute, "**", "a\nb", both},
		{protocol.ToolExecute, "*", "", both},
		{protocol.ToolExecute, "?*", "", no},

		// Command lines.
		{protocol.ToolExecute, "git *", "git log", both},
		{protocol.ToolExecute, "git *", "git log a/b/c --format=%H", both},
		{protocol.ToolExecute, "git *", "git\tlog", both},
		{protocol.ToolExecute, "git*", "git\tlog", both},
		{protocol.ToolExecute, "git *", "git", no},
		{protocol.ToolExecute, "git *", "gitx log", no},
		{protocol.ToolExecute, "git *", " git log", both},
		{protocol.ToolExecute, "git ?", "git x", both},
		{protocol.ToolExecute, "git ?", "git xy", no},
		{protocol.ToolExecute, "git *", "git log; rm -rf .", deny},
		{protocol.ToolExecute, "git *", "git log && rm -rf .", deny},
		{protocol.ToolExecute, "git *", "git log & rm -rf .", deny},
		{protocol.ToolExecute, "git *", "git log || rm -rf .", deny},
		{protocol.ToolExecute, "git *", "git log | sh", deny},
		{protocol.ToolExecute, "git *", "git log `rm -rf .`", deny},
		{protocol.ToolExecute, "git *", "git log $(rm -rf .)", deny},
		{protocol.ToolExecute, "git *", "git log <(rm -rf .)", deny},
		{protocol.ToolExecute, "git *", "git log > ~/.profile", deny},
		{protocol.ToolExecute, "git *", "git log < /etc/passwd", deny},
		{protocol.ToolExecute, "git *", "git log\nrm -rf .", deny},
		{protocol.ToolExecute, "git *", "git log\rrm -rf .", deny},
		{protocol.ToolExecute, "git *", "git log \\\n rm", deny},
		{protocol.ToolExecute, "git *", "git log \x00", deny},
		{protocol.ToolExecute, "git *", "git log \u0085 rm", deny},
		{protocol.ToolExecute, "git *", "git log \xff", deny},
		{protocol.ToolExecute, "git *", `git log --grep="a;b"`, both}, // quotes are resolved
		{protocol.ToolExecute, "git *", `git commit -m "fix(ui): x"`, both},
		{protocol.ToolExecute, `git commit -m "fix(*): *"`, `git commit -m "fix(ui): x"`, both},
		{protocol.ToolExecute, "git *", "git diff =(rm -rf .)", deny},     // zsh
		{protocol.ToolExecute, "git *", "git add *(e:'rm -rf .':)", deny}, // zsh
		{protocol.ToolExecute, "git *", "git diff (rm -rf .)", deny},      // fish
		{protocol.ToolExecute, "git *", "git log $HOME", deny},
		{protocol.ToolExecute, "echo $*", "echo $(rm -rf .)", deny}, // the $ is named, the ( is not
		{protocol.ToolExecute, "echo *(x)", "echo $(x)", deny},
		{protocol.ToolExecute, "echo $(date)*", "echo $(date) now", deny},
		{protocol.ToolExecute, "echo $(date)*", "echo $(date)$(reboot)", deny},
		{protocol.ToolExecute, "go vet && go test *", "go vet && go test ./...", deny}, // a list, under a wildcard
		{protocol.ToolExecute, "go vet && go test ./...", "go vet && go test ./...", both},
		{protocol.ToolExecute, "go vet && go test *", "go vet && go test ./... && rm -rf .", deny},
		{protocol.ToolExecute, "go test ./... | tee log", "go test ./... | tee log", both},
		{protocol.ToolExecute, "go test ?? tee log", "go test || tee log", deny},
		{protocol.ToolExecute, `echo \*`, "echo *", both},
		{protocol.ToolExecute, `echo \*`, "echo x", no},
		{protocol.ToolExecute, `echo \`, `echo \`, both},
		{protocol.ToolExecute, "rm *", "cd x; rm -r y", deny},

		{protocol.ToolExecute, "echo test *", `echo test ${x:=$'\x24\x28id\x29'} ${x@P}`, deny},
		{protocol.ToolExecute, "echo *", "echo $[x]", deny},
		{protocol.ToolExecute, "bash *", "bash -c ls", deny},
		{protocol.ToolExecute, "timeout *", "timeout 5 rm x", deny},
		{protocol.ToolExecute, "timeout 5 go *", "timeout 5 go test", both},
		{protocol.ToolExecute, "g*", "g/evil", deny},
		{protocol.ToolExecute, "find *", "find . -exec rm -r x ';'", deny}, // what else a program runs is named, too
		{protocol.ToolExecute, "find . -exec grep *", "find . -exec grep x ';'", both},
		{protocol.ToolExecute, "git *", "git -c core.pager='rm -r .' log", deny},
		{protocol.ToolExecute, "git *", "git switch -c x", both},
		{protocol.ToolExecute, "go test *", "go test -exec ./x ./...", deny},
		{protocol.ToolExecute, "go test *", "go test -run X ./...", both},
		{protocol.ToolExecute, "python *", "python -c 'import os'", deny},
		{protocol.ToolExecute, "python *", "python tool.py -c x", both},
		{protocol.ToolExecute, "python -c 'import os'", "python -c 'import os'", both},
		{protocol.ToolExecute, "touch *", "sudo env A=b bash -lc 'ls; touch x'", deny},

		// Paths.
		{protocol.ToolEdit, "src/**", "src/a/b.go", both},
		{protocol.ToolEdit, "src/**", "/srv/shop/src/a/b.go", both},
		{protocol.ToolEdit, "/srv/shop/src/**", "src/a/b.go", both},
		{protocol.ToolEdit, "src/**", "./src//a/../b.go", both},
		{protocol.ToolEdit, "src/**", "src/../secret", no},
		{protocol.ToolEdit, "src/**", "src/../../../etc/passwd", no},
		{protocol.ToolEdit, "src/**", "src/a/../../../../etc/passwd", no},
		{protocol.ToolEdit, "src/**", "/etc/passwd", no},
		{protocol.ToolEdit, "src/**", "src", no},
		{protocol.ToolEdit, "src/*", "src/a.go", both},
		{protocol.ToolEdit, "src/*", "src/a/b.go", no},
		{protocol.ToolEdit, "src/?.go", "src/a.go", both},
		{protocol.ToolEdit, "src?a.go", "src/a.go", no},
		{protocol.ToolEdit, "*.go", "a.go", both},
		{protocol.ToolEdit, "*.go", "a/b.go", no},
		{protocol.ToolEdit, "**/*.go", "a/b/c.go", both},
		{protocol.ToolEdit, "**/*.go", "c.go", both},
		{protocol.ToolEdit, "**/*.go", "/etc/c.go", no},
		{protocol.ToolEdit, "/**/*.go", "/etc/c.go", both},
		{protocol.ToolEdit, "a/**/z", "a/z", both},
		{protocol.ToolEdit, "a/**/z", "a/b/c/z", both},
		{protocol.ToolEdit, "a/**/z", "abz", no},
		{protocol.ToolEdit, "a**z", "a/b/z", both},
		{protocol.ToolEdit, "../**", "../other/x", both}, // asked for
		{protocol.ToolEdit, "../**", "/srv/shop/x", both},
		{protocol.ToolEdit, "../**", "/etc/x", no},
		{protocol.ToolEdit, ".env", "./.env", both},
		{protocol.ToolEdit, ".env", "a/../.env", both},
		{protocol.ToolEdit, "**/.env", "a/.env", both},
		{protocol.ToolEdit, ".git/**", ".GIT/hooks/x", deny},
		{protocol.ToolEdit, "src/**", "\u017frc/x", deny},          // ſ, which some disks take for an s
		{protocol.ToolEdit, ".git/**", ".g\u200cit/hooks/x", deny}, // not seen
		{protocol.ToolEdit, "caf\u00e9/*", "cafe\u0301/x", deny},   // é in two pieces
		{protocol.ToolEdit, "caf\u00e9/*", "caf\u00e9/x", both},
		{protocol.ToolExecute, "touch *", "/bin/\u017fh; TOUCH x", deny},
		{protocol.ToolRead, "**/*", "~/.ssh/id_rsa", deny}, // the tool may know what ~ means
		{protocol.ToolRead, "**/*", "$HOME/.ssh/id_rsa", deny},
		{protocol.ToolRead, "**/*", "file:///etc/passwd", deny},
		{protocol.ToolRead, "~/x", "~/x", both},
		{protocol.ToolRead, "x", "~/../x", deny},
		{protocol.ToolRead, "x", "file://../x", deny},
		{protocol.ToolSearch, "src/**", "src/a\n/etc/passwd", deny},
		{protocol.ToolSearch, "src/**", "src/\xff", deny},
		{protocol.ToolRead, "**/*", "", no},

		// URLs.
		{protocol.ToolFetch, "https://go.dev/**", "https://go.dev/doc/x", both},
		{protocol.ToolFetch, "https://go.dev/**", "HTTPS://GO.dev:443/doc/x", both},
		{protocol.ToolFetch, "https://GO.dev/**", "https://go.dev./doc", both},
		{protocol.ToolFetch, "https://go.dev/**", "https://go.dev:8443/doc", no},
		{protocol.ToolFetch, "https://go.dev/**", "http://go.dev/doc", no},
		{protocol.ToolFetch, "https://go.dev/doc/**", "https://go.dev/doc/../secret", deny},
		{protocol.ToolFetch, "https://go.dev/doc/**", "https://go.dev/doc/%2e%2e/secret", deny},
		{protocol.ToolFetch, "https://go.dev/doc/**", "https://go.dev/secret/..%2fdoc/x", deny},
		{protocol.ToolFetch, "https://go.dev/**", "https://go.dev@evil.example/doc", no},
		{protocol.ToolFetch, "https://go.dev/**", "https://user:pw@go.dev/doc", deny},
		{protocol.ToolFetch, "https://go.dev/**", `https://go.dev\@evil.example/`, no},
		{protocol.ToolFetch, "https://*.go.dev/**", "https://pkg.go.dev/x", both},
		{protocol.ToolFetch, "https://*.go.dev/**", "https://evil.example/x.go.dev/", deny},
		{protocol.ToolFetch, "https://*.go.dev/**", "https://evil.example?.go.dev/", deny},
		{protocol.ToolFetch, "https://*.go.dev/**", "https://evil.example#.go.dev/", deny},
		{protocol.ToolFetch, "https://go.dev/*", "https://go.dev/x?q=1", deny}, // ? is not for *; what denies may take it
		{protocol.ToolFetch, "https://go.dev/**", "https://go.dev/x?q=1", both},
		{protocol.ToolFetch, "https://go.dev/**", "https://go.dev/x#part", both},
		{protocol.ToolFetch, "https://go.dev", "https://go.dev", both},
		{protocol.ToolFetch, "*go.dev*", "look for go.dev", deny}, // no URL

		// Tools of no known kind.
		{protocol.ToolOther, "get *", "get one", both},
		{protocol.ToolOther, "get *", "get one; drop", deny},
		{protocol.ToolOther, "files/*", "files/a/b", both},
		{protocol.ToolOther, "files/*", "files/../secret", deny},
		{protocol.ToolOther, "cat *", "cat ../secret", deny},
		{protocol.ToolOther, "cat *", `cat "../secret"`, deny},
		{protocol.ToolOther, "cat *", "cat a..b", both},
		{"hologram", "get *", "get one", both},
	} {
		got := no
		match := func(a protocol.PolicyAction) bool {
			p := &protocol.Policy{Rules: []protocol.PolicyRule{{Pattern: c.pattern, Action: a}}}
			return decided(p, &Request{RequestOpened: approval(c.kind, "tool", c.subject), Folder: cwd, Limit: 0}) == a
		}
		denies := match(protocol.PolicyDeny)
		if denies != match(protocol.PolicyDenyStop) {
			t.Errorf("%q: deny and deny_stop differ", c.pattern)
		}
		switch allows := match(protocol.PolicyAllow); {
		case allows && denies:
			got = both
		case denies:
			got = deny
		case allows:
			t.Errorf("%s %q allows %q and does not deny it", c.kind, c.pattern, c.subject)
		}
		if got != c.want {
			t.Errorf("%s %q, subject %q: %d, want %d", c.kind, c.pattern, c.subject, got, c.want)
		}
	}
}

// Without a working directory a relative path is somewhere; it must not climb.
func TestPolicyWithoutACwd(t *testing.T) {
	p := &protocol.Policy{Rules: []protocol.PolicyRule{{Pattern: "src/**", Action: protocol.PolicyAllow}}}
	for subject, want := range map[string]protocol.PolicyAction{
		"src/a": protocol.PolicyAllow, "../src/a": protocol.PolicyLeave, "x/../../src/a": protocol.PolicyLeave, "/srv/src/a": protocol.PolicyLeave,
	} {
		if got := decided(p, &Request{RequestOpened: approval(protocol.ToolEdit, "", subject), Folder: "", Limit: 0}); got != want {
			t.Errorf("%s: %s", subject, got)
		}
	}
	// What the working directory is called is no pattern.
	p = &protocol.Policy{Rules: []protocol.PolicyRule{{Pattern: "*.go", Action: protocol.PolicyAllow}}}
	if got := decided(p, &Request{RequestOpened: approval(protocol.ToolEdit, "", "/srv/shop/a.go"), Folder: "/srv/s*p", Limit: 0}); got != protocol.PolicyLeave {
		t.Errorf("the name of the folder is taken for a pattern: %s", got)
	}
	if got := decided(p, &Request{RequestOpened: approval(protocol.ToolEdit, "", "a.go"), Folder: `/srv/s*p\?`, Limit: 0}); got != protocol.PolicyAllow {
		t.Errorf("a folder of a strange name: %s", got)
	}
}

// quotedText is what a shell takes as it stands.
var quotedText = regexp.MustCompile(`'[^']*'|"[^"$\x60\\]*"|\\.`)

// Whatever a wildcard of a rule that allows has matched, no character of the line chains, redirects or substitutes, unless it is quoted.
// Proves: I3/rules
func TestPolicyWildcardsNeverChain(t *testing.T) {
	chars := rapid.StringOfN(rapid.SampledFrom([]rune("ab /.$();&|`<>\n\r\x00\"'*?")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		before, after := chars.Draw(t, "before"), chars.Draw(t, "after")
		middle := chars.Draw(t, "middle")
		escape := globEscape.Replace
		p := &protocol.Policy{Rules: []protocol.PolicyRule{{Pattern: escape(before) + "*" + escape(after), Action: protocol.PolicyAllow}}}
		if p.Rules[0].Pattern == "*" {
			return
		}
		subject := before + middle + after
		if decided(p, &Request{RequestOpened: approval(protocol.ToolExecute, "", subject), Folder: cwd, Limit: 0}) != protocol.PolicyAllow {
			return
		}
		if left := quotedText.ReplaceAllString(strings.Trim(subject, " \n"), "q"); strings.ContainsAny(left, "$();&|`<>\n\r\x00\"'*?") {
			t.Fatalf("%q allows %q", p.Rules[0].Pattern, subject)
		}
	})
}

// A pattern costs what its length and the subject's give, and no more.
func TestPolicyPatternIsBounded(t *testing.T) {
	g := newGlob(strings.Repeat("*a", 500)+"b", "")
	if g.match(strings.Repeat("a", 20_000), anything) {
		t.Fatal("it has no b")
	}
}

func TestPolicyAnswersWithWhatTheAgentHas(t *testing.T) {
	o := func(ids ...string) (list []protocol.Option) {
		for _, id := range ids {
			list = append(list, protocol.Option{ID: id})
		}
		return list
	}
	for _, c := range []struct {
		action  protocol.PolicyAction
		options []protocol.Option
		want    Verdict
		ok      bool
	}{
		{protocol.PolicyAllow, o(protocol.AllowOnce, protocol.AllowAlways), Verdict{protocol.OutcomeAllowed, protocol.AllowOnce, false}, true},
		{protocol.PolicyAllow, o(protocol.AllowAlways, protocol.DenyContinue), Verdict{}, false},
		{protocol.PolicyAllow, nil, Verdict{protocol.OutcomeAllowed, "", false}, true},
		{protocol.PolicyDeny, o(protocol.AllowOnce, protocol.DenyContinue, protocol.DenyStop), Verdict{protocol.OutcomeDenied, protocol.DenyContinue, false}, true},
		{protocol.PolicyDeny, o(protocol.AllowOnce, protocol.DenyStop), Verdict{protocol.OutcomeDenied, protocol.DenyStop, false}, true},
		{protocol.PolicyDeny, o(protocol.AllowOnce), Verdict{protocol.OutcomeDenied, "", false}, true},
		{protocol.PolicyDenyStop, o(protocol.DenyContinue, protocol.DenyStop), Verdict{protocol.OutcomeDenied, protocol.DenyStop, false}, true},
		{protocol.PolicyDenyStop, o(protocol.AllowOnce, protocol.DenyContinue), Verdict{protocol.OutcomeDenied, protocol.DenyContinue, true}, true},
		{protocol.PolicyDenyStop, nil, Verdict{protocol.OutcomeDenied, "", true}, true},
		{protocol.PolicyLeave, o(protocol.AllowOnce), Verdict{}, false},
		{"of another build", o(protocol.AllowOnce), Verdict{}, false},
	} {
		got, ok := Answer(c.action, &protocol.RequestOpened{Options: c.options})
		if got != c.want || ok != c.ok {
			t.Errorf("%s with %v: %+v %v", c.action, c.options, got, ok)
		}
	}
}

// TestPolicySeveralPaths: a change of several files is allowed when each of them is, and denied when one of them is.
func TestPolicySeveralPaths(t *testing.T) {
	for _, c := range []struct {
		action  protocol.PolicyAction
		subject string
		want    protocol.PolicyAction
	}{
		{protocol.PolicyAllow, "src/a.go\nsrc/b.go", protocol.PolicyAllow},
		{protocol.PolicyAllow, "src/a.go\n/etc/passwd", protocol.PolicyLeave},
		{protocol.PolicyAllow, "/etc/passwd\nsrc/a.go", protocol.PolicyLeave},
		{protocol.PolicyAllow, "src/a.go\n", protocol.PolicyLeave},
		{protocol.PolicyDeny, "lib/a.go\nsrc/b.go", protocol.PolicyDeny},
		{protocol.PolicyDeny, "lib/a.go\nlib/b.go", protocol.PolicyLeave},
	} {
		p := &protocol.Policy{Rules: []protocol.PolicyRule{{Tool: "edit", Pattern: "src/*", Action: c.action}}}
		if got := decided(p, &Request{RequestOpened: approval(protocol.ToolEdit, "patch", c.subject), Folder: cwd, Limit: 0}); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.action, c.subject, got, c.want)
		}
	}
}

// TestPolicySubjectNotKnown: what a rule keeps from happening does not happen unasked because the subject is missing or was cut.
func TestPolicySubjectNotKnown(t *testing.T) {
	long := "git status " + strings.Repeat("x", adapters.MaxText)
	for _, subject := range []string{"", long[:adapters.MaxText]} {
		for _, action := range []protocol.PolicyAction{protocol.PolicyDeny, protocol.PolicyDenyStop, protocol.PolicyLeave} {
			p := &protocol.Policy{Mode: protocol.PolicyAllowAll, Rules: []protocol.PolicyRule{{Tool: "execute", Pattern: "rm *", Action: action}}}
			if got := decided(p, &Request{RequestOpened: approval(protocol.ToolExecute, "bash", subject), Folder: cwd, Limit: 0}); got != protocol.PolicyLeave {
				t.Errorf("%s, %d bytes: %s", action, len(subject), got)
			}
			if got := decided(p, &Request{RequestOpened: approval(protocol.ToolFetch, "web", subject), Folder: cwd, Limit: 0}); got != protocol.PolicyAllow {
				t.Errorf("%s, another tool: %s", action, got)
			}
		}
		p := &protocol.Policy{Rules: []protocol.PolicyRule{{Tool: "execute", Pattern: "git *", Action: protocol.PolicyAllow}}}
		if got := decided(p, &Request{RequestOpened: approval(protocol.ToolExecute, "bash", subject), Folder: cwd, Limit: 0}); got != protocol.PolicyLeave {
			t.Errorf("allow, %d bytes: %s", len(subject), got)
		}
	}
}

// TestPolicyOfCutSubjects: a subject that a daemon's own limit of texts has cut is not taken for a whole one, whichever side the limit lies on.
func TestPolicyOfCutSubjects(t *testing.T) {
	p := &protocol.Policy{Rules: []protocol.PolicyRule{{Tool: "edit", Pattern: "src/*", Action: protocol.PolicyAllow}}}
	long := "src/" + strings.Repeat("x", adapters.MostText)
	for _, c := range []struct {
		limit, bytes int
		want         protocol.PolicyAction
	}{
		{adapters.LeastText, adapters.LeastText, protocol.PolicyLeave},
		{adapters.LeastText, adapters.LeastText - 3, protocol.PolicyLeave}, // cut before a character
		{adapters.LeastText, adapters.LeastText - 5, protocol.PolicyAllow},
		{adapters.MostText, adapters.MaxText, protocol.PolicyLeave}, // some adapters cut there
		{adapters.MostText, adapters.MaxText - 5, protocol.PolicyAllow},
		{0, adapters.MaxText, protocol.PolicyLeave},
		{0, adapters.MaxText - 5, protocol.PolicyAllow},
	} {
		if got := decided(p, &Request{RequestOpened: approval(protocol.ToolEdit, "write", long[:c.bytes]), Folder: cwd, Limit: c.limit}); got != c.want {
			t.Errorf("limit %d, %d bytes: %s, want %s", c.limit, c.bytes, got, c.want)
		}
	}
}

// TestPolicyPathsBySeveralRules: each path is judged for itself, also where the rules that allow them differ; the most careful answer counts.
func TestPolicyPathsBySeveralRules(t *testing.T) {
	p := &protocol.Policy{Rules: []protocol.PolicyRule{
		{Tool: "edit", Pattern: ".git/**", Action: protocol.PolicyDenyStop},
		{Tool: "edit", Pattern: "secret/**", Action: protocol.PolicyDeny},
		{Tool: "edit", Pattern: "src/**", Action: protocol.PolicyAllow},
		{Tool: "edit", Pattern: "doc/**", Action: protocol.PolicyAllow},
	}}
	for subject, want := range map[string]protocol.PolicyAction{
		"src/a\ndoc/b": protocol.PolicyAllow, "src/a\nlib/b": protocol.PolicyLeave, "src/a\n/srv/shop/.git/hooks/pre-commit": protocol.PolicyDenyStop,
		".GIT/hooks/x": protocol.PolicyDenyStop, "secret/a\nlib/b": protocol.PolicyDeny, "secret/a\n.git/x\nsrc/a": protocol.PolicyDenyStop, "src/../.git/x": protocol.PolicyDenyStop,
	} {
		if got := decided(p, &Request{RequestOpened: approval(protocol.ToolEdit, "patch", subject), Folder: cwd}); got != want {
			t.Errorf("%q: %s, want %s", subject, got, want)
		}
	}
	for lead, want := range map[string]protocol.PolicyAction{
		cwd + "/.git/hooks/x": protocol.PolicyDenyStop, "/etc/x": protocol.PolicyLeave, "": protocol.PolicyLeave, cwd + "/doc/x": protocol.PolicyAllow,
	} {
		if got := decided(p, &Request{RequestOpened: approval(protocol.ToolEdit, "patch", "src/a"), Folder: cwd, Leads: []string{lead}}); got != want {
			t.Errorf("src/a leads to %q: %s, want %s", lead, got, want)
		}
	}
}

// TestPolicyOtherFolder: no pattern allows a command in a folder that is not the session's.
func TestPolicyOtherFolder(t *testing.T) {
	r := approval(protocol.ToolExecute, "bash", "go test ./...")
	r.Cwd = "/etc"
	for _, c := range []struct {
		rule protocol.PolicyRule
		want protocol.PolicyAction
	}{
		{protocol.PolicyRule{Tool: "execute", Pattern: "go test *", Action: protocol.PolicyAllow}, protocol.PolicyLeave},
		{protocol.PolicyRule{Tool: "execute", Pattern: "go test ./...", Action: protocol.PolicyAllow}, protocol.PolicyLeave},
		{protocol.PolicyRule{Tool: "execute", Action: protocol.PolicyAllow}, protocol.PolicyAllow},
		{protocol.PolicyRule{Tool: "execute", Pattern: "go test *", Action: protocol.PolicyDeny}, protocol.PolicyDeny},
	} {
		if got := decided(&protocol.Policy{Rules: []protocol.PolicyRule{c.rule}}, &Request{RequestOpened: r, Folder: cwd}); got != c.want {
			t.Errorf("%v: %s, want %s", c.rule, got, c.want)
		}
	}
}

// TestPolicySearchBelow: a search of a folder sees what lies below it, so a rule about that is asked about.
func TestPolicySearchBelow(t *testing.T) {
	p := &protocol.Policy{Mode: protocol.PolicyAllowReads, Rules: []protocol.PolicyRule{{Pattern: "secret/**", Action: protocol.PolicyDeny}}}
	for subject, want := range map[string]protocol.PolicyAction{
		".": protocol.PolicyLeave, "/srv": protocol.PolicyLeave, "secret": protocol.PolicyLeave, "secret/a": protocol.PolicyDeny, "src": protocol.PolicyAllow, "s*/x": protocol.PolicyLeave,
	} {
		if got := decided(p, &Request{RequestOpened: approval(protocol.ToolSearch, "Grep", subject), Folder: cwd}); got != want {
			t.Errorf("%q: %s, want %s", subject, got, want)
		}
	}
}

// decided is the action alone.
func decided(p *protocol.Policy, r *Request) protocol.PolicyAction {
	action, _ := Decide(p, r)
	return action
}
