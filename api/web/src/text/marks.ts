import type { LiveState } from 'ringmaster-protocol';

/** A place of a log that somebody may want to look at. */
export interface Mark {
  seq: number;
  kind: 'turn' | 'request' | 'failed' | 'compaction' | 'end';
  words: string;
}

/** The places of a log that a slider shows, in order. */
export function marksOf(s: LiveState): Mark[] {
  const marks: Mark[] = [];
  for (const t of s.turns) {
    marks.push({ seq: t.startSeq, kind: 'turn', words: `${t.turnId} begins` });
    if (t.endSeq !== undefined) {
      const isFailed = t.status === 'error' || t.cause === 'lost';
      marks.push({ seq: t.endSeq, kind: isFailed ? 'failed' : 'turn', words: isFailed ? `${t.turnId} fails` : `${t.turnId} ends` });
    }
  }
  for (const r of s.requests) {
    marks.push({ seq: r.openedSeq, kind: 'request', words: r.kind === 'approval' ? `${r.toolName ?? 'a tool'} asks` : 'a question' });
    if (r.resolvedSeq !== undefined) {
      marks.push({ seq: r.resolvedSeq, kind: 'request', words: r.resolved?.outcome ?? 'answered' });
    }
  }
  for (const x of s.entries) {
    if (x.entryType === 'compaction') {
      marks.push({ seq: x.endSeq ?? x.startSeq, kind: 'compaction', words: 'compaction' });
    } else if (x.entryType === 'tool_call' && x.data.status === 'error' && x.endSeq !== undefined) {
      marks.push({ seq: x.endSeq, kind: 'failed', words: `${x.data.toolName} fails` });
    }
  }
  if (s.end !== undefined) {
    marks.push({ seq: s.seq, kind: s.end.reason === 'error' ? 'failed' : 'end', words: 'the session ends' });
  }
  return marks.sort((a, b) => a.seq - b.seq);
}

/** The mark behind a place, or before it. */
export function nextMark(marks: readonly Mark[], seq: number, by: 1 | -1): Mark | undefined {
  return by > 0 ? marks.find((m) => m.seq > seq) : marks.findLast((m) => m.seq < seq);
}

const weights: Record<Mark['kind'], number> = { failed: 3, request: 2, compaction: 1, end: 1, turn: 0 };

/** Marks that can be told from each other on a line: of those that fall together the one that matters most. */
export function ticksOf(marks: readonly Mark[], last: number, places: number): { part: number; mark: Mark }[] {
  const ticks = new Map<number, Mark>();
  for (const mark of marks) {
    const at = last <= 1 ? 0 : Math.round(((mark.seq - 1) / (last - 1)) * places);
    const there = ticks.get(at);
    if (there === undefined || weights[mark.kind] > weights[there.kind]) {
      ticks.set(at, mark);
    }
  }
  return [...ticks].map(([at, mark]) => ({ part: at / places, mark }));
}
