package pi

import (
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// piece is a part of the agent's session that may have an entry in the log: a message of the user's, a block of the agent's, a compaction.
type piece struct {
	id     string // of the stored entry
	kind   protocol.EntryType
	text   string
	callID string
}

// maxPieces bounds how far back lost entries are looked for.
const maxPieces = 512

// bindLost binds entries of earlier starts, which ended before Pi had told their ids: it was asked right behind them, and lost. Both the log and
// Pi's session have them in their order, so the most that can be matched in order is matched, the newest first. What Pi has not stored,
// such as an answer that SIGKILL cut off, stays without an id. It gives the ids that are taken.
func (h *history) bindLost(entries []storedWire, out *adapters.Output) (taken map[string]bool) {
	lost := h.unbound
	if len(lost) == 0 {
		return nil
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if slices.Contains(h.known, entries[i].ID) { // the log knows what was before
			entries = entries[i+1:]
			break
		}
	}
	pieces := piecesOf(entries)
	pieces = pieces[max(0, len(pieces)-maxPieces):]
	// most[i][j] is how many of the first i entries can be matched with the first j pieces.
	most := make([][]int16, len(lost)+1)
	for i := range most {
		most[i] = make([]int16, len(pieces)+1)
	}
	with := func(i, j int) int16 { // entry i is piece j
		if !pieces[j].is(&lost[i]) {
			return -1
		}
		if pieces[j].splits() {
			return most[i][j+1] + 1
		}
		return most[i][j] + 1
	}
	for i := range lost {
		for j := range pieces {
			most[i+1][j+1] = max(most[i][j+1], most[i+1][j], with(i, j))
		}
	}
	var bound []adapters.EntryBound
	for i, j := len(lost)-1, len(pieces)-1; i >= 0 && j >= 0; {
		switch n := most[i+1][j+1]; {
		case with(i, j) == n:
			bound = append(bound, adapters.EntryBound{ID: lost[i].ID, PersistentID: pieces[j].id})
			if !pieces[j].splits() {
				j--
			}
			i--
		case most[i+1][j] == n:
			j--
		default:
			i--
		}
	}
	slices.Reverse(bound)
	taken = map[string]bool{}
	for _, b := range bound {
		taken[b.PersistentID] = true
		out.Draft(b)
	}
	return taken
}

func piecesOf(entries []storedWire) []piece {
	var list []piece
	for i := range entries {
		e := &entries[i]
		switch m := &e.Message; {
		case e.ID == "":
		case e.Type == "compaction":
			list = append(list, piece{id: e.ID, kind: protocol.EntryCompaction, text: e.Summary})
		case m.Role == "user":
			list = append(list, piece{id: e.ID, kind: protocol.EntryUserMessage, text: plain(blocks(m.Content))})
		case m.Role == "assistant":
			for _, c := range blocks(m.Content) {
				switch c.Type {
				case "text":
					list = append(list, piece{id: e.ID, kind: protocol.EntryAssistantMessage, text: c.Text})
				case "thinking":
					list = append(list, piece{id: e.ID, kind: protocol.EntryThinking, text: c.Thinking})
				case "toolCall":
					list = append(list, piece{id: e.ID, kind: protocol.EntryToolCall, callID: c.ID})
				}
			}
		}
	}
	return list
}

// splits says that several entries may be of one piece: a text ends when the next block begins, and may go on.
func (p *piece) splits() bool {
	return p.kind == protocol.EntryAssistantMessage || p.kind == protocol.EntryThinking
}

// is says that an entry may be of the piece. Of a text that was cut off, either side may have more.
func (p *piece) is(u *adapters.Unbound) bool {
	switch {
	case p.kind != u.Type:
		return false
	case p.kind == protocol.EntryToolCall:
		return p.callID == u.CallID
	case p.splits():
		said, kept := strings.TrimSpace(u.Text), strings.TrimSpace(p.text)
		return said != "" && kept != "" && (strings.Contains(kept, said) || strings.HasPrefix(said, kept))
	}
	return p.text == u.Text || len(u.Text) > adapters.MaxUnboundText-4 && strings.HasPrefix(p.text, u.Text)
}
