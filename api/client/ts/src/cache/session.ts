import { decodeEvent, foldVersion, LineError, LineReader, type Cursor, type LogEvent } from 'ringmaster-protocol';
import type { CacheEffect, Open, Read, Rewind, Store } from '../sync/index.ts';
import { crc32 } from './crc32.ts';
import { CacheError } from './errors.ts';
import { pieces, reading, type Source } from './files.ts';
import { indexSuffix, linesSuffix, stateSuffix, type Disk } from './disk.ts';
import { beginningOf, checkpointOf, measure, stateOf } from './look.ts';
import { encodeSlot, newestSlot, noSlot, slotSize, type Slot } from './slot.ts';

/** A stored line. */
export interface CachedLine {
  event: LogEvent;
  /** Without the newline. */
  line: string;
}

/** What is stored of one session. Its methods are called one after another; several sessions do not disturb each other. */
export class CachedSession {
  readonly id: string;
  readonly #disk: Disk;
  readonly #onClose: () => void;
  #newest: Slot = noSlot; // what counts now
  #place = 0; // of newest in the index
  #last = 0; // generation of the slot that was written last
  #stuck: unknown; // a drop that failed: nothing may be stored over what is still there
  #isClosed = false;

  /** @internal */
  constructor(disk: Disk, id: string, onClose: () => void) {
    this.#disk = disk;
    this.id = id;
    this.#onClose = onClose;
  }

  /** Measures what is stored of the session, and decides nothing. @internal */
  async look(): Promise<Open> {
    const index = await this.#reading(indexSuffix, (source) => source.read(0, 2 * slotSize));
    const found: Open = { type: 'open', cached: true, file: { length: 0, whole: false, seq: 0, sum: 0 } };
    const counts = index === undefined ? undefined : newestSlot(index);
    if (counts !== undefined) {
      const { epoch, seq, length, sum, generation } = counts.slot;
      this.#newest = counts.slot;
      this.#place = counts.place;
      this.#last = generation;
      found.index = { epoch, seq, length, sum };
    }
    await this.#reading(linesSuffix, async (source) => {
      found.file.length = source.size;
      if (counts !== undefined && source.size >= counts.slot.length) {
        found.file = await measure(source, counts.slot.length);
      }
    });
    const checkpoint = await this.#reading(stateSuffix, checkpointOf);
    return checkpoint === undefined ? found : { ...found, checkpoint };
  }

  /**
   * Carries out an effect on the cache; a read is for lines and a save for saveState, and nothing is done for them. An error of a store is the machine's input store_failed, and one of a rewind its unreadable: the cache is as it was
   * before. After a drop that failed the cache takes no lines until one succeeds. The other errors are for a log: they cost room, and nothing that is right.
   */
  async do(effect: CacheEffect): Promise<void> {
    switch (effect.type) {
      case 'store':
        return this.#store(effect);
      case 'cut':
        return this.#disk.cut(this.id + linesSuffix, effect.length);
      case 'rewind':
        return this.#rewind(effect);
      case 'drop':
        return this.#drop();
      case 'drop_checkpoint':
        return this.#disk.remove(this.id + stateSuffix);
      case 'evict':
        return this.#disk.evict();
      case 'read':
      case 'save':
        return;
    }
  }

  /** Goes through the stored lines that a read is about, up to the last one or the first error. Any error is the machine's input unreadable. */
  async *lines(read: Read): AsyncGenerator<CachedLine, void, undefined> {
    const source = await this.#disk.files.open(this.id + linesSuffix);
    if (source === undefined) {
      throw new CacheError('unreadable', 'there are no lines');
    }
    let last = read.after;
    try {
      const reader = new LineReader();
      for await (const bytes of pieces(source, read.from, this.#newest.length)) {
        for (const line of reader.push(bytes)) {
          const event = decoded(line);
          if (last > 0 && event.event.seq !== last + 1) {
            throw new CacheError('unreadable', `the number ${event.event.seq} stands behind ${last}`);
          }
          last = event.event.seq;
          yield event;
        }
      }
      const torn = reader.end();
      if (torn !== undefined) {
        throw new CacheError('unreadable', torn.message, torn);
      }
    } finally {
      await source.close();
    }
    if (last !== this.#newest.seq) {
      throw new CacheError('unreadable', `the lines end with the number ${last}, not with ${this.#newest.seq}`);
    }
  }

  /**
   * Does what a save says: stores the state of the session as of its last stored line, which has to be the one at the cursor, as a hint for the next open. The answer is how many bytes it has. After an
   * error there is the state before, or none.
   */
  async saveState(at: Cursor, state: string): Promise<number> {
    this.#check();
    const { epoch, seq } = this.#newest;
    if (at.epoch !== epoch || at.seq !== seq) {
      throw new Error(`cache: a state at ${at.epoch}.${at.seq}, and the lines end at ${epoch}.${seq}`);
    }
    const text = new TextEncoder().encode(state);
    const head = encodeSlot({ ...this.#newest, generation: foldVersion, sum: crc32(text) });
    const bytes = new Uint8Array(slotSize + text.length);
    bytes.set(head);
    bytes.set(text, slotSize);
    const name = this.id + stateSuffix;
    try {
      await this.#disk.write(name, 0, bytes, false);
      await this.#disk.cut(name, bytes.length);
    } catch (problem) {
      if (!(problem instanceof CacheError && problem.problem === 'full')) { // there the one before is as it was
        await this.#disk.remove(name).catch(() => undefined); // gives back the room
      }
      throw problem;
    }
    return text.length;
  }

  /** Gives the state of the checkpoint: of the one that was found, or that saveState has stored since. */
  async state(): Promise<string> {
    const bytes = await this.#reading(stateSuffix, stateOf);
    if (bytes === undefined) {
      throw new CacheError('unreadable', 'there is no checkpoint');
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  }

  /** The number of the last line that is stored; 0: nothing is. */
  get seq(): number {
    return this.#newest.seq;
  }

  /** Lets go of the session. */
  close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#onClose();
    }
  }

  /** Writes lines, then the slot that speaks of them. */
  async #store(e: Store): Promise<void> {
    this.#check();
    const bytes = new TextEncoder().encode(e.lines.map((line) => `${line}\n`).join(''));
    const from = this.#newest.length;
    const next: Slot = { generation: this.#last + 1, epoch: e.at.epoch, seq: e.at.seq, length: from + bytes.length, sum: crc32(bytes, this.#newest.sum) };
    try {
      await this.#disk.write(this.id + linesSuffix, from, bytes, this.#disk.flush);
    } catch (problem) {
      await this.#disk.cut(this.id + linesSuffix, from).catch(() => undefined); // gives back the room; what lies behind the index does not count either way
      throw problem;
    }
    await this.#speakOf(next);
  }

  /** Writes the slot that is not the newest. While that one is being written the other one counts. */
  async #speakOf(next: Slot): Promise<void> {
    const place = 1 - this.#place;
    await this.#disk.write(this.id + indexSuffix, place * slotSize, encodeSlot(next), false);
    this.#newest = next;
    this.#place = place;
    this.#last = next.generation;
  }

  /**
   * Writes a slot that speaks of the beginning of the lines alone, and then cuts them. What ends the program between the two leaves a file that is longer than its index says, which the next open cuts.
   */
  async #rewind({ at }: Rewind): Promise<void> {
    this.#check();
    const beginning = await this.#reading(linesSuffix, (source) => beginningOf(source, this.#newest, at.seq));
    if (beginning === undefined) {
      throw new CacheError('unreadable', `there is no line ${at.seq}, or the lines are not as they were written`);
    }
    await this.#speakOf({ generation: this.#last + 1, ...at, ...beginning });
    await this.#disk.cut(this.id + linesSuffix, beginning.length).catch(() => undefined); // gives back the room; what lies behind the index does not count either way
  }

  /** Takes everything away. The numbers of slots go on, so that an older slot never counts against a newer one. */
  async #drop(): Promise<void> {
    if (this.#isClosed) {
      this.#check();
    }
    this.#newest = noSlot;
    this.#place = 0;
    this.#stuck = undefined;
    try {
      await this.#disk.removeSession(this.id);
    } catch (problem) {
      this.#stuck = problem;
      throw problem;
    }
  }

  #check(): void {
    if (this.#isClosed) {
      throw new CacheError('closed', 'the session was closed');
    }
    if (this.#stuck !== undefined) {
      throw this.#stuck;
    }
  }

  #reading<T>(suffix: string, look: (source: Source) => Promise<T>): Promise<T | undefined> {
    return reading(this.#disk.files, this.id + suffix, look);
  }
}

function decoded(line: { text: string } | LineError): CachedLine {
  if (line instanceof LineError) {
    throw new CacheError('unreadable', line.message, line);
  }
  try {
    return { event: decodeEvent(line.text), line: line.text };
  } catch (cause) {
    throw new CacheError('unreadable', 'a line is no event', cause);
  }
}
