import type { Cursor } from 'ringmaster-protocol';

/** What happened to a session, for counters and for people. */
export type Notice =
  /** Lines were missing, and are asked for again. */
  | 'gap'
  /** A line was of a log that another one has replaced, without a reset: started over. */
  | 'epoch'
  /** The cache was not as it had been written: started over. */
  | 'cache_dropped'
  /** There is no room: the session goes on without a cache. */
  | 'uncached'
  /** The server cannot give it now: tried again. */
  | 'unavailable'
  /** Its log ends early on the server's disk. */
  | 'damaged'
  /** The token may not read it; the cache stays, and is not shown. */
  | 'refused'
  /** There is no such session any more. */
  | 'gone'
  /** It does not match any more. */
  | 'deselected';

/** Has to do with the server. */
export type ConnectionEffect =
  /** Asks the server for what follows a position. */
  | { type: 'connect'; since: Cursor }
  /** Ends the connection, if there is one. */
  | { type: 'disconnect' }
  /** Asks for due after a time. */
  | { type: 'wait'; ms: number };

/** Shows the lines of the file from the byte from on, of which the first follows the number after. A from above 0 means that the state of the checkpoint is shown in place of the lines before it. */
export interface Read {
  type: 'read';
  from: number;
  after: number;
}

/** Writes lines behind those that are there, and then the index. It does all of it or fails; then nothing of it counts. */
export interface Store {
  type: 'store';
  /** Of the last line. */
  at: Cursor;
  /** Without their newlines. */
  lines: readonly string[];
}

/**
 * Writes the state as of at, behind the line that was stored last, in place of the checkpoint before it. It is a hint: nothing is done behind a store of the same step that failed, and a save that
 * fails costs nothing but time at the next opening.
 */
export interface Save {
  type: 'save';
  at: Cursor;
}

/**
 * Keeps the lines up to the one of at, whose epoch is at's from now on, and takes away those behind it. Where it fails, or that line is not there, nothing is shown of the cache: the read behind it
 * is not carried out.
 */
export interface Rewind {
  type: 'rewind';
  at: Cursor;
}

/** Has to do with what is stored. */
export type CacheEffect =
  /** Shortens the file: what lies behind length was not finished. */
  | { type: 'cut'; length: number }
  | Read
  | Store
  | Save
  | Rewind
  /** Takes away all that is stored of the session: the index first, then the checkpoint, then the lines. */
  | { type: 'drop' }
  /** Takes the checkpoint away: it is of another log, further than the index, or of no use, or the lines need its room. */
  | { type: 'drop_checkpoint' }
  /** Makes room at the cost of sessions that are not open. */
  | { type: 'evict' };

/** Has to do with what is shown. */
export type ViewEffect =
  /** Shows the line that follows those shown so far. */
  | { type: 'show'; at: Cursor; line: string }
  /** Takes back all that is shown of the session. */
  | { type: 'forget' }
  /** Says what happened; the code is that of a merged stream's refused. */
  | { type: 'tell'; notice: Notice; code?: string };

/** Something to be done. */
export type Effect = ConnectionEffect | CacheEffect | ViewEffect;
