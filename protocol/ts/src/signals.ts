/** What a session's stream says besides events (spec §7.4, §7.5, §7.12, §7.18). No event has one of these types, and none of these is in the log. */

import type { Delta } from './entries.ts';
import type { Damage } from './state.ts';
import { closed, optional, required, type Shape } from './shape.ts';
import { damage } from './stateshapes.ts';

/** The connection lives; seq is that of the last event sent on it, or of where it began. */
export interface Heartbeat {
  type: 'heartbeat';
  seq: number;
  /** Unix milliseconds. */
  ts: number;
}

/** The reader's cursor is not of this log: what it holds of the session behind common is void, and the stream goes on from the oldest event. */
export interface Reset {
  type: 'reset';
  epoch: number;
  /** seq of the first event of the log. */
  oldest: number;
  /** seq of the last event of the log. */
  newest: number;
  /** Up to here the log is the one that the cursor is of; absent: that is not known, or of no use. */
  common?: number;
}

/** The log ends early: something of it on the daemon's disk is not as it was written. A client must not store it in the log. */
export interface DamageSignal extends Damage {
  type: 'damage';
}

/** A part of a text beyond what the log keeps of it. A client that reads live shows it; it is not in the log, and a reader may miss some. */
export interface Overflow {
  type: 'overflow';
  /** The open entry whose text it is. */
  entryId: string;
  /** Unix milliseconds. */
  ts: number;
  /** How many bytes of the same text came before: of what is kept, and of what has overflowed. */
  offset: number;
  /** text_append or arguments_append: what comes next. */
  delta: Delta;
}

export type Signal = Heartbeat | Reset | DamageSignal | Overflow;

/** The shape of each signal. */
export const signalShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['heartbeat', closed<Omit<Heartbeat, 'type'>>({ seq: required.natural, ts: required.integer })],
  ['reset', closed<Omit<Reset, 'type'>>({ epoch: required.natural, oldest: required.natural, newest: required.natural, common: optional.natural })],
  ['damage', damage],
  ['overflow', closed<Omit<Overflow, 'type'>>({ entryId: required.string, ts: required.integer, offset: required.natural, delta: required.delta })],
]);
