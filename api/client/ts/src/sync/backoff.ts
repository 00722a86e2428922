/** The waits before a retry, in milliseconds: none before the first, then firstWait, doubled each time up to longestWait. */
const firstWait = 250, longestWait = 30_000;

/**
 * The wait before the retry number attempt, counted from 1, in whole milliseconds. Half of it is sure and the other half is the share jitter, 0 ≤ jitter < 1, so that
 * clients that lost one server do not come back together. What the server asked for is a lower bound, also with jitter above it.
 */
export function backoff(attempt: number, askedMs: number, jitter: number): number {
  const half = attempt > 1 ? Math.min(firstWait * 2 ** Math.min(attempt - 2, 10), longestWait) / 2 : 0;
  const spread = Math.max(half, askedMs / 2);
  return Math.floor(Math.max(half, askedMs) + jitter * spread);
}
