import { formatCursor, type Cursor } from 'ringmaster-protocol';
import { pause } from '../clock.ts';
import { Connection, quiet } from '../connection.ts';
import { isPassing, Unreachable } from '../errors.ts';
import { MergedReader, streamCall } from '../stream.ts';
import { backoff, type Input } from '../sync/index.ts';
import type { StreamRequest } from '../types/index.ts';
import { retryAfterOf, type Wire } from '../wire.ts';
import { Bell } from './bell.ts';
import type { Sessions } from './sessions.ts';

/** How often lines are stored, while there are any. */
const storeEvery = 1000;

/** A stream is renewed after an hour or 256 MiB: browsers were seen to keep what a stream has brought. */
const longest = 60 * 60 * 1000, largest = 256 << 20;

/** How a connection ended. Without an error another one is wanted at once. */
interface End {
  error?: unknown;
  /** What the daemon asks to wait, in milliseconds. */
  askedMs: number;
  /** The error may not come again. */
  isPassing: boolean;
}

const again: End = { askedMs: 0, isPassing: true };

/** Keeps the sessions of a mirror over one stream after another. */
export class Runner {
  readonly #wire: Wire;
  readonly #sessions: Sessions;
  readonly #select: StreamRequest['select'];
  readonly #signal: AbortSignal;
  readonly #news = new Bell();
  readonly #asked = new Map<string, { from: { since?: Cursor } | undefined; done: (() => void)[] }>(); // to be followed, or not any more, from the next step on
  #isWoken = false;
  #wakeUp = new AbortController(); // ends a wait

  constructor(wire: Wire, sessions: Sessions, select: StreamRequest['select'], signal: AbortSignal) {
    this.#wire = wire;
    this.#sessions = sessions;
    this.#select = select;
    this.#signal = signal;
  }

  /** Runs until the signal is aborted, or the daemon refuses the stream. */
  async run(): Promise<void> {
    const ring = (): void => this.#news.ring();
    this.#signal.addEventListener('abort', ring);
    try {
      if (!this.#sessions.isAsked) {
        await this.#sessions.openCached();
      }
      for (let fails = 0; ; ) {
        const began = this.#wire.clock.now();
        await this.#answer();
        const end = await this.#connect();
        this.#signal.throwIfAborted();
        if (end.error === undefined) {
          continue;
        }
        if (!end.isPassing) {
          throw end.error;
        }
        fails = this.#wire.clock.now() - began >= quiet ? 1 : fails + 1;
        await this.#pause(backoff(fails, end.askedMs, this.#wire.clock.random()));
        await this.#sessions.all({ type: 'wake' });
      }
    } finally {
      this.#signal.removeEventListener('abort', ring);
      await this.#sessions.closeAll();
    }
  }

  /** A network is there again, or somebody looks: what waits is tried now. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp.abort();
    this.#news.ring();
  }

  /** Has a session followed, or not any more, and resolves when that is so. */
  ask(id: string, from: { since?: Cursor } | undefined): Promise<void> {
    const before = this.#asked.get(id)?.done ?? [];
    return new Promise((done) => {
      this.#asked.set(id, { from, done: [...before, done] });
      this.#news.ring();
    });
  }

  /** Does what was asked for. It is done between two steps, so that a stream has all that it was opened for. */
  async #answer(): Promise<void> {
    for (const [id, { from, done }] of this.#asked) {
      this.#asked.delete(id);
      await this.#sessions.ask(id, from);
      done.forEach((tell) => tell());
    }
  }

  /** Waits, and does meanwhile what is asked for: what the cache has of a session can be read without the daemon. */
  async #pause(ms: number): Promise<void> {
    this.#wakeUp = new AbortController();
    await this.#until(pause(this.#wire.clock, ms, AbortSignal.any([this.#signal, this.#wakeUp.signal])), () => false);
    this.#signal.throwIfAborted();
  }

  /** Answers until something is over, or until there is no point in waiting for it. */
  async #until(something: Promise<unknown>, isPointless: () => boolean): Promise<void> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
      this.#news.ring();
    };
    something.then(over, over);
    while (!isOver && !isPointless()) {
      await this.#news.heard();
      await this.#answer();
    }
  }

  /** Opens one stream and reads it to its end. */
  async #connect(): Promise<End> {
    let connection: Connection;
    const cut = new AbortController();
    this.#sessions.mustReopen = false;
    const opening = Connection.open(this.#wire, streamCall(this.#want()), AbortSignal.any([this.#signal, cut.signal]));
    await this.#until(opening, () => this.#sessions.mustReopen);
    if (this.#sessions.mustReopen) { // a session was asked for that this stream would not have
      cut.abort(again);
      opening.then((late) => late.close(), () => undefined);
      return again;
    }
    try {
      connection = await opening;
    } catch (error) {
      await this.#sessions.all({ type: 'lost' });
      return { error, askedMs: 0, isPassing: isPassing(error) };
    }
    try {
      if (!connection.response.ok) {
        return await this.#refused(connection);
      }
      await this.#sessions.joinAll();
      const end = await this.#read(connection);
      await this.#sessions.all({ type: end.error === undefined ? 'renew' : 'lost' });
      this.#sessions.partAll();
      return end;
    } finally {
      connection.close();
    }
  }

  /** The request for a stream that goes on where everything is. */
  #want(): StreamRequest {
    const positions = [...this.#sessions.kept.values()].filter(({ machine }) => machine.phase === 'connecting' || machine.phase === 'over');
    return { select: this.#select ?? {}, roster: true, ...(this.#sessions.isAsked ? { begin: 'newest' as const } : {}), sessions: Object.fromEntries(positions.map(({ id, machine }) => [id, formatCursor(machine.at)])) };
  }

  /** Any answer but a stream. */
  async #refused(connection: Connection): Promise<End> {
    const { response } = connection;
    const { status } = response;
    const askedMs = retryAfterOf(response);
    const error = await connection.problem();
    const isLater = status === 429 || status >= 500;
    const input: Input = isLater || status === 401 || status === 403 ? { type: 'answer', status, retryAfterMs: askedMs } : { type: 'lost' };
    await this.#sessions.all(input);
    return { error, askedMs, isPassing: isLater };
  }

  /** Takes what a stream brings, and stores now and then, until the stream ends or another one is wanted. */
  async #read(connection: Connection): Promise<End> {
    const { clock } = this.#wire;
    const frames = new MergedReader(), began = clock.now();
    let total = 0, items = 0, isTime = false;
    let part: { bytes?: Uint8Array; error?: unknown } | undefined;
    const next = (): void => {
      part = undefined;
      const come = (got: typeof part): void => {
        part = got;
        this.#news.ring();
      };
      connection.next().then((bytes) => come(bytes === undefined ? {} : { bytes }), (error: unknown) => come({ error }));
    };
    const tick = (): void => {
      isTime = true;
      cancel = clock.after(storeEvery, tick);
      this.#news.ring();
    };
    let cancel = clock.after(storeEvery, tick);
    next();
    try {
      while (!this.#sessions.mustReopen && total < largest && clock.now() - began < longest) {
        await this.#news.heard();
        this.#signal.throwIfAborted();
        await this.#answer();
        if (part !== undefined) {
          const { bytes, error } = part as { bytes?: Uint8Array; error?: unknown };
          if (bytes === undefined) {
            const askedMs = items === 0 ? frames.retryMs : 0;
            return { error: error ?? new Unreachable(this.#wire.where, true, new Error('the daemon ended the stream')), askedMs, isPassing: true };
          }
          total += bytes.length;
          for (const item of frames.push(bytes)) {
            items++;
            await this.#sessions.take(item);
          }
          next();
        }
        if (isTime || this.#isWoken) {
          await this.#sessions.all({ type: 'tick' });
          await this.#sessions.retry(clock.now(), this.#isWoken);
          isTime = this.#isWoken = false;
        }
      }
      return again;
    } catch (error) {
      return { error, askedMs: 0, isPassing: isPassing(error) };
    } finally {
      cancel();
    }
  }
}
