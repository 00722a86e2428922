import type { Effect, Input, Notice } from '../../src/sync/index.ts';

/** What the lives went through, so that a life in which nothing happens is not taken for a proof. */
export interface Tally {
  crashes: number; powerLosses: number; resets: number; gaps: number; epochs: number; flips: number; dropped: number; full: number; evictions: number;
  uncached: number; saves: number; states: number; useless: number; rewinds: number; later: number; failed: number;
}

export const noTally = (): Tally => ({
  crashes: 0, powerLosses: 0, resets: 0, gaps: 0, epochs: 0, flips: 0, dropped: 0, full: 0, evictions: 0, uncached: 0, saves: 0, states: 0, useless: 0, rewinds: 0, later: 0, failed: 0,
});

/** What counts of what a machine tells. */
export const counted: Partial<Record<Notice, keyof Tally>> = { gap: 'gaps', epoch: 'epochs', cache_dropped: 'dropped', uncached: 'uncached' };

/** A promise that was not kept. */
export class Fault extends Error {}

export function fail(what: string): never {
  throw new Fault(what);
}

/** What the machine is told of an effect on the cache that failed; undefined: nothing. */
export function failed(what: Effect['type'], tally: Tally): Input | undefined {
  switch (what) {
    case 'store':
      tally.full++;
      return { type: 'store_failed' };
    case 'rewind':
      tally.failed++;
      return { type: 'unreadable' };
    default:
      return undefined;
  }
}
