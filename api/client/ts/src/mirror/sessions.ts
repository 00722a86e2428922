import { CursorError, parseCursor, type Cursor } from 'ringmaster-protocol';
import { UnexpectedAnswer } from '../errors.ts';
import type { StreamItem } from '../stream.ts';
import type { Input } from '../sync/index.ts';
import type { SessionGoneMessage, SessionOverflowMessage, SessionSummary } from '../types/index.ts';
import type { Change } from './change.ts';
import { Mirrored, seqOf, type Around, type MirrorCache } from './session.ts';

/** The sessions of a mirror, and the daemon's list of them. */
export class Sessions {
  readonly kept = new Map<string, Mirrored>();
  readonly roster = new Map<string, SessionSummary>();
  /** A machine wants another position than the stream has. */
  mustReopen = false;
  readonly #cache: MirrorCache | undefined;
  readonly #saveEvery: number | undefined; // of states; undefined: none are folded
  readonly #around: Around;
  readonly #tell: (change: Change) => Promise<void> | undefined;
  readonly #onSynced: () => void;
  /** Logs are kept of sessions that somebody has asked for alone. */
  readonly isAsked: boolean;
  #told: Set<string> | undefined; // by this stream's list; undefined: the list is whole

  constructor(
    cache: MirrorCache | undefined, saveEvery: number | undefined, around: Omit<Around, 'reopen'>, onSynced: () => void, isAsked: boolean,
  ) {
    this.#cache = cache;
    this.#saveEvery = saveEvery;
    this.#tell = around.tell;
    this.#around = { ...around, reopen: () => (this.mustReopen = true) };
    this.#onSynced = onSynced;
    this.isAsked = isAsked;
  }

  /** Begins with everything that is stored. */
  async openCached(): Promise<void> {
    for (const id of this.#cache?.sessions() ?? []) {
      await this.#open(id);
    }
  }

  /** Begins to keep a session, which wants another stream, or lets go of it. */
  async ask(id: string, from: { since?: Cursor } | undefined): Promise<void> {
    const k = this.kept.get(id);
    if (from !== undefined && k === undefined) {
      await this.#open(id, from.since);
    } else if (from === undefined && k !== undefined) {
      this.kept.delete(id);
      await k.close();
    }
  }

  /** A stream is open: the machines that have asked for something are in it. */
  async joinAll(): Promise<void> {
    this.mustReopen = false;
    this.#told = new Set();
    for (const k of this.kept.values()) {
      if (k.machine.phase === 'connecting') {
        k.isJoined = true;
        await k.step({ type: 'connected' });
      } else if (k.machine.phase === 'over' || k.machine.phase === 'aside') {
        k.isJoined = true;
      }
    }
  }

  /** The stream is over. */
  partAll(): void {
    for (const k of this.kept.values()) {
      k.isJoined = false;
    }
  }

  /** Gives an input to every machine. */
  async all(input: Input): Promise<void> {
    for (const k of this.kept.values()) {
      await k.step(input);
    }
  }

  /** Asks again for sessions whose wait is over, or for all that wait. */
  async retry(now: number, isWoken: boolean): Promise<void> {
    for (const k of this.kept.values()) {
      if (k.due !== undefined && (isWoken || now >= k.due)) {
        k.due = undefined;
        await k.step({ type: 'due' });
      }
    }
  }

  async closeAll(): Promise<void> {
    for (const k of this.kept.values()) {
      await k.close();
    }
  }

  /** Takes one thing that the stream says. */
  async take(item: StreamItem): Promise<void> {
    switch (item.type) {
      case 'event':
        return this.#give(item.sessionId, { type: 'frame', at: item.at, seq: seqOf(item.line), line: item.line });
      case 'session':
        return this.#listed(item.session);
      case 'roster_complete':
        return this.#complete();
      case 'session_gone':
        return this.#gone(item);
      case 'reset':
        return this.#give(item.sessionId, { type: 'reset', epoch: item.epoch, oldest: item.oldest, common: item.common ?? 0 });
      case 'over':
        return this.#give(item.sessionId, { type: 'over', at: cursorOf(item.cursor) });
      case 'refused':
        return this.#give(item.sessionId, { type: 'refused', code: item.code });
      case 'damage':
        return this.#give(item.sessionId, { type: 'damage' });
      case 'overflow':
        return this.#overflow(item);
      case 'heartbeat':
        return this.#heartbeat(item.at ?? {});
      default: // of a later version
        return undefined;
    }
  }

  async #overflow({ sessionId, ...overflow }: SessionOverflowMessage): Promise<void> {
    if (this.kept.get(sessionId)?.isJoined === true) {
      await this.#tell({ type: 'overflow', id: sessionId, overflow });
    }
  }

  /** Hands an input to the machine of a session, which is new where the stream tells of it first. */
  async #give(id: string, input: Input): Promise<void> {
    const k = this.kept.get(id) ?? (await this.#joinNew(id));
    if (k === undefined) {
      return;
    }
    if (k.isJoined) {
      await k.step(input);
    }
    if (k.machine.phase === 'gone') {
      k.letGo();
      this.kept.delete(id);
    }
  }

  /** A session that this stream has from its beginning. */
  async #joinNew(id: string): Promise<Mirrored | undefined> {
    if (this.isAsked || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
      return undefined;
    }
    const was = this.mustReopen;
    const k = await this.#open(id);
    this.mustReopen = was;
    k.isJoined = true;
    await k.step({ type: 'connected' });
    return k;
  }

  /** Begins to keep a session with what the cache has of it. */
  async #open(id: string, since?: Cursor): Promise<Mirrored> {
    const opened = await this.#cache?.open(id).catch(() => undefined);
    const k = new Mirrored(id, opened?.session, this.#saveEvery !== undefined, this.#around);
    this.kept.set(id, k);
    if (this.#cache !== undefined && opened === undefined) {
      await this.#tell({ type: 'notice', id, notice: 'uncached' });
    }
    const found = opened?.found;
    const none = { type: 'open', cached: false, file: { length: 0, whole: false, seq: 0, sum: 0 }, ...(since === undefined ? {} : { since }) } as const;
    await k.step(found === undefined ? none : { ...found, ...(k.keepsStates ? { saveEvery: this.#saveEvery! } : {}) });
    return k;
  }

  async #heartbeat(all: Record<string, string>): Promise<void> {
    for (const k of this.kept.values()) {
      if (k.isJoined) {
        const text = Object.hasOwn(all, k.id) ? all[k.id] : undefined;
        await k.step(text === undefined ? { type: 'heartbeat' } : { type: 'heartbeat', at: cursorOf(text) });
      }
    }
  }

  async #listed(session: SessionSummary): Promise<void> {
    this.roster.set(session.id, session);
    this.#told?.add(session.id);
    await this.#tell({ type: 'session', id: session.id, session });
  }

  /** Ends the list: what it did not tell of went away while nobody looked. */
  async #complete(): Promise<void> {
    const told = this.#told;
    this.#told = undefined;
    const gone = told === undefined ? [] : [...this.roster.keys()].filter((id) => !told.has(id));
    for (const id of gone) {
      this.roster.delete(id);
    }
    this.#onSynced();
    for (const id of gone) {
      await this.#tell({ type: 'gone', id });
    }
  }

  async #gone({ sessionId, reason }: SessionGoneMessage): Promise<void> {
    if (this.kept.has(sessionId)) {
      await this.#give(sessionId, { type: 'gone', reason });
    }
    const was = this.roster.delete(sessionId);
    if (was || reason === 'not_found') {
      await this.#tell({ type: 'gone', id: sessionId });
    }
  }
}

function cursorOf(text: string): Cursor {
  try {
    return parseCursor(text);
  } catch (cause) {
    throw cause instanceof CursorError ? new UnexpectedAnswer(`the daemon's stream: ${cause.message}`, { cause }) : cause;
  }
}
