package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Channel is how a client was told.
type Channel string

// The channels. Log, Stream and File show events; Push and Poll show items of the six-field view.
const (
	Stream  Channel = "stream" // server-sent events
	Whole   Channel = "log"    // NDJSON over HTTP
	File    Channel = "file"   // segments on the disk
	Push    Channel = "push"   // MCP log notifications
	Poll    Channel = "poll"   // MCP session_events
	Prompts Channel = "prompts"
	System  Channel = "system" // the operating system
)

// items says that a channel skips the events that have no item.
func (c Channel) items() bool { return c == Push || c == Poll }

// shows says that a channel shows events or items.
func (c Channel) shows() bool { return c == Stream || c == Whole || c == File || c.items() }

// Kind is what a client was told.
type Kind string

// The kinds of entries.
const (
	Opened   Kind = "opened"   // a connection or a question that goes on behind Seq, where the client is
	Shown    Kind = "shown"    // the event, or the item of the event, with Seq; Hash is that of its bytes
	Beat     Kind = "beat"     // a heartbeat that names Seq
	Reset    Kind = "reset"    // the cursor is void
	Version  Kind = "version"  // the log goes as far as Seq
	Asked    Kind = "asked"    // a prompt with Key is about to be sent
	Accepted Kind = "accepted" // it was answered with Prompt
	Left     Kind = "left"     // a process of an earlier daemon lives beside its successor; Note is its marker
	Stopping Kind = "stopping" // the daemon was told to end
	Stopped  Kind = "stopped"  // it has ended; Note is how, empty: in order
)

// Entry is one line of a history.
type Entry struct {
	Client  string        `json:"client"`
	Channel Channel       `json:"channel"`
	Kind    Kind          `json:"kind"`
	Session string        `json:"session,omitempty"`
	Epoch   uint64        `json:"epoch,omitempty"`
	Seq     uint64        `json:"seq,omitempty"`
	Hash    Hash          `json:"hash,omitempty"`
	Key     string        `json:"key,omitempty"`    // of idempotency
	Prompt  string        `json:"prompt,omitempty"` // its id
	Note    string        `json:"note,omitempty"`
	At      time.Duration `json:"at"` // monotonic, since the run began, in nanoseconds
}

// History is what one client was told, in order.
type History []Entry

// Hash names bytes: the first 8 bytes of their SHA-256.
type Hash uint64

// HashOf is the hash of an event's line, without its newline.
func HashOf(line []byte) Hash {
	sum := sha256.Sum256(line)
	return Hash(binary.BigEndian.Uint64(sum[:]))
}

// HashOfItem is the hash of an item. The index and the session's id differ between push and poll by design, and do not count.
func HashOfItem(it protocol.SessionEvent) Hash {
	it.Brief(0) // as clients are told that ask for no more
	it.Index, it.SessionID = 0, ""
	b, err := json.Marshal(it)
	if err != nil {
		panic(err) // it is strings and numbers
	}
	return HashOf(b)
}

// MarshalText writes 16 hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// UnmarshalText reads them.
func (h *Hash) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 16, 64)
	*h = Hash(n)
	return err
}

// track is what one client follows over one channel.
type track struct {
	client  string
	channel Channel
	session string
}

// tracks gives the places of the entries that belong together, in order.
func (h History) tracks() map[track][]int {
	all := map[track][]int{}
	for i := range h {
		if e := &h[i]; e.Channel.shows() {
			t := track{e.Client, e.Channel, e.Session}
			all[t] = append(all[t], i)
		}
	}
	return all
}
