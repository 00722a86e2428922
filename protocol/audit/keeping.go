package audit

import (
	"fmt"
	"time"
)

// Durable holds a history against P6: whatever a client was shown is in the log, under the same number and with the same
// bytes, and the log goes as far as anybody was told. What a later epoch took away, as the log says itself, does not count.
func Durable(h History, logs Ledgers) error {
	for i := range h {
		e := &h[i]
		log := logs[e.Session]
		if log == nil || log.voided(max(e.Epoch, 1), e.Seq) {
			continue
		}
		switch {
		case e.Kind == Version && e.Seq > uint64(len(log.lines)):
			return h.broken(i, ErrLost, "the log ends at %d", len(log.lines))
		case e.Kind == Accepted && log.keys[e.Key] == "":
			return h.broken(i, ErrLost, "the prompt %s of the key %s is not in the log", e.Prompt, e.Key)
		case e.Kind != Shown || e.Channel.items(): // items: Agreeing
			continue
		}
		switch hash, there := log.hash(e.Channel, e.Seq); {
		case !there:
			return h.broken(i, ErrLost, "the log ends at %d", len(log.lines))
		case hash != e.Hash:
			return h.broken(i, ErrRenumbered, "the log has other bytes there")
		}
	}
	return nil
}

// Agreeing holds a history against P5: what a client was shown over a channel is what the log means there: the same bytes, or
// the item that follows from the log alone.
func Agreeing(h History, logs Ledgers) error {
	for i := range h {
		e := &h[i]
		log := logs[e.Session]
		if e.Kind != Shown || log == nil || log.voided(max(e.Epoch, 1), e.Seq) {
			continue
		}
		switch hash, there := log.hash(e.Channel, e.Seq); {
		case !there:
			return h.broken(i, ErrAgreeing, "the log has nothing to show there")
		case hash != e.Hash:
			return h.broken(i, ErrAgreeing, "the log means something else")
		}
	}
	return nil
}

// Idempotent holds a history against P21: a key gets the same prompt every time, the log has it once, and no prompt is in the
// log that nobody asked for. So the history must hold all that was asked before the ledgers were read.
func Idempotent(h History, logs Ledgers) error {
	type key struct{ session, key string }
	prompts := map[key]string{}
	asked := map[string]map[string]bool{}
	for i := range h {
		switch e := &h[i]; e.Kind {
		case Asked:
			if asked[e.Session] == nil {
				asked[e.Session] = map[string]bool{}
			}
			asked[e.Session][e.Key] = true
		case Accepted:
			k := key{e.Session, e.Key}
			if before, again := prompts[k]; again && before != e.Prompt {
				return h.broken(i, ErrIdempotent, "the key %s got the prompt %s and then %s", e.Key, before, e.Prompt)
			}
			prompts[k] = e.Prompt
			if log := logs[e.Session]; log != nil && log.keys[e.Key] != "" && log.keys[e.Key] != e.Prompt {
				return h.broken(i, ErrIdempotent, "the key %s got the prompt %s, and the log has %s", e.Key, e.Prompt, log.keys[e.Key])
			}
		default:
		}
	}
	for session, keys := range asked {
		if log := logs[session]; log != nil && log.Prompts() > len(keys) {
			return fmt.Errorf("%w: session %s has %d prompts for %d keys", ErrIdempotent, session, log.Prompts(), len(keys))
		}
	}
	return nil
}

// Reaped holds a history against P15: no process of an earlier daemon lives beside its successor, none at all after an end in
// order.
func Reaped(h History) error {
	for i := range h {
		if h[i].Kind == Left {
			return h.broken(i, ErrReaped, "%s", h[i].Note)
		}
	}
	return nil
}

// StopTime is how long a daemon may take to end in order.
const StopTime = 10 * time.Second

// Graceful holds a history against P20: a daemon that is told to end does so within StopTime, and says that all went well.
func Graceful(h History) error {
	stopping := time.Duration(-1)
	for i := range h {
		switch e := &h[i]; e.Kind {
		case Stopping:
			stopping = e.At
		case Stopped:
			if stopping >= 0 && e.At-stopping > StopTime {
				return h.broken(i, ErrGraceful, "it took %s", e.At-stopping)
			}
			if e.Note != "" {
				return h.broken(i, ErrGraceful, "%s", e.Note)
			}
			stopping = -1
		default:
		}
	}
	if stopping >= 0 {
		return fmt.Errorf("%w: a daemon that was told to end has not", ErrGraceful)
	}
	return nil
}
