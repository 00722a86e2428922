import type { LastTurn, Status } from 'ringmaster-protocol';

/** What is known of a session, to see what is new. */
export interface Known {
  turnId: string | undefined;
  state: string;
}

/** Something that a person may want to be told: in words of the page's, never of the agent's. */
export interface News {
  /** One notice for the same thing, in all tabs. */
  tag: string;
  session: string;
  words: string;
}

interface Told {
  id: string;
  status: Pick<Status, 'state'>;
  subAgent?: boolean;
  lastTurn?: LastTurn;
}

/** What has happened since before. What was not known before is no news: the page has just been opened. */
export function newsOf(before: ReadonlyMap<string, Known>, now: Iterable<Told>): News[] {
  const news: News[] = [];
  for (const s of now) {
    const was = before.get(s.id);
    if (was === undefined || s.subAgent === true) {
      continue;
    }
    const last = s.lastTurn;
    if (s.status.state === 'failed' && was.state !== 'failed') {
      news.push({ tag: `end/${s.id}`, session: s.id, words: 'The session has failed.' });
    } else if (last !== undefined && last.turnId !== was.turnId && last.cause !== 'user') {
      const isFailed = last.status === 'error' || last.cause === 'lost';
      news.push({ tag: `turn/${s.id}/${last.turnId}`, session: s.id, words: isFailed ? 'A turn has failed.' : last.status === 'interrupted' ? 'A turn was interrupted.' : 'A turn has ended.' });
    }
  }
  return news;
}

export function knownOf(now: Iterable<Told>): Map<string, Known> {
  return new Map([...now].map((s) => [s.id, { turnId: s.lastTurn?.turnId, state: s.status.state }]));
}
