import { Problem, type Client } from 'ringmaster-client';
import type { Cursor, SessionState } from 'ringmaster-protocol';

/** How many entries are had of a state that is too long to be had as a whole: as many as the daemon gives at once. */
const newest = 1000;

/** The daemon's state of a session; of one that is too long, its newest entries and all that is open. */
export async function stateOf(session: Pick<ReturnType<Client['session']>, 'state'>, o: { at?: Cursor; signal?: AbortSignal } = {}): Promise<SessionState> {
  try {
    return await session.state(o);
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_large') {
      return session.state({ ...o, entries: newest });
    }
    throw error;
  }
}

/** What is said of a state of which only the newest entries are there; empty: all are. */
export function saysPart(state: SessionState): string {
  const earlier = (state.part?.told.entries ?? 0) - (state.entries?.length ?? 0);
  return earlier > 0 ? `This session is very long: its newest ${(state.entries?.length ?? 0).toLocaleString('en')} entries are shown, and ${earlier.toLocaleString('en')} earlier ones are not.` : '';
}
