/** What a session may use (spec §4.12). */

import type { BudgetAction } from './words.ts';

/** What a session may use, and what it and all sessions below it may use together (spec §4.12). */
export interface Budget {
  session?: Limits;
  tree?: Limits;
  /** Absent: pause. */
  action?: BudgetAction;
  /** Percent of a limit from which on it is warned of; absent: 80. */
  warnAt?: number;
}

/** The most that may be used; what is absent is not bounded. */
export interface Limits {
  tokens?: number;
  /** Millionths of a US dollar. */
  costMicros?: number;
  /** Milliseconds at work. */
  workMs?: number;
  turns?: number;
  toolCalls?: number;
  children?: number;
}
