import type { Cursor } from 'ringmaster-protocol';

/** What the leader has of sessions. */
export interface Kept {
  /** How far the log of a session is kept; undefined: it is not. */
  at(id: string): Cursor | undefined;
  /** The state there, in its JSON; undefined: there is none. */
  state(id: string): string | undefined;
}

/** How far a log is read, and how far the list says that it is; sequence numbers. */
export interface Reading {
  seq: number;
  of: number;
}

/** What a glance at what is stored of a session has found: a state, or lines alone; undefined: nothing is stored. */
export type Stored = { at: Cursor; state: string } | 'lines' | undefined;
