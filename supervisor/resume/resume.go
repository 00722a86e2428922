// Package resume reads from a session's log what an agent must know that goes on with its own session.
package resume

import (
	"bytes"
	"context"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
)

// idWindows are how many events from the end are read for the ids of entries: deltas are most of a log, and have none.
var idWindows = []uint64{4 << 10, 32 << 10, 256 << 10}

// IDs reads from the end of a session's log the agent's own ids of the newest entries, and which entries have none: adapters.Spec.Known
// and Unbound. lived says that the agent has outlived the daemon: what was cut off then is not known, so that the agent tells of it once
// more, whole. What cannot be read is not known; the agent then may tell of something twice.
func IDs(ctx context.Context, ref session.Ref, lived bool) (known []string, unbound []adapters.Unbound) {
	reader, err := ask.Ask(ctx, ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "resume"} })
	if err != nil {
		return nil, nil
	}
	defer reader.Leave()
	newest := reader.Ring.Head()
	known, err = newestIDs(reader.Log, newest, lived)
	if err == nil {
		unbound, err = newestUnbound(reader.Log, newest)
	}
	reader.Doubt(ctx, err) // this may be the first who reads what was there before the session's checkpoint
	return known, unbound
}

var typeDelta = []byte(`"type":"entry_delta"`)

// newestUnbound gives the newest entries that have ended and have no id of the agent's own, oldest first, as far as they stand in the
// first window.
func newestUnbound(log store.Log, newest uint64) ([]adapters.Unbound, error) {
	oldest, _ := log.Bounds()
	lines, err := store.LinesOf(log, max(oldest, newest-min(newest, idWindows[0])+1)-1, newest)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lines.Close() }()
	var list []adapters.Unbound
	bound := map[string]bool{}
	for lines.Next() {
		if bytes.Contains(lines.Line(), typeDelta) {
			continue
		}
		e, err := protocol.Decode(lines.Line())
		if err != nil {
			return nil, err
		}
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			bound[p.EntryID] = bound[p.EntryID] || p.PersistentID != ""
		case *protocol.EntryMeta:
			bound[p.EntryID] = bound[p.EntryID] || p.PersistentID != ""
		case *protocol.EntryEnd:
			bound[p.EntryID] = bound[p.EntryID] || p.PersistentID != ""
			_, _, agents := protocol.ParseEntryID(p.EntryID)
			if u, ok := adapters.NewUnbound(p.EntryID, p.EntryType, p.Data); ok && agents {
				list = append(list, u)
			}
		default:
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(u adapters.Unbound) bool { return bound[u.ID] })
	return slices.Clone(list[max(0, len(list)-adapters.MaxUnbound):]), nil
}

func newestIDs(log store.Log, newest uint64, lived bool) (ids []string, err error) {
	oldest, _ := log.Bounds()
	for _, window := range idWindows {
		since := oldest - 1
		if newest > since+window {
			since = newest - window
		}
		if ids, err = readIDs(log, since, newest, lived); err != nil || len(ids) >= adapters.MaxKnown || since+1 <= oldest {
			break
		}
	}
	return ids[max(0, len(ids)-adapters.MaxKnown):], err
}

var persistent, incomplete = []byte(`"persistentId":`), []byte(`"incomplete":true`)

// readIDs gives the ids of a run of events, each once, in the order in which they came last.
func readIDs(log store.Log, since, upTo uint64, lived bool) ([]string, error) {
	lines, err := store.LinesOf(log, since, upTo)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lines.Close() }()
	order, of := map[string]uint64{}, map[string]string{} // and the ids by the entries' own
	for lines.Next() {
		if !bytes.Contains(lines.Line(), persistent) && !(lived && bytes.Contains(lines.Line(), incomplete)) {
			continue
		}
		e, err := protocol.Decode(lines.Line())
		if err != nil {
			return nil, err
		}
		id, entry := "", ""
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			id, entry = p.PersistentID, p.EntryID
		case *protocol.EntryEnd:
			id, entry = p.PersistentID, p.EntryID
			if lived && p.Incomplete && (p.Reason == core.DaemonRestarted || p.Reason == core.SessionRestarted) {
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
	if err := lines.Err(); err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(order))
	for id := range order {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return int(order[a]) - int(order[b]) })
	return ids, nil
}
