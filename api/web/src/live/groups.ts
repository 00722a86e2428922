import type { InboxRequest, SessionSummary } from 'ringmaster-client';
import type { LastTurn } from 'ringmaster-protocol';

/** The groups of the roster, in their order: those before others that a person should look at first. */
export const groups = ['needs', 'failed', 'working', 'ready', 'idle', 'ended'] as const;
export type Group = (typeof groups)[number];

export const groupNames: Record<Group, string> = {
  needs: 'Needs you', failed: 'Failed', working: 'Working', ready: 'Ready', idle: 'Idle', ended: 'Ended',
};

/** One row of the roster. */
export interface Row {
  session: SessionSummary;
  group: Group;
  /** What it asks for, the longest waiting first. */
  requests: InboxRequest[];
  /** Sub-agents and sessions that its agent made; those that ask are in its own requests. */
  below: SessionSummary[];
}

/** In which group a session is; seen is the last event of it that was on this browser's screen. */
export function groupOf(s: SessionSummary, asks: boolean, seen: number | undefined): Group {
  const { state } = s.status;
  if (asks || state === 'awaiting_approval' || state === 'awaiting_input') {
    return 'needs';
  }
  if (state === 'failed' || (state === 'idle' && hasFailed(s.lastTurn))) {
    return 'failed'; // also when it was looked at: nothing goes on there by itself
  }
  if (state === 'completed' || state === 'terminated') {
    return 'ended';
  }
  if (state === 'idle') {
    return s.turns > 0 && s.seq > (seen ?? 0) ? 'ready' : 'idle';
  }
  return 'working';
}

/** A turn that was neither a success nor ended on purpose (spec §6.1). */
export function hasFailed(last: LastTurn | undefined): boolean {
  return last !== undefined && (last.status === 'error' || last.cause === 'lost');
}

/** What a session is called. */
export function nameOf(s: { title?: string; firstPrompt?: string }): string {
  return s.title || s.firstPrompt || 'Without a title';
}

/** The rows of the roster, by groups; a filter leaves those with all of its words in name, agent, folder, labels or id. */
export function rowsOf(sessions: Iterable<SessionSummary>, inbox: readonly InboxRequest[], seen: Record<string, number>, filter: string): Map<Group, Row[]> {
  const all = new Map([...sessions].map((s) => [s.id, s]));
  const rootOf = (s: SessionSummary): SessionSummary => {
    for (let depth = 0; depth < 16; depth++) {
      const parent = s.subAgent || s.spawned ? all.get(s.parentSessionId ?? '') : undefined;
      if (parent === undefined) {
        break;
      }
      s = parent;
    }
    return s;
  };
  const rows = new Map<string, Row>();
  for (const s of all.values()) {
    const root = rootOf(s);
    const row = rows.get(root.id) ?? { session: root, group: 'idle', requests: [], below: [] };
    rows.set(root.id, row);
    if (s !== root) {
      row.below.push(s);
    }
  }
  for (const r of inbox) {
    const s = all.get(r.sessionId);
    if (s !== undefined) {
      rows.get(rootOf(s).id)?.requests.push(r);
    }
  }
  const words = filter.toLowerCase().split(/\s+/).filter((w) => w !== '');
  const out = new Map<Group, Row[]>(groups.map((g) => [g, []]));
  for (const row of rows.values()) {
    const s = row.session;
    row.group = groupOf(s, row.requests.length > 0, seen[s.id]);
    const text = [nameOf(s), s.agent, s.cwd, s.id, s.model ?? '', ...Object.entries(s.labels ?? {}).flat()].join(' ').toLowerCase();
    if (words.every((w) => text.includes(w))) {
      out.get(row.group)!.push(row);
    }
  }
  for (const [group, list] of out) {
    list.sort(group === 'needs' ? (a, b) => waits(a) - waits(b) : (a, b) => Date.parse(b.session.updatedAt) - Date.parse(a.session.updatedAt));
  }
  return out;
}

function waits(row: Row): number {
  return Date.parse(row.requests[0]?.openedAt ?? row.session.updatedAt);
}
