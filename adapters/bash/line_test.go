package bash_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/bash"
)

// TestPlain: a plain line is one command of literal words for every shell, with its quotes resolved.
func TestPlain(t *testing.T) {
	for line, want := range map[string][]string{
		"git log":                     {"git", "log"},
		"  git\tlog  \n":              {"git", "log"},
		`git commit -m "fix(ui): x"`:  {"git", "commit", "-m", "fix(ui): x"},
		`git commit -m 'a; b $(c)'`:   {"git", "commit", "-m", "a; b $(c)"},
		"git commit -m 'a\n\nb'":      {"git", "commit", "-m", "a\n\nb"},
		`echo a\ b "c\"d" "e\n" ''`:   {"echo", "a b", `c"d`, `e\n`, ""},
		"'g'i\"t\" log":               {"git", "log"},
		"go test ./... -run=TestA":    {"go", "test", "./...", "-run=TestA"},
		"cat café.txt":                {"cat", "café.txt"},
		"curl https://x.y/z,a:b@c%20": {"curl", "https://x.y/z,a:b@c%20"},
	} {
		if got := bash.Read(line).Plain; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{
		"", " ", "''", "a; b", "a && b", "a || b", "a | b", "a &", "a\nb", "(a)", "{ a; }", "! a", "if a; then b; fi", "a() { b; }", "[[ a ]]", "((a))", "time a",
		"a > f", "a < f", "a >> f", "a 2>&1", "a <<E\nE", "a <<< b", "a >(b)", "a <(b)", "a=b", "a=b c", "a+=b c", "a[1]=b",
		"a $b", "a ${b}", `a "$b"`, "a $(b)", "a `b`", "a $((1))", "a $[1]", "a $'b'", `a $"b"`, "a ${b@P}", `echo test ${x:=$'\x24\x28id\x29'} ${x@P}`, "echo $[x]",
		"a *", "a ?", "a [b]", "a {b,c}", "a ~", "a ~/b", "a @(b)", "a #b", "# a", "a \\\nb", "a\\\n b", "a !b", "a ^b", "=a", "a =b", "%1", "a \\n",
		"a\rb", "a\x00", "a\x1b", "a \xff", "a \u00a0b", "a 'b", `a "b`, "a )", "a }", "export a=b", "let a", "declare a", "coproc a", "select a in b; do c; done",
		"a 'b\x1bc'", `a "b\
c"`, "a ;", "a &&", "a =(b)", "a *(e:'b':)", "a " + strings.Repeat("b", bash.MaxLine),
	} {
		if got := bash.Read(line).Plain; got != nil {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// TestRuns: every command inside is found, through wrappers too; what cannot be found makes the line blind.
func TestRuns(t *testing.T) {
	const found, blind, hinted, nothing = "found", "blind", "hinted", ""
	for line, want := range map[string]string{
		"touch x": found, " \ttouch x": found, `t\ouch x`: found, "'touch' x": found, `"tou"ch x`: found, "$'touch' x": found, `$'\x74ouch' x`: found,
		"/usr/bin/touch x": found, "./touch x": found, "a; touch x": found, "a && touch x": found, "a | touch x": found, "a & touch x": found, "(touch x)": found,
		"{ touch x; }": found, "! touch x": found, "time touch x": found, "if a; then touch x; fi": found, "for a in b; do touch x; done": found,
		"case a in a) touch x;; esac": found, "f() { touch x; }; f": found, "coproc touch x": found, "echo $(touch x)": found, "echo `touch x`": found,
		"echo \"$(touch x)\"": found, "cat <(touch x)": found, "tee >(touch x)": found, "a=$(touch x)": found, "cat <<E\n$(touch x)\nE": found, "A=1 touch x": found,
		"echo ${a:-$(touch x)}": found, "echo $((1+$(touch x)))": found, "touch x > f": found, "touch\\\n x": found,
		"env touch x": found, "env -i A=b -u C touch x": found, "/usr/bin/env touch x": found, "sudo touch x": found, "sudo -u bob touch x": found, "sudo -- touch x": found,
		"nice touch x": found, "nice -n 5 touch x": found, "nice -5 touch x": found, "nohup touch x": found, "timeout 5 touch x": found,
		"timeout -s KILL --kill-after=1 5 touch x": found, "exec touch x": found, "exec -a b touch x": found, "command touch x": found, "command -p touch x": found,
		"builtin touch x": found, "stdbuf -oL touch x": found, "setsid touch x": found, "ionice -c 3 touch x": found, "time -p touch x": found,
		"xargs touch x": found, "xargs -n 1 touch x": found, "xargs -I{} touch x {}": found, "busybox touch x": found, "noglob touch x": found,
		"bash -c 'touch x'": found, "sh -ec 'a; touch x'": found, "/bin/bash -lc 'touch x'": found, "bash -o pipefail -c 'touch x'": found,
		`bash -c "bash -c 'touch x'"`: found, "sudo env nice bash -c 'touch x'": found, "eval touch x": found, "eval 'touch x'": found, "trap 'touch x' EXIT": found,
		"alias a='touch x'": found, "bash <<E\ntouch x\nE": found, "bash <<< 'touch x'": found, "sudo sh <<'E'\ntouch x\nE": found,
		`find . -exec touch x \;`: found, "find . -name a -execdir touch x {} +": found, `bash -c "touch x $HOME"`: found, "echo ${a[$(touch x)]}": found,

		"time -- touch x": found, "sudo --us bob touch x": found, "nice --adj 5 touch x": found, "timeout --sig KILL 5 touch x": found, "chroot --userspec a / touch x": found,
		"xargs -J % touch x %": found, "dbus-run-session --config-file a touch x": found, "fd -Hx touch x": hinted, "fd --exec=touch x": hinted, "uv run touch x": hinted, "bundle exec touch x": hinted,
		"env --split 'touch x'": blind, "env --s='touch x'": blind, "sed '1etouch x' a": blind, "sed -n '/a/Ie touch x' a": blind, "sed sxaxtouch\\ xxe a": blind, "sed -e 's/[/]/p;#/e' a": blind,
		"awk 'BEGIN{system(\"touch x\")}'": blind, "make --eval 'y:;touch x' y": hinted, "tar --to-com='touch x' -xf a": hinted, "git fetch --upload-p='touch x' a": hinted,
		"go build -ldflags \"-extld='touch x'\"": blind, "linux64 touch x": blind, "arch -x86_64 touch x": found,

		"$a x": hinted, "a=touch; $a x": hinted, "to*h x": hinted, "t{ouc,}h x": hinted, "/bin/tou?? x": hinted, "eval $a": blind, "bash -c \"$a\"": blind, "a | bash": blind,
		"bash": blind, "source <(a)": blind, ". /dev/stdin": blind, "echo ${a@P}": blind, "echo ${!a}": blind, "echo $((a))": blind, "echo $[a]": blind, "((a))": blind,
		"[[ a -eq 1 ]]": blind, "test -v 'a[$(touch x)]'": blind, "printf -v 'a[$(touch x)]' b": blind, "let a": blind, "echo ${a:b}": blind, "unset 'a[`touch x`]'": blind,
		"env -S 'touch x'": blind, "su -c 'touch x'": blind, "ssh h touch x": blind, "parallel touch x": blind, "watch touch x": blind, "flock f touch x": blind,
		"pwsh -c 'touch x'": blind, "sudo -s touch x": blind, "xargs sh -c": blind, "hash -p /bin/touch x": blind, "mapfile -C touch x": blind, "if": blind, "a 'b": blind,
		"echo *(e:'touch x':)": blind, "a =(touch x)": blind, "PAGER='touch x' git log": hinted, "git -c core.pager='touch x' log": hinted, "git -c alias.a='!touch x' a": hinted, "git bisect run touch x": hinted,
		"git submodule foreach 'touch x'": hinted, "tar --to-command='touch x' -xf a": hinted, "go test -exec 'touch x' ./...": hinted, "make SHELL='touch x'": hinted,
		"pkexec touch x": blind, "fd a -x touch x": found, "rsync -e 'touch x' a b": hinted, "A='touch x'": hinted, strings.Repeat("(", 100): blind,

		"echo touch x": nothing, "grep touch x": nothing, "echo 'touch x'": nothing, "git commit -m 'touch x'": nothing, "timeout 5 grep touch x": nothing, "[ -f touch ]": nothing,
		"command -v touch": nothing, "echo $HOME/touch": nothing, "ls *.touch": nothing, "bash touch.sh": nothing, "for a in b c; do echo $a; done": nothing,
		"echo ${a:-b} ${a#c} ${#a}": nothing, "echo $((1+2))": nothing, "cat > f <<'E'\ntouch x\nE": nothing, "[[ -n $a ]]": nothing, "A=b make": nothing,
	} {
		l := bash.Read(line)
		is := func(r bash.Run) bool { return strings.HasPrefix(string(r), "touch\x00x") }
		may := func(r bash.Run) bool {
			return strings.ContainsRune(strings.SplitN(string(r), "\x00", 2)[0], bash.Unknown) || is(r)
		}
		got := nothing
		switch {
		case slices.ContainsFunc(l.Runs, is):
			got = found
		case l.Blind:
			got = blind
		case slices.ContainsFunc(l.Runs, may), slices.ContainsFunc(l.Hints, may):
			got = hinted
		}
		if got != want {
			t.Errorf("%q: %q, want %q: %q %q", line, got, want, l.Runs, l.Hints)
		}
	}
}

// TestInner: of a plain line that runs another command, where that begins is known, or it is known that it is not.
func TestInner(t *testing.T) {
	for line, want := range map[string]int{
		"git log": 0, "timeout 5 go test": 2, "sudo -u bob env A=b go test": 5, "env": 0, "command -v go": 0,
		"find . -name a": 0, "find . -exec rm -r x ';'": 3, "find . -xdev": 0, "fd -x rm": 2, "git -c core.pager=x log": 2, "git -C a -c alias.b='!c' b": 4, "git switch -c a": 0,
		"git clean -xdf": 0, "git rebase -x 'make it' a": 3, "git bisect run ./a": 3, "git submodule foreach a": 3, "git grep -Oa b": 3, "git clone -u a b": 3, "git commit -m x": 0,
		"git --exec-path=a log": 1, "git fetch --upload-pack=a b": 2, "tar -xf a": 0, "tar cIf a b": 2, "tar -x --to-command=a": 2, "rsync -ave a b c": 2, "go test ./... -exec a": 4,
		"go test -run X ./...": 0, "go build -toolexec=a": 2, "python3 -c a": 2, "python3.12 -W ignore -Ic a": 4, "python a.py -c b": 0, "python -m b": 0, "node -e a": 2, "node a.js -p 80": 0, "perl -lane a": 2,
		"sed '1etouch x' b": 1, "sed '$!e' b": 1, "sed '\\,a,e b' c": 1, "sed /a/Me c": 1, "sed sxaxbxe c": 1, "sed 's/a/b/e#' c": 1, "sed -ne e c": 2, "sed a.txt -e e": 3, "sed -n p -e e": 4, "sed --exp e c": 2, "sed -i e c": 2,
		"sed -l 9 e c": 3, "sed '1{e' c": 1, "sed 'a\\' -e x -e e c": 5, "sed 's/[/]/p;#/e' c": 1, "sed 'y/a/b/;e' c": 1, "sed 'k' c": 1, "sed 's/a' c": 1, "sed '1,/a/!e' c": 1, "sed '1~2e' c": 1, "sed '2,+3e' c": 1,
		"sed -ne 1,5p e": 0, "sed ':a;N;$!ba;s/\\n/ /g' c": 0, "sed -i.bak -E 's,a/(b),\\1,gI2;/x/I,$d' c": 0, "sed '/e/{=;l 5;q1};y/e/f/' c": 0, "sed 'a e' c": 0, "sed '1i\\\ne\\\ne\n$!d' c": 0,
		"sed -f e.sed e": 0, "sed 's/a/b/w e' c": 0, "sed 's/[e/]e/x/' c": 1, "sed 's/[e]/b/p' e": 0, "sed 's/[[:space:]e]*[]^[]/x/;s/^[^]]//' e": 0, "sed 's/[[:x/]]/p;#/e' c": 1, "sed 's/[[.x.]]/b/' c": 1, "sed 's/[^]/]/p;#/e' c": 1, "sed 's/[\\/]/b/' c": 1, "sed '/[a' c": 1, "sed '/^e/,/e$/p # e' c": 0, "sed -s -n '$=' e e": 0, "sed -n -- p e": 0, "sed --quiet 5q e": 0,
		"make --eval 'a:;b' a": 2, "make -Ea a": 2, "make -j4 -C a": 0, "go build -ldflags -extld=a": 3, "go build -ldflags '-X a.b=c' ./...": 0, "node --import data:a b": 2, "uv run a": 2, "uv sync": 0,
		"tar --to-com a -x": 2, "git rebase --exe a b": 3, "sort --compress-p a": 2, "sort --check a": 0, "rg --pretty a": 0, "sudo --us a go test": 3, "env --split ls": -1,
		"sed -n 1p a": 0, "sed -i -e s/a/b/ c": 0, "sed '1e a' b": 1, "sed s/a/b/e c": 1, "sed --expression=s/a/b/ge c": 1, "awk '{print $1}' a": 0, "awk '$1 > 2 || a' b": 0,
		"awk 'BEGIN{system(a)}'": 1, "make all": 0, "make SHELL=./a": 1, "sudo find . -ok rm": 4, "rg --pre a b": 2, "rg -p a": 0, "env git -c a.b=c d": 3, "pkexec a": -1,
		"bash -c ls": -1, "eval ls": -1, "sudo bash": -1, "xargs rm": -1, "env -S ls": -1, ". x": -1, "source x": -1, "fish -c x": -1, "printf -v 'a[$(b)]' c": -1, "ssh h": -1, "test 'a[$(b)]' -eq c": -1, "printf a": 0,
	} {
		if l := bash.Read(line); l.Plain == nil || l.Inner != want {
			t.Errorf("%q: %q %d, want %d", line, l.Plain, l.Inner, want)
		}
	}
}
