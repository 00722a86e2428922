import type { LiveState, RequestState, TurnState, ChildState } from 'ringmaster-protocol';

/** One row of a transcript. */
export type Item =
  | { kind: 'entry'; id: string; seq: number }
  /** A prompt of which the agent repeats nothing. */
  | { kind: 'prompt'; id: string; seq: number; turn: TurnState }
  /** The end of a turn. */
  | { kind: 'end'; id: string; seq: number; turn: TurnState }
  | { kind: 'answer'; id: string; seq: number; request: RequestState }
  | { kind: 'child'; id: string; seq: number; child: ChildState }
  /** Where a reader had been when the session was opened. */
  | { kind: 'unread'; id: string; seq: number };

/** The rows of a session's transcript, in the order of the log. seen is the last event that a reader had seen; a mark stands before the first row that came later. */
export function itemsOf(s: LiveState, seen?: number): Item[] {
  const items: Item[] = [];
  const said = new Set<string>(); // turns whose agent shows the prompt as an entry
  for (const x of s.entries) {
    items.push({ kind: 'entry', id: x.entryId, seq: x.startSeq });
    if (x.entryType === 'user_message' && x.turnId !== undefined) {
      said.add(x.turnId);
    }
  }
  for (const turn of s.turns) {
    if (turn.prompt !== undefined && !said.has(turn.turnId)) {
      items.push({ kind: 'prompt', id: `${turn.turnId}/prompt`, seq: turn.startSeq, turn });
    }
    if (turn.endSeq !== undefined) {
      items.push({ kind: 'end', id: `${turn.turnId}/end`, seq: turn.endSeq, turn });
    }
  }
  for (const request of s.requests) {
    if (request.resolved !== undefined && request.kind !== 'caller_tool') {
      items.push({ kind: 'answer', id: `${request.requestId}/${request.openedSeq}`, seq: request.resolvedSeq ?? request.openedSeq, request });
    }
  }
  for (const child of s.children) {
    items.push({ kind: 'child', id: `child/${child.childSessionId}`, seq: child.seq, child });
  }
  items.sort((a, b) => a.seq - b.seq);
  const at = seen === undefined || seen === 0 ? -1 : items.findIndex((i) => i.seq > seen);
  if (at > 0) {
    items.splice(at, 0, { kind: 'unread', id: 'unread', seq: items[at]!.seq });
  }
  return items;
}
