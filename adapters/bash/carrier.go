package bash

import (
	"regexp"
	"slices"
	"strings"
)

// carrier is a program that runs a command, or code, which stands among its arguments, where one of these says so: letters of short options, alone or
// among others, and whole words, which may have what is run behind a "=".
type carrier struct {
	letters string
	words   []string
	script  bool // arguments are its script's, where the first of them is no option
}

var carriers = map[string]carrier{
	"find": {words: []string{"-exec", "-execdir", "-ok", "-okdir"}},
	"fd":   {letters: "xX", words: []string{"--exec", "--exec-batch"}}, "fdfind": {letters: "xX", words: []string{"--exec", "--exec-batch"}},
	"tar": archiver, "gtar": archiver, "bsdtar": archiver,
	"rsync": {letters: "e", words: []string{"--rsh", "--rsync-path"}},
	"rg":    {words: []string{"--pre", "--hostname-bin"}},
	"sort":  {words: []string{"--compress-program"}}, "gsort": {words: []string{"--compress-program"}},
	"split": {words: []string{"--filter"}}, "gsplit": {words: []string{"--filter"}},
	"go":   {words: []string{"-exec", "--exec", "-toolexec", "--toolexec", "-vettool", "--vettool"}},
	"make": {letters: "E", words: []string{"--eval"}}, "gmake": {letters: "E", words: []string{"--eval"}},
	"cargo": {words: []string{"--config"}}, "npm": {words: []string{"-c", "--call", "--script-shell"}}, "npx": {words: []string{"-c", "--call"}},
	"vim": editor, "vi": editor, "nvim": editor, "ex": editor,
	"man": {letters: "PH", words: []string{"--pager", "--html"}}, "tcpdump": {letters: "z"},
	"perl": {letters: "eE", script: true}, "ruby": {letters: "e", script: true}, "lua": {letters: "e", script: true}, "Rscript": {letters: "e", script: true},
	"node": {letters: "ep", words: []string{"--eval", "--print", "--import", "--loader", "--experimental-loader"}, script: true},
	"bun":  {letters: "ep", words: []string{"--eval", "--print"}, script: true},
	"deno": {words: []string{"eval"}, script: true}, "php": {letters: "rBRE", script: true},
	"uv": runs, "poetry": runs, "pipenv": runs, "pdm": runs, "hatch": runs, "rye": runs, "rustup": runs,
	"conda": runs, "mamba": runs, "devbox": runs, "doppler": runs, "op": runs,
	"bundle": executes, "pnpm": executes, "yarn": executes, "mise": {words: []string{"exec", "x"}}, "asdf": executes, "pyenv": executes,
	"rbenv": executes, "nodenv": executes, "aws-vault": executes,
}

var (
	archiver = carrier{letters: "IF", words: []string{
		"--checkpoint-action", "--to-command", "--use-compress-program", "--info-script", "--new-volume-script", "--rsh-command", "--rmt-command",
	}}
	editor = carrier{letters: "cS", words: []string{"--cmd"}}
	python = carrier{letters: "c", script: true}

	runs     = carrier{words: []string{"run"}}
	executes = carrier{words: []string{"exec"}}
)

// Of git, before the name of its command and behind that.
var (
	gitItself   = carrier{letters: "c", words: []string{"--config-env", "--exec-path"}}
	gitCommands = map[string]carrier{
		"rebase": {letters: "x", words: []string{"--exec"}}, "bisect": {words: []string{"run"}}, "submodule": {words: []string{"foreach"}},
		"grep": {letters: "O", words: []string{"--open-files-in-pager"}}, "difftool": {letters: "x", words: []string{"--extcmd"}},
		"clone": {letters: "uc", words: []string{"--upload-pack", "--config"}},
		"fetch": remote, "pull": remote, "push": remote, "ls-remote": remote, "fetch-pack": remote, "send-pack": remote, "archive": remote,
	}
	remote = carrier{words: []string{"--upload-pack", "--receive-pack", "--exec"}}
)

// What runs a command in the text of a program of awk's, and in the flags for Go's linker.
var (
	awkRuns    = regexp.MustCompile(`system|getline|(^|[^|])\|($|[^|])|@`)
	linkerRuns = regexp.MustCompile(`-ext(ld|ar)`)
)

// carried are the words of a program's that say what it runs in its turn, from the first to the last; 0: none does. They are too many rather than
// too few.
func carried(words []string) (first, last int) {
	name := base(words[0])
	c := carriers[name]
	switch {
	case name == "sed", name == "gsed":
		last = sedRuns(words)
		return last, last
	case strings.HasPrefix(name, "python") && strings.Trim(name[len("python"):], "0123456789.") == "":
		c = python
	case name == "git":
		c = gitItself
	}
	for i := 1; i < len(words); i++ {
		word := words[i]
		option := strings.HasPrefix(word, "-")
		end := 0
		switch {
		case strings.HasSuffix(name, "awk"):
			if awkRuns.MatchString(word) {
				end = i
			}
		case name == "go" && linkerRuns.MatchString(word):
			end = i
		case (name == "make" || name == "gmake") && strings.Contains(word, "="): // SHELL=…, or what a rule runs
			end = i
		case c.says(word, i == 1 && strings.HasSuffix(name, "tar")):
			if end = i; !strings.Contains(word, "=") {
				end = min(i+1, len(words)-1)
			}
		case option:
		case c.script && !strings.HasPrefix(words[i-1], "-"):
			return first, last
		case name == "git" && !slices.Contains([]string{"-C", "--git-dir", "--work-tree", "--namespace"}, words[i-1]):
			c, name = gitCommands[word], "git "+word
			if word == "filter-branch" {
				end = i
			}
		}
		if end > 0 {
			if first == 0 {
				first = i
			}
			last = end
		}
	}
	return first, last
}

// says is whether a word is an option behind which something to run comes. A long one may be cut short.
func (c carrier) says(word string, bare bool) bool {
	text, _, _ := strings.Cut(word, "=")
	short := bare || strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--")
	return slices.ContainsFunc(c.words, func(w string) bool { return w == text || means(text, w) }) || short && strings.ContainsAny(word, c.letters)
}
