package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// PrintJSON prints an answer of the daemon. Its strings are escaped again, so that no control character of a text gets
// through raw.
func PrintJSON(w io.Writer, raw json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return fmt.Errorf("the daemon's answer is no JSON: %w", err)
	}
	_, err := io.WriteString(w, EscapeControls(strings.TrimRight(b.String(), "\n"))+"\n")
	return err
}

// EscapeControls escapes the control characters and bidi controls that JSON leaves as they are. They can only be inside of strings.
func EscapeControls(text string) string {
	if !strings.ContainsFunc(text, isSteering) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isSteering(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isSteering(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0x061c || r >= 0x200e && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
