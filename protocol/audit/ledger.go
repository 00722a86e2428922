package audit

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Ledger is what one session's log holds, line by line, and what every channel must therefore show. Make it with NewLedger.
type Ledger struct {
	session string
	log     *Log
	lines   []Hash
	epochs  protocol.Epochs
	items   protocol.Items
	push    *protocol.Push
	shown   map[Channel]map[uint64]Hash // items by seq
	grown   map[uint64]bool             // items that a later one of the same message replaces: a page may leave them out
	keys    map[string]string           // prompt by idempotency key
	queued  map[string]bool             // prompts
	turns   map[string]int              // by prompt
}

// Ledgers are those of some sessions, by id.
type Ledgers map[string]*Ledger

// NewLedger makes the ledger of a log that begins at seq 1.
func NewLedger(session string) *Ledger {
	return &Ledger{
		session: session, log: New(), push: protocol.NewPush(session),
		shown: map[Channel]map[uint64]Hash{Push: {}, Poll: {}}, grown: map[uint64]bool{},
		keys: map[string]string{}, queued: map[string]bool{}, turns: map[string]int{},
	}
}

// Log is the audit of the log so far.
func (l *Ledger) Log() *Log { return l.log }

// Epoch is the log's.
func (l *Ledger) Epoch() uint64 { return l.epochs.Newest() }

// Prompts counts the prompts that were accepted.
func (l *Ledger) Prompts() int { return len(l.queued) }

// Turns counts the turns that prompts have made.
func (l *Ledger) Turns() (n int) {
	for _, times := range l.turns {
		n += times
	}
	return n
}

// Follow takes the log as it is now: it must go on from what it was.
func (l *Ledger) Follow(lines [][]byte) error {
	if len(lines) < len(l.lines) {
		return fmt.Errorf("%w: the log of session %s had %d events and has %d", ErrLost, l.session, len(l.lines), len(lines))
	}
	for i, line := range lines {
		if i >= len(l.lines) {
			if err := l.Take(line); err != nil {
				return err
			}
		} else if HashOf(line) != l.lines[i] {
			return fmt.Errorf("%w: event %d of session %s is another one now: %s", ErrRenumbered, i+1, l.session, line)
		}
	}
	return nil
}

// Take takes the next line, without its newline.
func (l *Ledger) Take(line []byte) error {
	e, err := protocol.Decode(line)
	if err != nil {
		return fmt.Errorf("session %s, event %d: %w: %s", l.session, len(l.lines)+1, err, line)
	}
	if err := l.log.Take(&e); err != nil {
		return fmt.Errorf("session %s, event %d: %w: %s", l.session, len(l.lines)+1, err, line)
	}
	l.lines = append(l.lines, HashOf(line))
	if it, ok := l.items.Item(&e); ok && it.Type != protocol.ItemDelta {
		l.shown[Poll][e.Seq] = HashOfItem(it)
		_, delta := e.Payload.(*protocol.EntryDelta)
		l.grown[e.Seq] = delta
	}
	if it, ok := l.push.Item(&e); ok {
		l.shown[Push][e.Seq] = HashOfItem(it)
	}
	return l.payload(&e)
}

func (l *Ledger) payload(e *protocol.Event) error {
	switch p := e.Payload.(type) {
	case *protocol.Epoch:
		if p.Epoch <= l.Epoch() {
			return fmt.Errorf("%w: epoch %d of session %s follows epoch %d", ErrOrdered, p.Epoch, l.session, l.Epoch())
		}
		l.epochs = l.epochs.Begin(p.Epoch, e.Seq)
	case *protocol.PromptQueued:
		l.queued[p.PromptID] = true
		if p.IdempotencyKey == "" {
			break
		}
		if first, twice := l.keys[p.IdempotencyKey]; twice {
			return fmt.Errorf("%w: session %s has the prompts %s and %s for the key %s", ErrIdempotent, l.session, first, p.PromptID, p.IdempotencyKey)
		}
		l.keys[p.IdempotencyKey] = p.PromptID
	case *protocol.TurnStart:
		if p.Prompt == nil || p.Prompt.PromptID == "" {
			break
		}
		if l.turns[p.Prompt.PromptID]++; l.turns[p.Prompt.PromptID] > 1 {
			return fmt.Errorf("%w: session %s has two turns for the prompt %s", ErrIdempotent, l.session, p.Prompt.PromptID)
		}
	default:
	}
	return nil
}

// voided says that an event which was shown in an epoch does not count any more: a later epoch, which the log tells of, took
// its place.
func (l *Ledger) voided(epoch, seq uint64) bool {
	next, later := l.epochs.After(epoch)
	return later && seq >= next.First
}

// lost says that the event of a cursor was gone in an epoch later than its own.
func (l *Ledger) lost(at *Entry, epoch uint64) bool {
	next, later := l.epochs.After(at.Epoch)
	return later && next.Epoch <= epoch && at.Seq >= next.First
}

// good says that a cursor is to be taken (spec §2.3): what its reader has read is in the log.
func (l *Ledger) good(epoch, seq uint64) bool {
	upTo, known := l.epochs.Agree(epoch)
	return known && seq <= upTo
}

// hash gives what a channel must show for a seq; there is false where the log has nothing for it.
func (l *Ledger) hash(c Channel, seq uint64) (h Hash, there bool) {
	if c.items() {
		h, there = l.shown[c][seq]
		return h, there
	}
	if seq < 1 || seq > uint64(len(l.lines)) {
		return 0, false
	}
	return l.lines[seq-1], true
}

// owed says that a channel must show something for a seq.
func (l *Ledger) owed(c Channel, seq uint64) bool {
	_, there := l.hash(c, seq)
	return there && !(c == Poll && l.grown[seq])
}
