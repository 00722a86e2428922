import type { Cursor } from 'ringmaster-protocol';

/** The position before the first event. */
export const start: Cursor = { epoch: 1, seq: 0 };

/** The seq of a cursor that no log can have. */
export const nowhere = Number.MAX_SAFE_INTEGER;

/** The position before the oldest event of a log; what the server did not say is the start. */
export function beforeOldest(epoch: number, oldest: number): Cursor {
  return { epoch: Math.max(epoch, 1), seq: Math.max(oldest, 1) - 1 };
}

/**
 * Says that what is at a cursor of the server does not belong behind the own one: a reset was due before it, and was lost. At the start every epoch is right.
 *
 * A later epoch is right as well where the server goes on behind the position, for then it has judged that the position lies before that epoch (spec §2.3). It does so from the number least on. What it
 * has in that epoch before that number is the beginning of another log, and nothing of it may be passed over as known.
 */
export function isForeign(own: Cursor, at: Cursor, least: number): boolean {
  return own.seq > 0 && (own.seq === nowhere || at.epoch < own.epoch || (at.epoch > own.epoch && at.seq < least));
}
