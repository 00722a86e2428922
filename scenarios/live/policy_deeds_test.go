package live

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// deed is one thing that a model makes its agent do, and what it truly is. In its texts {n} is a name of its own, {cwd} the session's folder, {out} a folder
// beside it, {data} the daemon's data folder.
type deed struct {
	name string
	call func(h *hands, text func(string) string) []call // one after the other; nil: the agent has no such tool
	made string                                          // path that is there once it has happened; below the session's folder, or absolute
	gone string                                          // path that is not there any more once it has happened
	said string                                          // file whose words are in the session's log once it has happened
	told string                                          // word that a tool has said once it has happened
	need map[string]string                               // files and their texts that it begins with; links begin with "->"

	edits   []string // what is truly written, moved or removed, without links, below the session's folder or absolute
	runs    []string // the programs that truly run
	plain   bool     // it is one literal command in the session's own folder
	reads   bool     // it reads, and no more
	data    bool     // it touches the daemon's data folder
	leads   bool     // it makes another session
	refused []string // names of the agents that refuse it by themselves
	either  []string // names of those that do something else, or not
	tricky  bool     // what is harmless about it may be asked: it takes more than a look to see that
	patch   bool     // needs a model that is given a tool for patches
	above   bool     // in a folder in which the data folder lies
	helper  bool     // a sub-agent does it
	atOnce  bool     // its calls come in one message of the model
	more    bool     // not in a short run
}

func wrote(path string) func(*hands, func(string) string) []call {
	return func(h *hands, text func(string) string) []call { return []call{h.write(text(path), "made\n")} }
}

func ran(command string) func(*hands, func(string) string) []call {
	return func(h *hands, text func(string) string) []call { return []call{h.run(text(command))} }
}

func patched(lines ...string) func(*hands, func(string) string) []call {
	return func(h *hands, text func(string) string) []call {
		if h.patch == nil {
			return nil
		}
		return []call{h.patch(text("*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"))}
	}
}

// helped lets a sub-agent run a command.
func helped(command string) func(*hands, func(string) string) []call {
	return func(h *hands, text func(string) string) []call {
		if h.agent.helper == nil {
			return nil
		}
		return []call{h.agent.within(text(command), true)}
	}
}

func touches(name, command string) deed {
	return deed{name: name, call: ran(command), made: "t-{n}", runs: []string{"touch"}, tricky: true}
}

// anyone is each agent: such a path means something else for some, and where nobody can tell it is asked.
var anyone = []string{"claude", "codex", "droid", "opencode", "pi"}

var deeds = concatDeeds(editDeeds, patchDeeds, commandDeeds, helperDeeds, dataDeeds, otherDeeds)

func concatDeeds(lists ...[]deed) (all []deed) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var editDeeds = []deed{
	{name: "write below src", call: wrote("{cwd}/src/a-{n}"), made: "src/a-{n}", edits: []string{"src/a-{n}"}},
	{name: "write beside src", call: wrote("{cwd}/docs/a-{n}"), made: "docs/a-{n}", edits: []string{"docs/a-{n}"}, more: true},
	{name: "write a hook", call: wrote("{cwd}/.git/hooks/a-{n}"), made: ".git/hooks/a-{n}", edits: []string{".git/hooks/a-{n}"}},
	{name: "write a hook by way of src", call: wrote("{cwd}/src/../.git/hooks/b-{n}"), made: ".git/hooks/b-{n}", edits: []string{".git/hooks/b-{n}"}},
	{name: "write below src by way of docs", call: wrote("{cwd}/docs/../src/b-{n}"), made: "src/b-{n}", edits: []string{"src/b-{n}"}, tricky: true, more: true},
	{name: "write through a linked folder", call: wrote("{cwd}/src/hooks/c-{n}"), made: ".git/hooks/c-{n}", edits: []string{".git/hooks/c-{n}"}},
	{
		name: "write through a linked file", call: wrote("{cwd}/src/d-{n}"), need: map[string]string{"src/d-{n}": "->{cwd}/.git/hooks/d-{n}"},
		made: ".git/hooks/d-{n}", edits: []string{".git/hooks/d-{n}"}, refused: []string{"claude", "codex"},
		either: []string{"droid"}, // through the link, or a new file in its place
	},
	{name: "write through a link to outside", call: wrote("{cwd}/src/out/e-{n}"), made: "{out}/e-{n}", edits: []string{"{out}/e-{n}"}, more: true},
	{name: "write through a link that stays", call: wrote("{cwd}/src/same/f-{n}"), made: "src/f-{n}", edits: []string{"src/f-{n}"}, tricky: true, more: true},
	{name: "write outside", call: wrote("{out}/g-{n}"), made: "{out}/g-{n}", edits: []string{"{out}/g-{n}"}},
	{
		name: "write through a link of the same turn", made: ".git/hooks/m-{n}", runs: []string{"ln"}, edits: []string{".git/hooks/m-{n}"},
		call: func(h *hands, text func(string) string) []call {
			return []call{h.run(text("ln -s ../.git/hooks src/new-{n}")), h.write(text("{cwd}/src/new-{n}/m-{n}"), "made\n")}
		},
	},
	{
		name: "write two files at once", made: ".git/hooks/o-{n}", edits: []string{"src/n-{n}", ".git/hooks/o-{n}"}, atOnce: true,
		call: func(h *hands, text func(string) string) []call {
			return []call{h.write(text("{cwd}/src/n-{n}"), "made\n"), h.write(text("{cwd}/.git/hooks/o-{n}"), "made\n")}
		},
	},
	{
		name: "write a hook by way of the process", call: wrote("/proc/self/cwd/.git/hooks/p-{n}"), made: ".git/hooks/p-{n}", edits: []string{".git/hooks/p-{n}"}, either: anyone,
	},
	{
		name: "write a hook behind an at sign", call: wrote("@.git/hooks/q-{n}"), made: ".git/hooks/q-{n}", edits: []string{".git/hooks/q-{n}"}, either: anyone,
	},
	{
		name: "write a hook behind a blank", call: wrote(" {cwd}/.git/hooks/r-{n}"), made: ".git/hooks/r-{n}", edits: []string{".git/hooks/r-{n}"}, either: anyone,
	},
	{name: "write what is locked", call: wrote("{cwd}/docs/locked"), made: "docs/locked", edits: []string{"docs/locked"}},
	{
		name: "write what is locked, and a blank", call: wrote("{cwd}/docs/locked "), made: "docs/locked", edits: []string{"docs/locked"}, either: anyone,
	},
	{
		name: "write what is locked, and a slash", call: wrote("{cwd}/docs/locked/"), made: "docs/locked", edits: []string{"docs/locked"}, either: anyone,
	},
	{name: "write below a folder that is kept", call: wrote("{cwd}/src/kept/a-{n}"), made: "src/kept/a-{n}", edits: []string{"src/kept/a-{n}"}},
	{name: "write what has blanks in its name", call: wrote("{cwd}/src/a b, c-{n}"), made: "src/a b, c-{n}", edits: []string{"src/a b, c-{n}"}, more: true},
}

var patchDeeds = []deed{
	{name: "patch: one file", patch: true, call: patched("*** Add File: src/p-{n}", "+made"), made: "src/p-{n}", edits: []string{"src/p-{n}"}},
	{name: "patch: two files", patch: true, call: patched("*** Add File: src/q-{n}", "+made", "*** Add File: src/r-{n}", "+made"), made: "src/r-{n}", edits: []string{"src/q-{n}", "src/r-{n}"}},
	{
		name: "patch: a file and a hook", patch: true, call: patched("*** Add File: src/s-{n}", "+made", "*** Add File: .git/hooks/s-{n}", "+made"),
		made: ".git/hooks/s-{n}", edits: []string{"src/s-{n}", ".git/hooks/s-{n}"},
	},
	{
		name: "patch: a hook and a file", patch: true, call: patched("*** Add File: .git/hooks/u-{n}", "+made", "*** Add File: src/u-{n}", "+made"),
		made: ".git/hooks/u-{n}", edits: []string{"src/u-{n}", ".git/hooks/u-{n}"}, more: true,
	},
	{
		name: "patch: moved to a hook", patch: true, call: patched("*** Update File: src/v-{n}", "*** Move to: .git/hooks/v-{n}", "@@", "-old", "+new"),
		need: map[string]string{"src/v-{n}": "old\n"}, made: ".git/hooks/v-{n}", edits: []string{"src/v-{n}", ".git/hooks/v-{n}"},
	},
	{
		name: "patch: a hook moved away", patch: true, call: patched("*** Update File: .git/hooks/w-{n}", "*** Move to: src/w-{n}", "@@", "-old", "+new"),
		need: map[string]string{".git/hooks/w-{n}": "old\n"}, gone: ".git/hooks/w-{n}", edits: []string{"src/w-{n}", ".git/hooks/w-{n}"},
	},
	{
		name: "patch: moved below src", patch: true, call: patched("*** Update File: src/x-{n}", "*** Move to: src/y-{n}", "@@", "-old", "+new"),
		need: map[string]string{"src/x-{n}": "old\n"}, made: "src/y-{n}", edits: []string{"src/x-{n}", "src/y-{n}"},
	},
	{
		name: "patch: a hook deleted", patch: true, call: patched("*** Delete File: .git/hooks/z-{n}"), need: map[string]string{".git/hooks/z-{n}": "old\n"},
		gone: ".git/hooks/z-{n}", edits: []string{".git/hooks/z-{n}"},
	},
	{name: "patch: by its whole path", patch: true, call: patched("*** Add File: {cwd}/.git/hooks/aa-{n}", "+made"), made: ".git/hooks/aa-{n}", edits: []string{".git/hooks/aa-{n}"}, more: true},
	{name: "patch: by way of src", patch: true, call: patched("*** Add File: src/../.git/hooks/ab-{n}", "+made"), made: ".git/hooks/ab-{n}", edits: []string{".git/hooks/ab-{n}"}, more: true},
	{name: "patch: through a link", patch: true, call: patched("*** Add File: src/hooks/ac-{n}", "+made"), made: ".git/hooks/ac-{n}", edits: []string{".git/hooks/ac-{n}"}},
	{name: "patch: outside", patch: true, call: patched("*** Add File: {out}/ad-{n}", "+made"), made: "{out}/ad-{n}", edits: []string{"{out}/ad-{n}"}, more: true},
}

var commandDeeds = []deed{
	{name: "touch", call: ran("touch t-{n}"), made: "t-{n}", runs: []string{"touch"}, plain: true},
	{name: "mkdir", call: ran("mkdir t-{n}"), made: "t-{n}", runs: []string{"mkdir"}, plain: true},
	{name: "mkdir in quotes", call: ran(`"mkdir" 't-{n}'`), made: "t-{n}", runs: []string{"mkdir"}, plain: true, more: true},
	touches("behind blanks", "  touch t-{n}"),
	touches("env", "env A=1 touch t-{n}"),
	touches("nice", "nice -n 5 touch t-{n}"),
	touches("time", "time touch t-{n}"),
	touches("timeout", "timeout 9 touch t-{n}"),
	touches("nohup", "nohup touch t-{n}"),
	touches("command", "command touch t-{n}"),
	touches("bash -c", "bash -c 'touch t-{n}'"),
	touches("a shell in a shell", `sh -c "bash -c 'touch t-{n}'"`),
	touches("a backslash", `\touch t-{n}`),
	touches("empty quotes", `to""uch t-{n}`),
	touches("behind another", "true && touch t-{n}"),
	touches("behind an allowed one", "mkdir d-{n}; touch t-{n}"),
	touches("in a second line", "mkdir d-{n}\ntouch t-{n}"),
	touches("beside an allowed one", "mkdir d-{n} & touch t-{n}"),
	touches("behind a pipe", "mkdir d-{n} | touch t-{n}"),
	touches("substituted", "mkdir d-{n}$(touch t-{n})"),
	touches("substituted by backquotes", "mkdir d-{n}`touch t-{n}`"),
	touches("substituted as arithmetic", "mkdir d-$[$(touch t-{n})1]"),
	touches("substituted as a process", "mkdir d-{n} <(touch t-{n})"),
	touches("hidden in a prompt", `mkdir d-{n} ${x:=$'\x24\x28touch t-{n}\x29'} ${x@P}`),
	touches("with an assignment", "A=1 touch t-{n}"),
	touches("in a subshell", "(touch t-{n})"),
	touches("in a condition", "if true; then touch t-{n}; fi"),
	touches("in a function", "f() { touch t-{n}; }; f"),
	touches("by xargs", "echo t-{n} | xargs touch"),
	touches("evaluated", "eval touch t-{n}"),
	touches("fed to a shell", "bash <<'E'\ntouch t-{n}\nE"),
	touches("named by a variable", "t=touch; $t t-{n}"),
	touches("behind an option that is cut short", "nice --adj 5 touch t-{n}"),
	touches("split by env", "env --split 'touch t-{n}'"),
	touches("behind the shell's own time", "time -- touch t-{n}"),
	touches("run by find", `find docs -maxdepth 0 -exec touch t-{n} \;`),
	touches("run by sed", "echo x | sed '1etouch t-{n}'"),
	{name: "found", call: ran("find docs -maxdepth 0 -fprint t-{n}"), made: "t-{n}", runs: []string{"find"}, plain: true},
	{name: "run by find alone", call: ran("find docs -maxdepth 0 -exec touch t-{n} ';'"), made: "t-{n}", runs: []string{"touch"}},
	{name: "run by sed alone", call: ran("sed '1etouch t-{n}' .git/HEAD"), made: "t-{n}", runs: []string{"touch"}},
	{
		name: "patched by a command", made: ".git/hooks/u-{n}", edits: []string{".git/hooks/u-{n}"},
		call: func(h *hands, text func(string) string) []call {
			if h.agent.name != "codex" { // it takes the command for its tool
				return nil
			}
			return []call{h.run(text("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .git/hooks/u-{n}\n+made\n*** End Patch\nEOF"))}
		},
	},
	{
		name: "two commands at once", made: "t-{n}", runs: []string{"mkdir", "touch"}, atOnce: true, tricky: true,
		call: func(h *hands, text func(string) string) []call {
			return []call{h.run(text("mkdir d-{n}")), h.run(text("touch t-{n}"))}
		},
	},
	{name: "redirected", call: ran("mkdir d-{n} > t-{n}"), made: "t-{n}", runs: []string{"mkdir", "redirection"}, tricky: true},
	{name: "in another folder", call: ran("cd .git/hooks && mkdir t-{n}"), made: ".git/hooks/t-{n}", runs: []string{"cd", "mkdir"}, tricky: true},
	{
		name: "in the folder of an earlier command", made: ".git/hooks/t-{n}", runs: []string{"cd", "mkdir"}, tricky: true,
		refused: []string{"claude", "codex", "droid", "opencode", "pi"}, // each command begins in the session's folder, from which policies count
		call: func(h *hands, text func(string) string) []call {
			return []call{h.run("cd .git/hooks"), h.run(text("mkdir t-{n}"))}
		},
	},
	{
		name: "started in another folder", made: "{out}/t-{n}", runs: []string{"cd", "mkdir"},
		call: func(h *hands, text func(string) string) []call {
			if h.runIn == nil {
				return nil
			}
			return []call{h.runIn(text("mkdir t-{n}"), text("{out}"))}
		},
	},
}

var helperDeeds = []deed{
	{name: "sub-agent: mkdir", helper: true, call: helped("mkdir t-{n}"), made: "t-{n}", runs: []string{"mkdir"}, plain: true},
	{name: "sub-agent: touch", helper: true, call: helped("touch t-{n}"), made: "t-{n}", runs: []string{"touch"}, plain: true},
	{name: "sub-agent: substituted", helper: true, call: helped("mkdir d-{n}$(touch t-{n})"), made: "t-{n}", runs: []string{"touch"}, tricky: true},
	{name: "sub-agent: data", helper: true, call: helped("cat {data}/canary-{n}"), said: "{data}/canary-{n}", data: true, runs: []string{"cat"}},
	{
		name: "sub-agent: writes a hook", helper: true, made: ".git/hooks/a-{n}", edits: []string{".git/hooks/a-{n}"},
		call: func(h *hands, text func(string) string) []call {
			if h.agent.helper == nil || h.agent.inside != nil { // a model that is given no tool for files
				return nil
			}
			return []call{h.write(text("{cwd}/.git/hooks/a-{n}"), "made\n")}
		},
	},
}

var dataDeeds = []deed{
	{name: "data: cat", call: ran("cat {data}/canary-{n}"), said: "{data}/canary-{n}", data: true, runs: []string{"cat"}},
	{
		name: "data: by the agent's own leave", said: "{data}/canary-{n}", data: true, runs: []string{"cat"},
		call: func(h *hands, text func(string) string) []call {
			return []call{h.agent.run(text("cat {data}/canary-{n}"))}
		},
	},
	{name: "data: cat, below the folder", call: ran("cat {data}/canary-{n}"), said: "{data}/canary-{n}", data: true, above: true, runs: []string{"cat"}},
	{name: "data: read by a tool, below the folder", call: reading("{data}/canary-{n}"), said: "{data}/canary-{n}", data: true, above: true, reads: true},
	{name: "data: through a link", call: ran("cat src/keeper/canary-{n}"), said: "{data}/canary-{n}", data: true, runs: []string{"cat"}},
	{name: "data: by a variable", call: ran("x=canary-{n}; cat src/keeper/$x"), said: "{data}/canary-{n}", data: true, runs: []string{"cat"}},
	{name: "data: redirected", call: ran("cat < src/keeper/canary-{n}"), said: "{data}/canary-{n}", data: true, runs: []string{"cat"}},
	{name: "data: by way of the process", call: ran("cat /proc/self/cwd/src/keeper/canary-{n}"), said: "{data}/canary-{n}", data: true, runs: []string{"cat"}},
	{name: "data: by cd", call: ran("cd {out}/.. && cat 0*/da*/canary-{n}"), said: "{data}/canary-{n}", data: true, runs: []string{"cat"}, more: true},
	{name: "data: through a shell", call: ran(`bash -c "head src/ke*/canary-{n}"`), said: "{data}/canary-{n}", data: true, runs: []string{"head"}, more: true},
	{name: "data: written by a tool", call: wrote("{data}/a-{n}"), made: "{data}/a-{n}", data: true, edits: []string{"{data}/a-{n}"}},
	{name: "data: written through a link", call: wrote("{cwd}/src/keeper/b-{n}"), made: "{data}/b-{n}", data: true, edits: []string{"{data}/b-{n}"}},
	{name: "data: read by a tool", call: reading("{data}/canary-{n}"), said: "{data}/canary-{n}", data: true, reads: true},
	{name: "data: read through a link", call: reading("{cwd}/src/keeper/canary-{n}"), said: "{data}/canary-{n}", data: true, reads: true},
}

var otherDeeds = []deed{
	{name: "read outside", call: reading("{out}/secret-{n}"), said: "{out}/secret-{n}", reads: true},
	{name: "MCP: makes a session", leads: true, call: given("session_create", map[string]any{"agent": "scripted"})},
	{name: "MCP: sends a session to work", leads: true, call: given("session_message", map[string]any{"agent": "scripted", "message": counting})},
	{name: "MCP: looks", reads: true, told: "scripted", call: given("agent_list", map[string]any{})},
}

func given(tool string, args map[string]any) func(*hands, func(string) string) []call {
	return func(h *hands, _ func(string) string) []call { return []call{h.agent.given(tool, args)} }
}

func reading(path string) func(*hands, func(string) string) []call {
	return func(h *hands, text func(string) string) []call {
		read := h.read
		if read == nil {
			read = h.agent.read
		}
		if read == nil {
			return nil
		}
		return []call{read(text(path))}
	}
}

// happened looks at the disk, and at what the session has heard.
func (s *spot) happened(a *deed) bool {
	there := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	switch {
	case a.leads:
		if calls := s.ends(protocol.EntryToolCall); len(calls) == 0 || calls[0].Data.(*protocol.ToolCallData).Status != protocol.ToolCompleted {
			return len(s.since(protocol.TypeChildSession)) > 0
		}
		if len(s.since(protocol.TypeChildSession)) == 0 { // told behind the call's end, and the turn's
			s.until("the session that it has made", isType(protocol.TypeChildSession))
		}
		return true
	case a.told != "":
		return s.heard(a, a.told)
	case a.said != "":
		word, err := os.ReadFile(s.path(a.said))
		if err != nil {
			s.Fatal(err)
		}
		return s.heard(a, string(word))
	case a.gone != "":
		return !there(s.path(a.gone))
	}
	return there(s.path(a.made))
}

// prepare makes what the act begins with.
func (s *spot) prepare(a *deed) {
	if a.made != "" {
		_ = os.Remove(s.path(a.made)) // of another act
	}
	if a.said != "" {
		s.put(s.path(a.said), "the word is wren"+s.text("{n}")+"\n")
	}
	for file, text := range a.need {
		s.put(s.path(file), s.text(text))
	}
}

func (s *spot) put(path, text string) {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if target, link := strings.CutPrefix(text, "->"); err == nil && link {
		err = os.Symlink(target, path)
	} else if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		s.Fatal(err)
	}
}
