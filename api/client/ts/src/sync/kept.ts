import type { Cursor } from 'ringmaster-protocol';
import { Batch } from './batch.ts';
import type { Effect } from './effect.ts';
import { isOf, isSound, type Open } from './input.ts';

/** How many bytes of lines are shown at most before they are stored without a tick. */
export const storeBytes = 64 << 10;

/** The position before the first event. */
export const start: Cursor = { epoch: 1, seq: 0 };

/** What is shown of a session and what is stored of it, as far as the machine has to know. */
export class Kept {
  /** Of the last line that was shown, or where the log was asked for. */
  at: Cursor = start;
  #cached = false;
  #pending = new Batch(); // shown, and not yet given to the cache
  #given = new Batch(); // given to the cache by the last step, in case that fails
  #evicted = false; // room was made for given
  readonly #emit: (effect: Effect) => void;

  constructor(emit: (effect: Effect) => void) {
    this.#emit = emit;
  }

  /** What is shown is stored, now or with the next store. */
  get cached(): boolean {
    return this.#cached;
  }

  /** What the last step gave away was taken. */
  stored(): void {
    if (!this.#given.isEmpty) {
      this.#given = new Batch();
      this.#evicted = false;
    }
  }

  /** Begins with what was found. */
  open(o: Open): void {
    this.at = start;
    this.#cached = o.cached;
    this.#pending = new Batch();
    if (!o.cached) {
      if (o.since !== undefined && o.since.seq > 0) {
        this.at = o.since;
      }
    } else if (isSound(o)) {
      this.#resume(o);
    } else if (o.index !== undefined) {
      this.#emit({ type: 'drop' });
      this.#emit({ type: 'tell', notice: 'cache_dropped' });
    } else if (o.file.length > 0 || o.checkpoint !== undefined) {
      this.#emit({ type: 'drop' });
    }
  }

  /** Goes on from what the cache has. */
  #resume(o: Open): void {
    const index = o.index!;
    if (o.file.length > index.length) {
      this.#emit({ type: 'cut', length: index.length });
    }
    let from = 0, after = 0;
    if (o.checkpoint !== undefined) {
      if (isOf(o.checkpoint, index)) {
        from = o.checkpoint.length;
        after = o.checkpoint.seq;
      } else {
        this.#emit({ type: 'drop_checkpoint' });
      }
    }
    this.#emit({ type: 'read', from, after });
    this.at = { epoch: index.epoch, seq: index.seq };
  }

  /** Shows the line that follows. */
  show(at: Cursor, line: string): void {
    this.at = at;
    this.#emit({ type: 'show', at, line });
    if (!this.#cached) {
      return;
    }
    this.#pending.add(at, line);
    if (this.#pending.bytes >= storeBytes) {
      this.store();
    }
  }

  /** Gives the cache what was shown since the last time. */
  store(): void {
    if (this.#pending.isEmpty) {
      return;
    }
    this.#given = this.#pending;
    this.#pending = new Batch();
    this.#emit(this.#given.store);
  }

  /** Makes room and tries once more; then the session goes on without a cache. */
  storeFailed(): void {
    if (this.#given.isEmpty) {
      return;
    }
    if (!this.#evicted) {
      this.#evicted = true;
      this.#emit({ type: 'evict' });
      this.#emit(this.#given.store);
      return;
    }
    this.#cached = false;
    this.#given = new Batch();
    this.#pending = new Batch();
    this.#emit({ type: 'drop' });
    this.#emit({ type: 'tell', notice: 'uncached' });
  }

  /** Forgets the session, shown and stored, and takes up another position. */
  drop(at: Cursor): void {
    this.at = at;
    this.#pending = new Batch();
    if (this.#cached) {
      this.#emit({ type: 'drop' });
    }
    this.#emit({ type: 'forget' });
  }
}
