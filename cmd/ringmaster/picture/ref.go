package picture

import (
	"strconv"
	"strings"
)

// Ref is a picture as an event names it: sha256:HEX;MEDIATYPE (spec §4.2).
type Ref struct{ Digest, Media string }

var endings = map[string]string{"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}

// Parse reads a reference; false: it is none. A log may come from anywhere, so nothing but a digest passes for one.
func Parse(text string) (Ref, bool) {
	digest, media, _ := strings.Cut(text, ";")
	digest, is := strings.CutPrefix(digest, "sha256:")
	if !is || len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		return Ref{}, false
	}
	return Ref{digest, media}, true
}

// Name is what a picture is called: its type and the beginning of its digest.
func (r Ref) Name() string {
	kind := "picture of an unknown type"
	if ending := endings[r.Media]; ending != "" {
		kind = strings.ToUpper(strings.Replace(ending, "jpg", "jpeg", 1))
	}
	return kind + " " + r.Digest[:min(8, len(r.Digest))]
}

// Known says that it is of a type that prompts take, and that may be opened.
func (r Ref) Known() bool { return endings[r.Media] != "" }

// file is the name of its file: none of an agent's words are in it.
func (r Ref) file() string {
	ending := endings[r.Media]
	if ending == "" {
		ending = "bin"
	}
	return "ringmaster-" + r.Digest[:16] + "." + ending
}

// Size is a number of bytes for people.
func Size(n int64) string {
	switch {
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KiB"
	default:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MiB"
	}
}

// Path says that a text is nothing but the path of a picture, as terminals paste a file that is dropped on them; path is what it names.
func Path(text string) (path string, is bool) {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] {
		text = text[1 : n-1]
	} else {
		text = strings.ReplaceAll(text, `\ `, " ")
	}
	text = strings.TrimPrefix(text, "file://")
	if !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "~/") || strings.ContainsAny(text, "\n\t") {
		return "", false
	}
	at := strings.LastIndexByte(text, '.')
	switch strings.ToLower(text[at+1:]) {
	case "png", "jpg", "jpeg", "gif", "webp":
		return text, at > 0
	}
	return "", false
}
