package protocol

import "strings"

// Said is what Text says beside Diff: Text ends with the diff, or with the beginning of it where one of both was cut (spec §4.8). Where it does not, or
// there is no diff, Said is the whole Text, so that nothing of it is lost.
func (p *RequestOpened) Said() string {
	head, _, _ := strings.Cut(p.Diff, "\n")
	if head == "" {
		return p.Text
	}
	for from := 0; ; {
		at := strings.Index(p.Text[from:], head)
		if at < 0 {
			return p.Text
		}
		at += from
		if at == 0 || p.Text[at-1] == '\n' {
			if rest := p.Text[at:]; strings.HasPrefix(p.Diff, rest) || p.DiffTruncated && strings.HasPrefix(rest, p.Diff) {
				return strings.TrimRight(p.Text[:at], "\n")
			}
		}
		from = at + len(head)
	}
}
