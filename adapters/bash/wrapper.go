package bash

import (
	"path"
	"slices"
	"strings"
)

// wrapper is a program that runs the command which its arguments are: its options that take an argument, and how many operands come before
// the command.
type wrapper struct {
	short    string   // letters of options with an argument
	long     []string // names of options with an argument of its own
	operands int
	assigns  bool // NAME=value may come before the command
}

var wrappers = map[string]wrapper{
	"env": {short: "uCa", long: []string{"unset", "chdir", "argv0"}, assigns: true},
	"sudo": {short: "aCcDghpRrTtUu", assigns: true, long: []string{
		"user", "group", "host", "prompt", "chdir", "chroot", "close-from", "role", "type", "command-timeout", "other-user", "login-class", "auth-type",
	}},
	"doas": {short: "aCu"}, "nice": {short: "n", long: []string{"adjustment"}}, "nohup": {}, "setsid": {},
	"time": {short: "fo", long: []string{"format", "output"}}, "timeout": {short: "sk", long: []string{"signal", "kill-after"}, operands: 1},
	"gtimeout": {short: "sk", long: []string{"signal", "kill-after"}, operands: 1},
	"genv":     {short: "uCa", long: []string{"unset", "chdir", "argv0"}, assigns: true},
	"stdbuf":   {short: "ioe", long: []string{"input", "output", "error"}}, "ionice": {short: "cn", long: []string{"class", "classdata"}},
	"chrt": {short: "TPD", long: []string{"sched-runtime", "sched-period", "sched-deadline"}, operands: 1}, "taskset": {operands: 1},
	"chroot": {short: "ugG", long: []string{"userspec", "groups"}, operands: 1}, "caffeinate": {short: "tw"},
	"exec": {short: "a"}, "command": {}, "builtin": {}, "noglob": {}, "nocorrect": {}, "-": {}, "repeat": {operands: 1},
	"busybox": {}, "toybox": {}, "unbuffer": {}, "catchsegv": {}, "arch": {}, "faketime": {operands: 1},
	"dbus-run-session": {long: []string{"config-file", "dbus-daemon"}},
	"xargs":            {short: "adEIJLnPRSs", long: []string{"arg-file", "delimiter", "max-args", "max-procs", "max-chars", "process-slot-var"}},
}

// runners run what is in their arguments in ways that are not followed: a command of theirs may be any part of them.
var runners = []string{
	"parallel", "watch", "flock", "strace", "ltrace", "gdb", "lldb", "valgrind", "perf", "script",
	"su", "runuser", "ssh", "unshare", "nsenter", "systemd-run", "setpriv", "capsh",
	"pkexec", "gosu", "su-exec", "tini", "dumb-init", "sg", "prlimit", "choom", "numactl", "setarch", "linux32", "linux64", "i386", "x86_64", "uname26",
	"ssh-agent",
	"cpulimit", "cgexec", "systemd-inhibit", "torsocks",
	"proxychains", "proxychains4", "xvfb-run", "dbus-launch", "hyperfine", "watchexec", "direnv",
	"ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
	"firejail", "bwrap", "proot", "fakeroot", "expect", "entr", "rlwrap", "socat", "screen", "tmux", "at", "batch", "crontab", "osascript", "start-stop-daemon",
}

// evaluators are builtins that run or bind text which this package does not follow.
var evaluators = []string{
	"enable", "fc", "hash", "bind", "complete", "compgen", "mapfile", "readarray", "jobs", "emulate",
	"sched", "zle", "autoload", "zmodload", "functions", "foreach",
}

// subscripts are builtins that evaluate the brackets of an array's name among their arguments.
var subscripts = []string{
	"test", "[", "printf", "print", "read", "unset", "wait", "let", "declare", "typeset", "local", "export", "readonly", "integer", "float", "getopts",
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "pdksh", "ash", "rbash", "rzsh", "posh", "yash":
		return true
	}
	return false
}

// foreign says that a program is a shell of another language.
func foreign(name string) bool {
	switch strings.TrimSuffix(strings.ToLower(name), ".exe") {
	case "fish", "csh", "tcsh", "nu", "elvish", "xonsh", "pwsh", "powershell", "cmd":
		return true
	}
	return false
}

// base is the name of a program, without its folder.
func base(word string) string {
	if word == "" {
		return ""
	}
	return path.Base(word)
}

// inner is the last word that says which command a plain one runs in its turn: 0 for none, -1 where that cannot be told.
func inner(words []string) int {
	at := 0
	for {
		name := base(words[at])
		switch {
		case isShell(name), foreign(name), slices.Contains(runners, name), slices.Contains(evaluators, name):
			return -1
		case name == "eval", name == "trap", name == "alias", name == "source", name == ".":
			return -1
		case slices.Contains(subscripts, name) && slices.ContainsFunc(words[at:], func(w string) bool { return strings.ContainsAny(w, "$`[") && w != "[" }):
			return -1
		}
		w, is := wrappers[name]
		if !is {
			_, last := carried(words[at:])
			return at + last
		}
		n, sure := w.command(words[at:])
		if !sure || name == "xargs" {
			return -1
		}
		if n == 0 { // it runs none
			return at
		}
		at += n
	}
}

// command finds the command in the words of a wrapper: 0 is none. It is not sure where an option is not known, or a word.
func (w wrapper) command(words []string) (at int, sure bool) {
	sure = true
	name := base(words[0])
	operands := w.operands
	i := 1
options:
	for ; i < len(words); i++ {
		word := words[i]
		switch {
		case dynamic(word):
			return 0, false
		case word == "--":
			i++
			break options
		case strings.HasPrefix(word, "--"):
			option, _, with := strings.Cut(word[2:], "=")
			if w.assigns && name != "sudo" && means(word[:2+len(option)], "--split-string") {
				return 0, false
			}
			if !with && slices.ContainsFunc(w.long, func(long string) bool { return strings.HasPrefix(long, option) }) { // it may be cut short
				i++
			}
		case name == "command" && (word == "-v" || word == "-V"):
			return 0, true // it only says what would be run
		case len(word) > 1 && word[0] == '-':
			for j := 1; j < len(word); j++ {
				if strings.IndexByte(w.short, word[j]) >= 0 {
					if j == len(word)-1 {
						i++ // its argument is the next word
					}
					break
				}
				if word[j] == 'S' && w.assigns && name != "sudo" || name == "sudo" && (word[j] == 'i' || word[j] == 's') {
					sure = false // env -S, and a shell of sudo's
				}
			}
		case word == "-" && w.assigns:
		case w.assigns && strings.Contains(word, "="):
		default:
			break options
		}
	}
	for ; operands > 0 && i < len(words); operands-- {
		i++
	}
	if i >= len(words) {
		return 0, sure
	}
	return i, sure
}
