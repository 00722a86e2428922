package raw

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
)

// elideOver is the size in bytes above which a base64 payload of a line to the agent is not kept.
const elideOver = 64 << 10

// elide replaces large base64 payloads in the JSON strings of a line: plain ones, and those of data URLs. What does not decode
// stays.
func elide(line []byte) []byte {
	if len(line) <= elideOver {
		return line
	}
	var out []byte
	from := 0 // what precedes is in out
	for at := 0; ; {
		open := bytes.IndexByte(line[at:], '"')
		if open < 0 {
			break
		}
		start := at + open + 1
		end := stringEnd(line, start)
		if end < 0 {
			break
		}
		at = end + 1
		if end-start <= elideOver {
			continue
		}
		if mark := placeholder(line[start:end]); mark != "" {
			out = append(append(out, line[from:start]...), mark...)
			from = end
		}
	}
	if from == 0 {
		return line
	}
	return append(out, line[from:]...)
}

// stringEnd is where the JSON string that begins at start ends; -1: nowhere.
func stringEnd(line []byte, start int) int {
	for i := start; i < len(line); i++ {
		switch line[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return -1
}

// placeholder stands for a payload; empty: it is none.
func placeholder(text []byte) string {
	if bytes.HasPrefix(text, []byte("data:")) {
		_, payload, ok := bytes.Cut(text[:min(len(text), 256)], []byte(";base64,"))
		if !ok {
			return ""
		}
		text = text[min(len(text), 256)-len(payload):]
	}
	body := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(body, text)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(body[:n])
	return "@elided:sha256:" + hex.EncodeToString(sum[:]) + ":" + strconv.Itoa(n)
}
