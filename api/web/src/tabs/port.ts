import type { Ask, Batch } from './words.ts';

/** What the page tells its worker first: whose sessions these are, and how much may be kept. */
export interface Begin {
  type: 'begin';
  token: string;
  /** Empty: nothing is kept or shared. */
  principal: string;
  /** Another one for every build of the worker. */
  build: string;
  /** Bytes. */
  budget: number;
}

/** What a page tells its worker. */
export type ToWorker = Begin | { type: 'close' } | Ask;

/** What a worker tells its page; closed: it has stored what there was, and ends. */
export type FromWorker = Batch | 'closed';

/** What all tabs of a login hear. hello: who leads? */
export type Hall = { type: 'hello'; tab: string } | { type: 'leader' };

/** What a leader hears of one tab. join: it begins anew. */
export interface FromTab {
  tab: string;
  ask: Ask | { type: 'join' };
}

/** What a tab hears of a leader. */
export interface FromLeader {
  leader: string;
  /** Absent: it is there. */
  batch?: Batch;
}
