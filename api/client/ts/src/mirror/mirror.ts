import type { Cursor, SessionState } from 'ringmaster-protocol';
import type { Client } from '../client.ts';
import { saveEvery } from '../sync/index.ts';
import type { Selector, SessionSummary } from '../types/index.ts';
import type { CallOptions } from '../wire.ts';
import { deferred } from './bell.ts';
import type { Change } from './change.ts';
import { Feed } from './feed.ts';
import { Runner } from './runner.ts';
import type { MirrorCache } from './session.ts';
import { Sessions } from './sessions.ts';

/** What a mirror keeps. Without options it keeps every session within reach in memory. */
export interface MirrorOptions {
  /** Which sessions; absent: all within reach. */
  select?: Selector;
  /** Where their lines are stored; absent: nowhere. The caller closes it behind run. */
  cache?: MirrorCache;
  /** Fold the logs, for state. */
  states?: boolean;
  /**
   * With states and a cache that keeps them, the state of a session is stored as well: when so many lines and no fewer bytes than the last state has stand behind that, when the session has ended, and when
   * run ends. The next mirror begins with it in place of the lines before it. Absent: 5,000.
   */
  saveEvery?: number;
  /** asked: the list is of all these sessions, and logs are kept of those alone that follow names: what a cache has of others stays as it is. Absent: all, their logs are kept from the beginning. */
  follow?: 'all' | 'asked';
}

/**
 * Keeps many sessions over one stream (spec §7.13): the list of sessions, and of each one its log, exactly, across lost connections, restarts of the daemon and of the program itself. The machine of
 * ringmaster-client/sync decides what is asked for, shown and stored.
 *
 * run does the work. The other methods may be called before it and behind it.
 */
export class Mirror {
  /** Resolves when the first list of sessions is whole; rejects where run ended before. */
  readonly synced: Promise<void>;
  readonly #feed = new Feed();
  readonly #sessions: Sessions;
  readonly #runner: Runner;
  readonly #stop = new AbortController();
  readonly #unsynced: (why: unknown) => void;
  #running: Promise<void> | undefined;

  constructor(client: Client, options: MirrorOptions = {}) {
    const { wire } = client;
    const synced = deferred<void>();
    synced.promise.catch(() => undefined); // nobody has to wait for it
    this.synced = synced.promise;
    this.#unsynced = synced.reject;
    this.#sessions = new Sessions(options.cache, options.states === true ? (options.saveEvery ?? saveEvery) : undefined, {
      tell: (change) => this.#feed.put(change, this.#stop.signal), isWanted: () => this.#feed.isWanted, now: () => wire.clock.now(), random: () => wire.clock.random(),
    }, () => synced.resolve(), options.follow === 'asked');
    this.#runner = new Runner(wire, this.#sessions, options.select, this.#stop.signal);
  }

  /**
   * Keeps the sessions until close, or until the signal is aborted, whose reason it throws then; or until the daemon refuses the stream, which is a Problem. A daemon that is away is waited
   * for. What is read and not stored yet is stored before it returns, and the cache's sessions are closed.
   */
  async run(o: CallOptions = {}): Promise<void> {
    if (this.#running !== undefined) {
      throw new Error('the mirror runs or has run');
    }
    const stop = (): void => this.#stop.abort(o.signal!.reason);
    o.signal?.addEventListener('abort', stop);
    if (o.signal?.aborted) {
      stop();
    }
    this.#running = this.#runner.run();
    let error: unknown;
    try {
      await this.#running;
    } catch (thrown) {
      error = thrown === closed ? undefined : thrown;
    }
    o.signal?.removeEventListener('abort', stop);
    this.#feed.close(error);
    this.#unsynced(error ?? closed);
    if (error !== undefined) {
      throw error;
    }
  }

  /** Ends run, and resolves when it has ended. */
  async close(): Promise<void> {
    this.#stop.abort(closed);
    await this.#running?.catch(() => undefined);
  }

  /** A network is there again, or somebody looks: what waits for its time is tried now. A page calls it on online, pageshow and when it becomes visible. */
  wake(): void {
    this.#runner.wake();
  }

  /**
   * Keeps the log of a session from now on, from its beginning; or, where nothing of it is stored, from a cursor, for a caller who has the state up to there. After a reset it begins anew.
   * Resolves when the session is kept, with all that the cache has of it; or never, where run does not.
   */
  follow(id: string, since?: Cursor): Promise<void> {
    return this.#runner.ask(id, { since });
  }

  /** Keeps the log of a session no longer. Where all are followed, it is kept again from the next line on. */
  unfollow(id: string): void {
    void this.#runner.ask(id, undefined);
  }

  /** The sessions as the list of the daemon has them, in the order of their ids. */
  roster(): SessionSummary[] {
    return [...this.#sessions.roster.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The position up to which the log of a session is kept; undefined: it is not kept. */
  at(id: string): Cursor | undefined {
    return this.#sessions.kept.get(id)?.at;
  }

  /** The state of a session as of the last line that is kept: a copy. It is undefined where the session is not kept, or states was not asked for. */
  state(id: string): SessionState | undefined {
    return this.#sessions.kept.get(id)?.fold?.toJSON();
  }

  /**
   * Tells what changes from now on, in order, until the loop is left, the signal is aborted, or run has ended: an error of run ends the loop with it. It begins with a change of the type session for each session of the list;
   * state and at say what was kept before. A loop that is slow is behind, and loses nothing: the mirror waits for it, and the daemon's logs keep what is to come.
   */
  async *changes(o: CallOptions = {}): AsyncGenerator<Change, void, undefined> {
    o.signal?.throwIfAborted();
    const reader = this.#feed.join();
    const ring = (): void => reader.news.ring();
    o.signal?.addEventListener('abort', ring);
    try {
      for (const session of this.roster()) {
        yield { type: 'session', id: session.id, session };
      }
      for (;;) {
        const list = this.#feed.take(reader);
        yield* list;
        o.signal?.throwIfAborted();
        if (list.length > 0) {
          continue;
        }
        if (this.#feed.end !== undefined) {
          if (this.#feed.end.error !== undefined) {
            throw this.#feed.end.error;
          }
          return;
        }
        await reader.news.heard();
      }
    } finally {
      o.signal?.removeEventListener('abort', ring);
      this.#feed.leave(reader);
    }
  }
}

/** Why a mirror ends that was closed. */
const closed = new Error('the mirror was closed');
