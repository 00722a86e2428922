import { Bell } from './bell.ts';
import { sizeOf, type Change } from './change.ts';

/** Bounds the changes that wait for the slowest reader, in characters of lines and 100 for each. */
export const maxFeed = 4 << 20;

/** A reader of a feed. */
export interface Reader {
  /** The number of the next change that it gets. */
  at: number;
  readonly news: Bell;
}

/**
 * Hands changes on to readers, each of which has a position. A reader that is slow holds up the mirror, and the mirror its stream: the daemon's log is the queue, so that nothing is lost and memory
 * stays bounded.
 */
export class Feed {
  readonly #readers = new Set<Reader>();
  #list: Change[] = [];
  #first = 0; // the number of list[0]
  #size = 0;
  #room: (() => void)[] = [];
  #end: { error: unknown } | undefined;

  get isWanted(): boolean {
    return this.#readers.size > 0;
  }

  /** Why there will be no more changes; undefined: there may be. */
  get end(): { error: unknown } | undefined {
    return this.#end;
  }

  /** Adds a change; undefined: it is done. Where the queue is full it waits until the slowest reader has taken something, or the signal is aborted. Without readers the change is forgotten. */
  put(change: Change, signal: AbortSignal): Promise<void> | undefined {
    if (this.#isFull(change)) {
      return this.#putLater(change, signal);
    }
    this.#add(change);
    return undefined;
  }

  async #putLater(change: Change, signal: AbortSignal): Promise<void> {
    const wake = (): void => this.#wakeAll();
    signal.addEventListener('abort', wake);
    while (this.#isFull(change) && !signal.aborted) {
      await new Promise<void>((ring) => this.#room.push(ring));
    }
    signal.removeEventListener('abort', wake);
    if (signal.aborted) {
      return;
    }
    this.#add(change);
  }

  join(): Reader {
    const reader = { at: this.#first + this.#list.length, news: new Bell() };
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
    this.#trim();
  }

  /** Gives what follows a reader's position. */
  take(reader: Reader): Change[] {
    const list = this.#list.slice(reader.at - this.#first);
    reader.at = this.#first + this.#list.length;
    this.#trim();
    return list;
  }

  /** There will be no more. */
  close(error: unknown): void {
    this.#end = { error };
    this.#ring();
  }

  #isFull(change: Change): boolean {
    return this.#readers.size > 0 && this.#list.length > 0 && this.#size + sizeOf(change) > maxFeed;
  }

  #add(change: Change): void {
    if (this.#readers.size > 0) {
      this.#list.push(change);
      this.#size += sizeOf(change);
      this.#ring();
    }
  }

  /** Lets go of what every reader has had. */
  #trim(): void {
    let least = this.#first + this.#list.length;
    for (const { at } of this.#readers) {
      least = Math.min(least, at);
    }
    if (least > this.#first) {
      for (const change of this.#list.splice(0, least - this.#first)) {
        this.#size -= sizeOf(change);
      }
      this.#first = least;
    }
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = this.#room;
    this.#room = [];
    waiting.forEach((ring) => ring());
  }

  #ring(): void {
    for (const { news } of this.#readers) {
      news.ring();
    }
  }
}
