import type { Cursor } from 'ringmaster-protocol';
import { Batch } from './batch.ts';
import type { Effect } from './effect.ts';
import { Hint } from './hint.ts';
import { isOf, isSound, type Open } from './input.ts';
import { nowhere, start } from './position.ts';

/** How many bytes of lines are shown at most before they are stored without a tick. */
export const storeBytes = 64 << 10;

/** What is shown of a session and what is stored of it, as far as the machine has to know. */
export class Kept {
  /** Of the last line that was shown, or where the log was asked for. */
  at: Cursor = start;
  #from = 0; // nothing up to here is shown or stored, as far as that is known
  #cached = false;
  #pending = new Batch(); // shown, and not yet given to the cache
  #given = new Batch(); // given to the cache by the last step, in case that fails
  #evicted = false; // room was made for given
  #hint = new Hint(0); // the checkpoint
  #wasHinted = false; // the last step has read behind it
  readonly #emit: (effect: Effect) => void;

  constructor(emit: (effect: Effect) => void) {
    this.#emit = emit;
  }

  /** What is shown is stored, now or with the next store. */
  get cached(): boolean {
    return this.#cached;
  }

  /** Begins a step. All that the last one has said was done, or its store was not. */
  begin(isDone: boolean): void {
    this.#wasHinted = this.#hint.isUsed;
    this.#hint.isUsed = false;
    if (!isDone) {
      return;
    }
    this.#hint.isAsked = false;
    if (!this.#given.isEmpty) {
      this.#given = new Batch();
      this.#evicted = false;
    }
  }

  /** Begins with what was found. */
  open(o: Open): void {
    this.at = start;
    this.#from = 0;
    this.#cached = o.cached;
    this.#pending = new Batch();
    this.#hint = new Hint(o.saveEvery ?? 0);
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
    this.#hint.behind(index.seq, index.length);
    if (o.checkpoint !== undefined) {
      if (isOf(o.checkpoint, index)) {
        from = o.checkpoint.length;
        after = o.checkpoint.seq;
        this.#hint.behind(index.seq - after, index.length - from);
        this.#hint.size = o.checkpoint.size;
        this.#hint.isUsed = true;
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
    this.#hint.add(this.#given);
    if (this.#hint.isDue) {
      this.#emit(this.#hint.ask(this.at));
    }
  }

  /** Stores what there is, and the state with it, where no more lines are to come for now. */
  leave(): void {
    this.store();
    if (this.#cached && this.#hint.isWorthwhile) {
      this.#emit(this.#hint.ask(this.at));
    }
  }

  /** A state was stored. */
  saved(size: number): void {
    this.#hint.size = size;
  }

  /** Reads without the checkpoint that the last step has read behind; false: it has not. */
  readAnew(): boolean {
    if (!this.#wasHinted) {
      return false;
    }
    this.#hint.drop();
    this.#hint.behind(this.at.seq, 0);
    this.#emit({ type: 'forget' });
    this.#emit({ type: 'drop_checkpoint' });
    this.#emit({ type: 'read', from: 0, after: 0 });
    return true;
  }

  /** Makes room and tries again, first at the cost of the own checkpoint, then of other sessions; then the session goes on without a cache. */
  storeFailed(): void {
    if (this.#given.isEmpty) {
      return;
    }
    if (this.#hint.size > 0) {
      this.#hint.drop();
      this.#emit({ type: 'drop_checkpoint' });
      this.#emit(this.#given.store);
      return;
    }
    if (!this.#evicted) {
      this.#evicted = true;
      this.#emit({ type: 'evict' });
      this.#emit(this.#given.store);
      if (this.#hint.isAsked) {
        this.#emit(this.#hint.ask(this.at));
      }
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
    this.#from = at.seq;
    this.#pending = new Batch();
    this.#hint.drop();
    if (this.#cached) {
      this.#emit({ type: 'drop' });
    }
    this.#emit({ type: 'forget' });
  }

  /**
   * Goes back to the last stored line that is of the server's log too, and takes up the position behind it, in the epoch that the log has now. It is false where there is no such line, or where the log
   * goes on behind a gap. Lines that are not stored yet are not worth it: they come again.
   */
  rewind(epoch: number, oldest: number, common: number): boolean {
    const { at } = this;
    if (!this.#cached || at.seq === nowhere || epoch <= at.epoch || common >= at.seq) {
      return false;
    }
    const last = Math.min(common, at.seq - this.#pending.count);
    if (last <= this.#from || last + 1 < oldest) {
      return false;
    }
    if (this.#hint.size > 0) {
      this.#emit({ type: 'drop_checkpoint' }); // it is of the epoch before, and may stand for lines that are lost
    }
    this.at = { epoch, seq: last };
    this.#pending = new Batch();
    this.#hint.drop();
    this.#hint.behind(last, 0);
    this.#emit({ type: 'rewind', at: this.at });
    this.#emit({ type: 'forget' });
    this.#emit({ type: 'read', from: 0, after: 0 });
    return true;
  }
}
