package opencode

import "bytes"

// messages are those of a session, by their ids.
type messages map[string]*message

// message is a message of the agent's session. Its parts are shown when its role is known, not before.
type message struct {
	user    bool
	known   bool // its role is known
	summary bool // it is the summary of a compaction
	done    bool // it has ended
	past    bool // it was there, whole, when it was first seen outside of a turn: a copy, not work
	shown   bool // a part of it was heard of
	model   string
	lines   [][]byte // events about its parts that came before its role
}

// maxEarlyMessages and maxEarlyBytes bound the messages without a role and the bytes of their lines.
const (
	maxEarlyMessages = 64
	maxEarlyBytes    = 1 << 20
)

// of gives a message, which may be new.
func (m messages) of(id string) *message {
	one := m[id]
	if one == nil {
		one = &message{}
		m[id] = one
	}
	return one
}

// known gives a message whose role is known; nil: it is not.
func (m messages) known(id string) *message {
	if one := m[id]; one != nil && one.known {
		return one
	}
	return nil
}

// early keeps an event about a part whose message is not known, until it is.
func (m messages) early(id string, line []byte) {
	if m[id] == nil {
		n := 0
		for _, other := range m {
			if !other.known {
				n++
			}
		}
		if n >= maxEarlyMessages {
			return
		}
	}
	one := m.of(id)
	size := len(line)
	for _, l := range one.lines {
		size += len(l)
	}
	if size <= maxEarlyBytes/maxEarlyMessages*4 {
		one.lines = append(one.lines, bytes.Clone(line))
	}
}
