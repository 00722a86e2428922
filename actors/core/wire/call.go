package wire

import (
	"strconv"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Version is the one of the wire that this build speaks.
const Version = 1

// Base begins the paths of all versions, Path those of this one.
const Base = "/core/"

// Path is the one of a call, of this version.
func Path(call string) string { return Base + "v" + strconv.Itoa(Version) + "/" + call }

// Media types of bodies.
const (
	JSON   = "application/json"
	Lines  = "application/x-ndjson"
	Frames = "application/vnd.ringmaster.frames+zstd"
	Bytes  = "application/octet-stream"
)

// Headers of requests.
const (
	// Size is how many bytes a body of Frames is when it is expanded, or an object: the room for them is found before they are read.
	Size = "X-Core-Size"
	// Digest is the SHA-256 of an object, in hexadecimal digits.
	Digest = "X-Core-Digest"
)

// Bounds of one request, which clients keep and servers hold them to.
const (
	MaxBody = 64 << 20 // bytes, expanded: a batch, a record, an object, or many of them
	Full    = 8 << 20  // bytes behind which a client sends what else there is in another request
)

// Hello is what a client is told first.
type Hello struct {
	Build   string `json:"build"`
	Objects bool   `json:"objects"` // there is an object store
	Node    string `json:"node"`    // whose the credential is; "": nobody has used it yet, or it is everybody's
}

// As is a node in one of its lives, alone.
type As struct {
	As core.Owner `json:"as"`
}

// Named is a node.
type Named struct {
	Node string `json:"node"`
}

// One is a session.
type One struct {
	Session string `json:"session"`
}

// Join is answered with core.Owner.
type Join = Named

// Take is answered with positions.
type Take struct {
	As       core.Owner    `json:"as"`
	Sessions []core.Record `json:"sessions"`
}

// Positions is answered with positions.
type Positions struct {
	Sessions []string `json:"sessions"`
}

// Remove is answered with a Truth.
type Remove struct {
	Session string     `json:"session"`
	Lease   core.Lease `json:"lease"`
}

// Truth is a yes or no.
type Truth struct {
	Is bool `json:"is"`
}

// Note is answered with nothing.
type Note struct {
	Notes []core.Note `json:"notes"`
}

// Nothing is an answer without a word.
type Nothing struct{}

// Session is what One is answered with.
type Session struct {
	Is       bool          `json:"is"`
	Position core.Position `json:"position"`
	Record   core.Record   `json:"record"`
}

// Epoch is one of a log, as One is answered with many.
type Epoch struct {
	Epoch uint64 `json:"epoch"`
	First uint64 `json:"first"`
}

// EpochsOf are those of a log.
func EpochsOf(list protocol.Epochs) (all []Epoch) {
	for _, e := range list {
		all = append(all, Epoch(e))
	}
	return all
}

// Epochs is the way back.
func Epochs(all []Epoch) (list protocol.Epochs) {
	for _, e := range all {
		list = append(list, protocol.EpochStart(e))
	}
	return list
}

// Range are events of a session's log.
type Range struct {
	Session string `json:"session"`
	Since   uint64 `json:"since"`
	UpTo    uint64 `json:"upTo"`
}

// Sum is a number of bytes.
type Sum struct {
	Bytes int64 `json:"bytes"`
}

// Since is a moment of Core's clock.
type Since struct {
	Since time.Time `json:"since"`
}

// Beat is answered with State.
type Beat struct {
	As   core.Owner `json:"as"`
	Beat core.Beat  `json:"beat"`
}

// Nodes is answered with nodes.
type Nodes struct {
	Counted bool `json:"counted"`
}

// State is how a node stands.
type State struct {
	State core.State `json:"state"`
}

// Claim is answered with core.Claims.
type Claim struct {
	As   core.Owner `json:"as"`
	Want core.Want  `json:"want"`
}

// Release is answered with answers.
type Release struct {
	As       core.Owner    `json:"as"`
	Sessions []core.Handed `json:"sessions"`
}

// Intend is answered with a Truth.
type Intend struct {
	Session string `json:"session"`
	Key     string `json:"key"`
}

// Natives asks for the newest native lines that a node has archived of sessions; it is answered with a list of numbers.
type Natives struct {
	Node     string   `json:"node"`
	Sessions []string `json:"sessions"`
}

// Number is answered with a First.
type Number struct {
	Session string `json:"session"`
	Leap    uint64 `json:"leap"`
}

// First is the number of a native line.
type First struct {
	First uint64 `json:"first"`
}

// Keys are those of objects.
type Keys struct {
	Keys []string `json:"keys"`
}

// Most bounds an answer.
type Most struct {
	Most int `json:"most"`
}

// Object is the key of one.
type Object struct {
	Key string `json:"key"`
}

// Info is objects.Info.
type Info struct {
	Key      string    `json:"key"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// InfoOf is what is told of an object.
func InfoOf(i objects.Info) Info { return Info(i) }

// List is answered with lines of Info.
type List struct {
	Prefix string `json:"prefix"`
	After  string `json:"after"`
}

// Item is a line of a list: one of its members, or what ends it.
type Item[T any] struct {
	Is      *T       `json:"is,omitempty"`
	End     bool     `json:"end,omitempty"`
	Problem *Problem `json:"problem,omitempty"`
}
