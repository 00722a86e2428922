package protocol

import (
	"math"
	"strconv"
	"strings"
)

// ValidSessionID says that id is a session id: a UUID in its canonical text, 36 characters, lower case (spec §5). Nothing
// else may become part of a path or a file name.
func ValidSessionID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i := range len(id) {
		switch ch := id[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if ch != '-' {
				return false
			}
		case ch >= '0' && ch <= '9', ch >= 'a' && ch <= 'f':
		default:
			return false
		}
	}
	return true
}

// EntryID names the entry that a translator calls key: "e7" in the agent connection's first incarnation, "e2.7" in the
// second. Both numbers count from 1.
func EntryID(incarnation, key uint32) string { return incarnationID('e', incarnation, key) }

// ParseEntryID takes an entry id of an agent apart. Entries made by the daemon (DaemonEntryID) are not among them.
func ParseEntryID(id string) (incarnation, key uint32, ok bool) { return parseIncarnationID('e', id) }

// RequestID names a request, as EntryID names an entry: "r1", "r2.1".
func RequestID(incarnation, key uint32) string { return incarnationID('r', incarnation, key) }

// ParseRequestID takes a request id apart.
func ParseRequestID(id string) (incarnation, key uint32, ok bool) {
	return parseIncarnationID('r', id)
}

// CallID names the n-th call of a caller tool in the session, from 1: the id of its request.
func CallID(n uint32) string { return "c" + strconv.FormatUint(uint64(n), 10) }

// ParseCallID takes the id of a call apart.
func ParseCallID(id string) (n uint32, ok bool) {
	if id == "" || id[0] != 'c' {
		return 0, false
	}
	v, ok := decimal(id[1:], math.MaxUint32)
	return uint32(v), ok && v > 0
}

// CallerToolName is what an agent calls the tool that a caller offers.
func CallerToolName(callerID, tool string) string { return callerID + "_" + tool }

// TurnID names the n-th turn of the session, from 1.
func TurnID(n uint64) string { return "t" + strconv.FormatUint(n, 10) }

// TurnNumber is the n of a TurnID; 0: it is none.
func TurnNumber(id string) uint64 {
	if id == "" || id[0] != 't' {
		return 0
	}
	n, _ := decimal(id[1:], math.MaxUint64)
	return n
}

// PromptID names the n-th accepted prompt of the session, from 1.
func PromptID(n uint64) string { return "p" + strconv.FormatUint(n, 10) }

// DaemonEntryID names an entry that the daemon itself made, by the seq of its entry_start.
func DaemonEntryID(seq uint64) string { return "d" + strconv.FormatUint(seq, 10) }

func incarnationID(letter byte, incarnation, key uint32) string {
	b := append(make([]byte, 0, 24), letter)
	if incarnation > 1 {
		b = strconv.AppendUint(b, uint64(incarnation), 10)
		b = append(b, '.')
	}
	return string(strconv.AppendUint(b, uint64(key), 10))
}

func parseIncarnationID(letter byte, id string) (incarnation, key uint32, ok bool) {
	if id == "" || id[0] != letter {
		return 0, 0, false
	}
	first, second, later := strings.Cut(id[1:], ".")
	if !later {
		first, second = "1", first
	}
	i, iok := decimal(first, math.MaxUint32)
	k, kok := decimal(second, math.MaxUint32)
	if !iok || !kok || i == 0 || k == 0 || later && i == 1 {
		return 0, 0, false
	}
	return uint32(i), uint32(k), true
}
