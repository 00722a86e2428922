import type { Cursor } from 'ringmaster-protocol';
import type { Batch } from './batch.ts';
import type { Save } from './effect.ts';

/** The saveEvery of an open that is good for most: folding so many lines again takes some tens of milliseconds. */
export const saveEvery = 5000;

/** The part of a state that the lines behind it must come to before a session that is left has it written again. */
const worthwhileShare = 8;

/**
 * What is known of the checkpoint, the state that stands for the lines before it. One that is written again and again would cost more than the log does once it is large, so the lines behind it
 * have to outweigh it first: then states cost about as many bytes as lines, however long the log becomes.
 */
export class Hint {
  /** Bytes of the last state that was written; 0: there is none. */
  size = 0;
  /** By the last step. */
  isAsked = false;
  /** By the read of the last step. */
  isUsed = false;
  readonly #every: number; // lines between two, at least; 0: none is wanted
  #lines = 0; // stored behind it, at most
  #bytes = 0; // of these

  constructor(every: number) {
    this.#every = every;
  }

  /** Counts lines that are given to the cache. */
  add(batch: Batch): void {
    this.behind(this.#lines + batch.count, this.#bytes + batch.bytes);
  }

  behind(lines: number, bytes: number): void {
    this.#lines = lines;
    this.#bytes = bytes;
  }

  /** The lines behind the checkpoint are many and outweigh it. */
  get isDue(): boolean {
    return this.#every > 0 && this.#lines >= this.#every && this.#bytes >= this.size;
  }

  /** The same where no more lines are to come for now. */
  get isWorthwhile(): boolean {
    return this.#every > 0 && this.#lines > 0 && this.#bytes >= Math.floor(this.size / worthwhileShare);
  }

  /** Has a state written. Should that fail, it is not tried again before its time. */
  ask(at: Cursor): Save {
    this.behind(0, 0);
    this.isAsked = true;
    return { type: 'save', at };
  }

  /** There is no checkpoint, and no line that it could stand for. */
  drop(): void {
    this.behind(0, 0);
    this.size = 0;
    this.isAsked = this.isUsed = false;
  }
}
