import { recallState, type Cursor, type SessionState } from 'ringmaster-protocol';
import type { Feed } from '../live/feed.ts';
import { stateOf } from '../live/state.ts';

/** How long the leader is waited for before the daemon is asked as well, in milliseconds: it may be frozen, or fold a long log. */
const patience = 3000;

/** The daemon does not answer, and this browser cannot tell. */
export class NotKept extends Error {
  constructor() {
    super('The daemon does not answer, and this browser has not kept the whole log up to there.');
  }
}

/** The state of a session at a cursor: folded from the log as this browser keeps it, or else the daemon's. */
export async function pastOf(feed: Feed, id: string, at: Cursor, signal: AbortSignal): Promise<SessionState> {
  const own = deferred<SessionState | undefined>();
  const stop = feed.questions.put({ type: 'past', id, at }, (answer) => own.resolve(answer.type === 'past' && answer.state !== undefined ? recallState(answer.state) : undefined));
  const late = setTimeout(() => own.resolve(undefined), patience);
  const end = (): void => own.reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    return (await own.promise) ?? (await stateOf(feed.client.session(id), { at, signal }));
  } catch (error) {
    throw error instanceof Error && error.name === 'Unreachable' ? new NotKept() : error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', end);
    stop();
  }
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (why: unknown) => void } {
  const d = {} as { resolve: (value: T) => void; reject: (why: unknown) => void };
  const promise = new Promise<T>((resolve, reject) => Object.assign(d, { resolve, reject }));
  return { promise, ...d };
}
