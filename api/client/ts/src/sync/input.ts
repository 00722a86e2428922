import type { Cursor } from 'ringmaster-protocol';

/** What the index of a cache says of its file (spec §10.4). */
export interface Index {
  epoch: number;
  /** Of the last line. */
  seq: number;
  /** Bytes. */
  length: number;
  /** CRC-32 of these bytes. */
  sum: number;
}

/** What a cache's file itself shows. All but length is of its beginning, as far as the index speaks of it. */
export interface File {
  /** Of the whole file. */
  length: number;
  /** The beginning ends in a newline. */
  whole: boolean;
  /** Of the last line of the beginning; 0: it is no event. */
  seq: number;
  sum: number;
}

/** Where a stored state stands: behind the line seq, which ends at length. */
export interface Checkpoint {
  epoch: number;
  seq: number;
  length: number;
  /** Bytes of the state. */
  size: number;
}

/** Begins, in the phase closed, with what was found in the cache. */
export interface Open {
  type: 'open';
  /** There is a cache. Where there is none nothing is stored, and the members of the cache do not count. */
  cached: boolean;
  index?: Index;
  /** Where there is no index, only its length counts. */
  file: File;
  checkpoint?: Checkpoint;
  /** Where to begin without a cache; absent: at the start. */
  since?: Cursor;
  /** Lines between two checkpoints, at least; absent: no state is folded, and none is stored. */
  saveEvery?: number;
}

/** The position is not of the log, which goes on with the event oldest (spec §7.5). */
export interface ResetInput {
  type: 'reset';
  epoch: number;
  oldest: number;
  /** Up to here it is the log that the position is of; absent: the server did not say. */
  common?: number;
}

/** An event. */
export interface FrameInput {
  type: 'frame';
  /** Of the frame's id. */
  at: Cursor;
  /** Of the line itself; 0: the line is no event. */
  seq: number;
  /** Without its newline. */
  line: string;
}

/** Any answer to the request for the stream, or for a patch of the log, that is not the stream itself. */
export interface Answer {
  type: 'answer';
  /** Of HTTP. */
  status: number;
  /** Absent: the server did not say. */
  retryAfterMs?: number;
  /** Of 410, as those of a reset. */
  epoch?: number;
  oldest?: number;
  common?: number;
}

/** Something that happened to a session that is kept. */
export type Input =
  // From the program that keeps the session, and from its clock.
  | Open
  /** It is time to store. */
  | { type: 'tick' }
  /** The time of the last wait is over. */
  | { type: 'due' }
  /** A network is there again, or somebody looks: a retry that waits is made now. */
  | { type: 'wake' }
  /** The connection has lived long: a new one is wanted in its place. */
  | { type: 'renew' }
  /** The list of sessions shows the session beyond its end, or as one that matches again. */
  | { type: 'moved' }
  /** The session is not wanted any more; open may follow. */
  | { type: 'close' }
  // From the cache.
  /** A store of the last step failed, and the cache is as it was before. */
  | { type: 'store_failed' }
  /** The read of the last step met what is no event, or breaks the run of numbers, or the checkpoint it was to begin with is of no use; or its rewind failed. */
  | { type: 'unreadable' }
  /** The save of the last step succeeded; size is the bytes of the state. One that failed has no input: it is tried again as late as if it had not. */
  | { type: 'saved'; size: number }
  // From the connection.
  /** The stream is open. */
  | { type: 'connected' }
  /** The wait that the server asked for in a line of the stream. */
  | { type: 'retry'; ms: number }
  | FrameInput
  /** A sign of life. at is where the server is with this session; absent: the heartbeat does not name it. */
  | { type: 'heartbeat'; at?: Cursor }
  | ResetInput
  /** Of a merged stream: the session has ended, and everything up to at was sent. */
  | { type: 'over'; at: Cursor }
  /** Of a merged stream: the session is not followed any more. */
  | { type: 'gone'; reason: 'not_found' | 'deselected' }
  /** Of a merged stream: the session cannot be read now, and the server tries again. */
  | { type: 'refused'; code: string }
  /** The log ends early on the server's disk (spec §7.12). */
  | { type: 'damage' }
  | Answer
  /** There is no connection, whether it broke, was silent or never came. */
  | { type: 'lost' };

/** Says that the file is what the index says. */
export function isSound(o: Open): boolean {
  const x = o.index;
  return (
    x !== undefined && x.epoch > 0 && x.seq > 0 && x.length > 0 && o.file.length >= x.length && o.file.whole && o.file.seq === x.seq && o.file.sum === x.sum
  );
}

/** Says that a state at the checkpoint is one of the log that the index speaks of. */
export function isOf(c: Checkpoint, x: Index): boolean {
  return c.epoch === x.epoch && c.seq > 0 && c.length > 0 && c.seq <= x.seq && c.length <= x.length && (c.seq === x.seq) === (c.length === x.length);
}
