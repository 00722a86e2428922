import { decodeState, encodeState, Fold, type Cursor } from 'ringmaster-protocol';
import type { CachedLine } from '../cache/index.ts';
import { Machine, type CacheEffect, type Effect, type Input, type Open, type Read } from '../sync/index.ts';
import { decodedEvent } from '../stream.ts';
import type { Change } from './change.ts';

/** Where a mirror stores lines. A Folder is one. */
export interface MirrorCache {
  /** The ids of the sessions of which something is stored. */
  sessions(): string[];
  /** Opens a session, and says what is stored of it. */
  open(id: string): Promise<{ session: MirrorCachedSession; found: Open }>;
}

/** What is stored of one session. The mirror closes it. */
export interface MirrorCachedSession {
  /** Carries out an effect on the cache. After the error of a store or a rewind the cache is as it was before. */
  do(effect: CacheEffect): Promise<void>;
  lines(read: Read): AsyncIterable<CachedLine>;
  /** Stores the state as of the last stored line, whose cursor is at, in place of the one before, and says how many bytes it has. It is a hint, and may fail. Absent: the cache keeps none. */
  saveState?(at: Cursor, state: string): Promise<number>;
  /** Gives the state of the checkpoint that open has found. */
  state?(): Promise<string>;
  close(): void;
}

/** What a session of a mirror needs of the mirror. */
export interface Around {
  /** Tells a change; a promise where that has to wait. */
  tell(change: Change): Promise<void> | undefined;
  /** Somebody reads changes. */
  isWanted(): boolean;
  /** The stream has to be opened anew, with another position. */
  reopen(): void;
  now(): number;
  random(): number;
}

/** One session of a mirror: its machine, and the shell that does what the machine says. */
export class Mirrored {
  readonly id: string;
  readonly machine = new Machine();
  /** The stream's frames are for this machine. */
  isJoined = false;
  /** When its wait is over; undefined: it has none. */
  due: number | undefined;
  /** Of the last line shown. */
  at: Cursor = { epoch: 1, seq: 0 };
  /** Absent: it is not wanted. */
  fold: Fold | undefined;
  readonly #cache: MirrorCachedSession | undefined;
  readonly #around: Around;

  constructor(id: string, cache: MirrorCachedSession | undefined, fold: boolean, around: Around) {
    this.id = id;
    this.#cache = cache;
    this.#around = around;
    this.fold = fold ? new Fold() : undefined;
  }

  /** Its state is folded, and the cache keeps it. */
  get keepsStates(): boolean {
    return this.fold !== undefined && this.#cache?.saveState !== undefined && this.#cache.state !== undefined;
  }

  /** Gives the machine an input, and carries out what it says. What comes of that is its next input. */
  async step(input: Input): Promise<void> {
    for (let next: Input | undefined = input; next !== undefined; ) {
      const effects: Effect[] = this.machine.step(next, this.#around.random());
      next = undefined;
      for (const effect of effects) {
        if ((effect.type === 'save' || effect.type === 'read') && next !== undefined) {
          continue; // its lines are not stored, or are not what the cache has
        }
        const done = this.#do(effect);
        if (done !== undefined) {
          next = (await done) ?? next;
        }
      }
    }
  }

  /** Ends it. What is shown and not stored is stored. */
  async close(): Promise<void> {
    await this.step({ type: 'close' });
    this.letGo();
  }

  /** Lets go of its cache. */
  letGo(): void {
    this.#cache?.close();
  }

  /** Carries out an effect; what comes of it, if anything, is what the machine has to know. */
  #do(e: Effect): Promise<Input | undefined | void> | undefined {
    switch (e.type) {
      case 'connect':
        this.isJoined = false;
        this.due = undefined;
        this.#around.reopen();
        return undefined;
      case 'disconnect':
        this.isJoined = false;
        return undefined;
      case 'wait':
        this.isJoined = false;
        this.due = this.#around.now() + e.ms;
        return undefined;
      case 'show':
        return this.#show(e.at, e.line);
      case 'forget':
        this.at = { epoch: 1, seq: 0 };
        this.fold &&= new Fold();
        return this.#around.tell({ type: 'reset', id: this.id });
      case 'tell':
        return this.#around.tell({ type: 'notice', id: this.id, notice: e.notice, ...(e.code === undefined ? {} : { code: e.code }) });
      case 'read':
        return this.#read(e);
      case 'save':
        return this.#save(e.at);
      default:
        return this.#store(e);
    }
  }

  /** Shows a line to states and readers. Whoever joins behind this has the line in the state. */
  #show(at: Cursor, line: string): Promise<void> | undefined {
    const isWanted = this.#around.isWanted();
    const decoded = isWanted || this.fold !== undefined ? decodedEvent(line) : {};
    this.at = at;
    if (this.fold !== undefined && decoded.event !== undefined) {
      this.fold.apply(decoded.event);
      this.fold.state.epoch = at.epoch;
    }
    return isWanted ? this.#around.tell({ type: 'line', id: this.id, at, line, ...decoded }) : undefined;
  }

  /** Shows what is stored, behind the state of the checkpoint where there is one. Without states nothing stands for the lines, and all of them are shown. */
  async #read(e: Read): Promise<Input | undefined> {
    const { epoch } = this.machine.at;
    try {
      if (e.from > 0 && this.fold !== undefined) {
        await this.#restore({ epoch, seq: e.after });
      }
      for await (const { event, line } of this.#cache!.lines(this.fold === undefined ? { type: 'read', from: 0, after: 0 } : e)) {
        await this.#show({ epoch, seq: event.seq }, line);
      }
      const { at } = this.machine; // a cache that does not know a rewind has done nothing for it
      return this.at.epoch === at.epoch && this.at.seq === at.seq ? undefined : { type: 'unreadable' };
    } catch {
      return { type: 'unreadable' };
    }
  }

  /** Shows the state of the checkpoint. */
  async #restore(at: Cursor): Promise<void> {
    const state = decodeState(await this.#cache!.state!());
    if (state.epoch !== at.epoch || state.seq > at.seq) { // it is lower where the last lines were such as this package cannot decode
      throw new Error(`a state at ${state.epoch}.${state.seq} stands for the lines up to ${at.epoch}.${at.seq}`);
    }
    this.fold = new Fold(state);
    this.at = at;
    await this.#around.tell({ type: 'restored', id: this.id, at });
  }

  /** Stores the state. One without an id is that of a log whose first lines are gone, and has no JSON. */
  async #save(at: Cursor): Promise<Input | undefined> {
    const isAt = this.at.epoch === at.epoch && this.at.seq === at.seq;
    if (!isAt || !this.keepsStates || this.fold!.state.sessionId === '') {
      return undefined;
    }
    try {
      return { type: 'saved', size: await this.#cache!.saveState!(at, encodeState(this.fold!.toJSON())) };
    } catch {
      return undefined;
    }
  }

  async #store(e: CacheEffect): Promise<Input | undefined> {
    try {
      await this.#cache?.do(e);
      return undefined;
    } catch {
      switch (e.type) {
        case 'store':
          return { type: 'store_failed' };
        case 'rewind':
          return { type: 'unreadable' };
        default:
          return undefined; // the other ones cost room, and nothing that is right
      }
    }
  }
}

/** The number of a line; 0: it is no event. It is read by itself: a line of another version would be asked for without end. */
export function seqOf(line: string): number {
  const found = /^\{"seq":([0-9]{1,16}),/.exec(line);
  const seq = found === null ? parsedSeq(line) : Number(found[1]);
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : 0;
}

function parsedSeq(line: string): unknown {
  try {
    return (JSON.parse(line) as { seq?: unknown } | null)?.seq;
  } catch {
    return 0;
  }
}
