import { formatCursor, FrameError, isSignal, parseCursor, SSEReader, type Cursor, type DamageSignal, type Frame, type Overflow, type Reset } from 'ringmaster-protocol';
import { pause } from './clock.ts';
import { Connection, quiet } from './connection.ts';
import { isPassing, UnexpectedAnswer, Unreachable } from './errors.ts';
import { decoded, type Line } from './log.ts';
import { backoff } from './sync/index.ts';
import type { CallOptions, Wire } from './wire.ts';

/** One thing that a followed log has to tell. */
export type Update =
  | ({ type: 'line' } & Line)
  /** A part of a text beyond what the log keeps of it (spec §7.18). It is no line, and a reader may miss some: offset says what came before. */
  | Overflow
  /**
   * What was read before is void: the log begins again with the next line (spec §7.5). Where it has common, what was read up to that number is the same: a program that has kept it may leave the loop,
   * and follow the log from the cursor of epoch and common.
   */
  | Reset
  /** The log ends early: what follows cannot be read (spec §7.12). */
  | DamageSignal
  /** The connection was lost, and is taken up again after waitMs. Without a sign of life awayMs were waited already. A program that wants to give up leaves its loop. */
  | { type: 'lost'; error: Error; waitMs: number; awayMs: number };

/** Where a log is followed from. */
export interface FollowOptions extends CallOptions {
  /** Absent: from the start. */
  since?: Cursor;
}

/** Follows a log across lost connections. */
export async function* follow(wire: Wire, path: string, o: FollowOptions): AsyncGenerator<Update, void, undefined> {
  const follower = new Follower(wire, path, o);
  for (;;) {
    try {
      yield* follower.connection();
      return;
    } catch (problem) {
      o.signal?.throwIfAborted();
      if (!follower.hasJoined || !isPassing(problem)) {
        throw problem;
      }
      const waitMs = follower.lost();
      yield { type: 'lost', error: problem as Error, waitMs, awayMs: follower.awayMs };
      await pause(wire.clock, waitMs, o.signal);
      follower.awayMs += waitMs;
    }
  }
}

class Follower {
  /** A connection was made once. */
  hasJoined = false;
  /** Waited since the last sign of life. */
  awayMs = 0;
  readonly #wire: Wire;
  readonly #path: string;
  readonly #signal: AbortSignal | undefined;
  #at: Cursor; // everything up to here was handed out
  #fails = 0; // in a row
  #retryMs = 0; // what the daemon asked for

  constructor(wire: Wire, path: string, o: FollowOptions) {
    this.#wire = wire;
    this.#path = path;
    this.#signal = o.signal;
    this.#at = o.since ?? { epoch: 1, seq: 0 };
  }

  /** The connection was lost: the wait before the next one. */
  lost(): number {
    this.#fails++;
    return backoff(this.#fails, this.#retryMs, this.#wire.clock.random());
  }

  /** Reads one connection to its end, which is an error unless nothing more will come. */
  async *connection(): AsyncGenerator<Update, void, undefined> {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (this.#at.seq > 0) {
      headers['Last-Event-ID'] = formatCursor(this.#at);
    }
    const connection = await Connection.begin(this.#wire, { method: 'GET', path: `${this.#path}/stream`, headers }, this.#signal);
    try {
      this.hasJoined = true;
      if (connection.response.status === 204) {
        return;
      }
      const reader = new SSEReader(), began = this.#wire.clock.now();
      for (let bytes = await connection.next(); bytes !== undefined; bytes = await connection.next()) {
        const frames = reader.push(bytes);
        this.#retryMs = reader.retry ?? 0;
        for (const frame of frames) {
          this.awayMs = 0;
          if (this.#wire.clock.now() - began >= quiet) {
            this.#fails = 0;
          }
          const update = this.#update(frame);
          if (update !== undefined) {
            yield update;
          }
        }
      }
    } finally {
      connection.close();
    }
    throw new Unreachable(this.#wire.where, true, new Error('the daemon ended the connection'));
  }

  #update(frame: Frame | FrameError): Update | undefined {
    if (frame instanceof FrameError) {
      throw new UnexpectedAnswer(`the daemon's stream: ${frame.message}`, { cause: frame });
    }
    const message = decoded(frame.data);
    if (isSignal(message)) {
      if (message.type === 'reset') {
        this.#at = { epoch: message.epoch, seq: Math.max(message.oldest, 1) - 1 };
      }
      return message.type === 'heartbeat' ? undefined : message;
    }
    const at = parseCursor(frame.id);
    if (at.epoch === this.#at.epoch && message.seq <= this.#at.seq) {
      throw new UnexpectedAnswer(`the log has a gap: event ${message.seq} came again`);
    }
    if (this.#at.seq > 0 && message.seq !== this.#at.seq + 1) {
      throw new UnexpectedAnswer(`the log has a gap: event ${message.seq} came after ${this.#at.seq}`);
    }
    this.#at = at;
    this.#fails = 0;
    return { type: 'line', event: message, at, line: frame.data };
  }
}
