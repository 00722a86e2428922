package codex

import (
	"strconv"
	"strings"
)

// unified makes one unified diff of the changes of a patch. Codex gives hunks for files that change, and the plain content
// of those that begin or end.
func unified(changes []change) string {
	var b strings.Builder
	for _, c := range changes {
		switch c.Kind.Type {
		case "add":
			wholeFile(&b, "/dev/null", c.Path, c.Diff, '+')
		case "delete":
			wholeFile(&b, c.Path, "/dev/null", c.Diff, '-')
		default:
			to := c.Path
			if c.Kind.MovePath != "" {
				to = c.Kind.MovePath
			}
			b.WriteString("--- " + c.Path + "\n+++ " + to + "\n" + c.Diff)
			if c.Diff != "" && !strings.HasSuffix(c.Diff, "\n") {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// wholeFile writes a file that begins or ends as one hunk.
func wholeFile(b *strings.Builder, from, to, content string, sign byte) {
	b.WriteString("--- " + from + "\n+++ " + to + "\n")
	if content == "" {
		return
	}
	open := !strings.HasSuffix(content, "\n")
	n := strings.Count(content, "\n")
	if open {
		n++
	}
	span := "1"
	if n != 1 {
		span = "1," + strconv.Itoa(n)
	}
	if sign == '+' {
		b.WriteString("@@ -0,0 +" + span + " @@\n")
	} else {
		b.WriteString("@@ -" + span + " +0,0 @@\n")
	}
	for line := range strings.Lines(content) {
		b.WriteByte(sign)
		b.WriteString(line)
	}
	if open {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}

// paths names the files of a patch, a line each.
func paths(changes []change) string {
	var list []string
	for _, c := range changes {
		list = append(list, c.Path)
		if c.Kind.MovePath != "" {
			list = append(list, c.Kind.MovePath)
		}
	}
	return strings.Join(list, "\n")
}
