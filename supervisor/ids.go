package supervisor

import (
	"bytes"
	"context"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// idWindows are how many events from the end are read for the ids of entries: deltas are most of a log, and have none.
var idWindows = []uint64{4 << 10, 32 << 10, 256 << 10}

// idsOf reads the agent's own ids of the newest entries from the end of a session's log: adapters.Spec.Known. lived says that the
// agent has outlived the daemon: what was cut off then is not known, so that the agent tells of it once more, whole. What cannot be
// read is not known; the agent then may tell of something twice.
func idsOf(ctx context.Context, ref session.Ref, lived bool) []string {
	reader, err := ask.Ask(ctx, ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "resume"} })
	if err != nil {
		return nil
	}
	defer reader.Leave()
	return newestIDs(reader.Log, reader.Ring.Head(), lived)
}

func newestIDs(log *journal.Log, newest uint64, lived bool) []string {
	oldest, _ := log.Bounds()
	var ids []string
	for _, window := range idWindows {
		since := oldest - 1
		if newest > since+window {
			since = newest - window
		}
		ids = readIDs(log, since, newest, lived)
		if len(ids) >= adapters.MaxKnown || since+1 <= oldest || ids == nil {
			break
		}
	}
	return ids[max(0, len(ids)-adapters.MaxKnown):]
}

var persistent, incomplete = []byte(`"persistentId":`), []byte(`"incomplete":true`)

// readIDs gives the ids of a run of events, each once, in the order in which they came last; nil: it cannot be read.
func readIDs(log *journal.Log, since, upTo uint64, lived bool) []string {
	lines, err := log.Lines(since, upTo)
	if err != nil {
		return nil
	}
	defer func() { _ = lines.Close() }()
	order, of := map[string]uint64{}, map[string]string{} // and the ids by the entries' own
	for lines.Next() {
		if !bytes.Contains(lines.Line(), persistent) && !(lived && bytes.Contains(lines.Line(), incomplete)) {
			continue
		}
		e, err := protocol.Decode(lines.Line())
		if err != nil {
			return nil
		}
		id, entry := "", ""
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			id, entry = p.PersistentID, p.EntryID
		case *protocol.EntryEnd:
			id, entry = p.PersistentID, p.EntryID
			if lived && p.Incomplete && (p.Reason == daemonRestarted || p.Reason == sessionRestarted) {
				delete(order, of[entry])
				id = ""
			}
		case *protocol.EntryMeta:
			id, entry = p.PersistentID, p.EntryID
		default:
		}
		if id != "" {
			order[id], of[entry] = e.Seq, id
		}
	}
	if lines.Err() != nil {
		return nil
	}
	ids := make([]string, 0, len(order))
	for id := range order {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return int(order[a]) - int(order[b]) })
	return ids
}
