package guard

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// ReadOnlyBody is the largest body of a principal that may only read, in bytes: the calls of MCP's reading tools.
const ReadOnlyBody = 64 << 10

// BodyLimit is how long the body of a request may be.
func BodyLimit(in Admission) int64 {
	if in.Who != nil && !in.Who.Writes() {
		return min(in.Route.MaxBody, ReadOnlyBody)
	}
	return in.Route.MaxBody
}

// TooLong turns a body away that is longer than so many bytes.
func TooLong(limit int64) *Rejection {
	return Reject("body", protocol.CodeTooLarge, "The body is larger than is taken.",
		"The limit of this route, for this token, is "+strconv.FormatInt(limit, 10)+" bytes; with a token that only reads it is 64 KiB everywhere.")
}
