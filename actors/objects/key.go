package objects

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Digest is the SHA-256 of an object's bytes.
type Digest [sha256.Size]byte

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MaxKey is how many bytes a key has at most.
const MaxKey = 256

const (
	maxNode  = 64
	digits   = 16 // of numbers in keys, so that keys are in the order of the numbers
	suffix   = ".ndjson.zst"
	sessions = "sessions/"
	checks   = "check/"

	attemptDigits = 16
)

// LogKey names a segment of a session's log, by its events and its content.
func LogKey(session string, first, last uint64, of Digest) string {
	return sessions + session + "/log/" + span(first, last, of)
}

// RawKey names a segment of a session's archive of native lines, by the node that has made it, its lines and its content.
func RawKey(session, node string, first, last uint64, of Digest) string {
	return sessions + session + "/raw/" + node + "/" + span(first, last, of)
}

// ImageKey names a picture of a prompt by its content.
func ImageKey(session string, of Digest) string {
	return sessions + session + "/images/" + of.String()
}

// Attempt is a key of a segment or a picture with something in it that no other call gives: what one has put under it, nobody else names, deletes or finds
// there.
func Attempt(key string) string {
	var b [attemptDigits / 2]byte
	_, _ = rand.Read(b[:]) // never fails
	body, isSegment := strings.CutSuffix(key, suffix)
	if body += "-" + hex.EncodeToString(b[:]); isSegment {
		body += suffix
	}
	return body
}

// Sessions begins the keys of all that sessions have.
const Sessions = sessions

// SessionPrefix begins the keys of all that a session has.
func SessionPrefix(session string) string { return sessions + session + "/" }

// checkKey names what Check puts and deletes. Both names are small letters and digits.
func checkKey(run, name string) string { return checks + run + "/" + name }

// ProbeKey names what somebody puts to see the store's clock, and deletes. Its name is small letters and digits.
func ProbeKey(name string) string { return checkKey(name, "now") }

func span(first, last uint64, of Digest) string {
	return fmt.Sprintf("%0*d-%0*d-%s%s", digits, first, digits, last, of, suffix)
}

// CheckKey says why a text is no key; nil: it is one.
func CheckKey(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("a key has %d bytes at most, this one has %d", MaxKey, len(key))
	}
	parts := strings.Split(key, "/")
	switch {
	case len(parts) == 3 && parts[0] == "check" && isName(parts[1]) && isName(parts[2]):
		return nil
	case len(parts) < 4 || parts[0] != "sessions" || !protocol.ValidSessionID(parts[1]):
	case parts[2] == "log" && len(parts) == 4 && isSpan(parts[3]):
		return nil
	case parts[2] == "raw" && len(parts) == 5 && isNode(parts[3]) && isSpan(parts[4]):
		return nil
	case parts[2] == "images" && len(parts) == 4 && isPicture(parts[3]):
		return nil
	}
	return errors.New("this is not the key of an object: " + strconv.Quote(key))
}

// CheckPrefix says why a text is not the beginning of keys; nil: it may be one. "" is: all keys begin with it.
func CheckPrefix(prefix string) error {
	if len(prefix) > MaxKey {
		return fmt.Errorf("a key has %d bytes at most, this beginning has %d", MaxKey, len(prefix))
	}
	for i := range len(prefix) {
		if c := prefix[i]; !isWord(c) && c != '-' && c != '_' && c != '.' && c != '/' {
			return errors.New("no key begins like this: " + strconv.Quote(prefix))
		}
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(prefix, "/"), "/") {
		if strings.HasPrefix(part, ".") || part == "" && prefix != "" {
			return errors.New("no key begins like this: " + strconv.Quote(prefix))
		}
	}
	return nil
}

func isSpan(s string) bool {
	s, ok := strings.CutSuffix(s, suffix)
	parts := strings.Split(s, "-")
	if !ok || len(parts) < 3 || len(parts) > 4 || !isDigest(parts[2]) {
		return false
	}
	if len(parts) == 4 && !isAttempt(parts[3]) {
		return false
	}
	first, ok1 := number(parts[0])
	last, ok2 := number(parts[1])
	return ok1 && ok2 && first <= last
}

func number(s string) (uint64, bool) {
	if len(s) != digits || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil && n > 0 && n <= protocol.MaxSeq
}

func isDigest(s string) bool {
	return len(s) == 2*sha256.Size && isHex(s)
}

func isAttempt(s string) bool { return len(s) == attemptDigits && isHex(s) }

func isPicture(s string) bool {
	digest, attempt, ok := strings.Cut(s, "-")
	return isDigest(digest) && (!ok || isAttempt(attempt))
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}

// isNode says that a text can be a node's in a key: letters, digits, "-", "_" and ".", and no "." at its beginning.
func isNode(s string) bool {
	if s == "" || len(s) > maxNode || s[0] == '.' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isWord(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func isName(s string) bool {
	return s != "" && len(s) <= maxNode && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// CheckGet gives the *RefusedError of a Get that cannot be asked; nil: it can.
func CheckGet(key string, offset, length int64) error {
	err := CheckKey(key)
	if err == nil && (offset < 0 || length < Whole) {
		err = fmt.Errorf("no object has %d bytes from %d on", length, offset)
	}
	if err != nil {
		return &RefusedError{Op: "get", Err: err}
	}
	return nil
}
