/**
 * What is wrong with a cache.
 *
 * - locked: another program, or another Folder of this one, writes the folder
 * - full: a store would exceed the budget
 * - unreadable: stored lines are no events, their numbers do not follow each other, or a checkpoint has another checksum
 * - closed: the session of the cache was closed
 */
export type CacheProblem = 'locked' | 'full' | 'unreadable' | 'closed';

/** A cache cannot do what it was asked for. What the disk says comes as its own error. */
export class CacheError extends Error {
  override readonly name = 'CacheError';
  readonly problem: CacheProblem;

  constructor(problem: CacheProblem, message: string, cause?: unknown) {
    super(`cache: ${message}`, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}
