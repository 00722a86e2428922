import type { Entry, Files, Source } from '../../src/cache/index.ts';
import type { Random } from './kit.ts';

/** A change that was not flushed. */
type Change = { kind: 'write'; at: number; bytes: Uint8Array } | { kind: 'cut'; at: number } | { kind: 'remove' };

/** A folder of files in memory. It ends the process that uses it in the middle of a change, is full, loses what was not flushed, and rots, where a test wants it. */
export class BadDisk implements Files {
  now = new Map<string, Uint8Array>();
  /** Changes until the process ends; below 0: never. */
  fuse = -1;
  isDead = false;
  /** Bytes of all files; 0: no limit. */
  limit = 0;
  readonly #safe = new Map<string, Uint8Array>(); // what was flushed
  readonly #loose = new Map<string, Change[]>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  async write(name: string, at: number, bytes: Uint8Array, flush: boolean): Promise<void> {
    const length = this.now.get(name)?.length ?? 0;
    const free = this.limit - this.#sum();
    let fits = bytes.length;
    if (this.limit > 0 && Math.max(0, at + bytes.length - length) > free) {
      fits = Math.max(0, Math.min(bytes.length, length + free - at));
    }
    this.#do(name, { kind: 'write', at, bytes: bytes.slice(0, fits) });
    if (fits < bytes.length) {
      throw new Error('no space left on device');
    }
    if (flush) {
      this.#safe.set(name, this.now.get(name)!);
      this.#loose.delete(name);
    }
  }

  async cut(name: string, size: number): Promise<void> {
    if (!this.now.has(name)) {
      throw new Error('no such file');
    }
    this.#do(name, { kind: 'cut', at: size });
  }

  async open(name: string): Promise<Source | undefined> {
    this.#alive();
    const bytes = this.now.get(name);
    return bytes && { size: bytes.length, read: async (at, length) => bytes.slice(at, at + length), close: async () => undefined };
  }

  async remove(name: string): Promise<void> {
    if (this.now.has(name)) {
      this.#do(name, { kind: 'remove' });
    }
  }

  async touch(): Promise<void> {
    // which session was used last is no matter here
  }

  async list(): Promise<Entry[]> {
    return [...this.now].map(([name, bytes]) => ({ name, size: bytes.length, used: 0 }));
  }

  async close(): Promise<void> {
    // it has no lock
  }

  /** Begins the next process on what the last one left. */
  restart(): void {
    this.isDead = false;
    this.fuse = -1;
  }

  /** Keeps of each change that was not flushed all, nothing or a part, and a part may be zeros. */
  powerLoss(): void {
    for (const [name, changes] of this.#loose) {
      let bytes = this.#safe.get(name);
      for (let change of changes) {
        const luck = this.#random.below(4);
        if (luck === 0) {
          continue;
        }
        if (change.kind === 'write' && luck < 3) {
          change = { ...change, bytes: luck === 1 ? change.bytes.slice(0, this.#random.below(change.bytes.length + 1)) : new Uint8Array(change.bytes.length) };
        }
        bytes = changed(bytes, change);
      }
      set(this.now, name, bytes);
      set(this.#safe, name, bytes);
    }
    this.#loose.clear();
    this.restart();
  }

  /** Turns one bit of one file over. */
  flip(): void {
    for (const [name, bytes] of this.now) {
      if (bytes.length > 0 && this.#random.below(2) === 0) {
        const copy = bytes.slice();
        copy[this.#random.below(copy.length)]! ^= 1 << this.#random.below(8);
        this.now.set(name, copy);
        this.#safe.set(name, copy);
        this.#loose.delete(name);
        return;
      }
    }
  }

  #do(name: string, change: Change): void {
    this.#alive();
    if (this.fuse === 0) {
      this.isDead = true;
      if (change.kind === 'write') {
        change = { ...change, bytes: change.bytes.slice(0, this.#random.below(change.bytes.length + 1)) };
      } else if (this.#random.below(2) === 0) {
        this.#alive();
      }
    }
    this.fuse--;
    set(this.now, name, changed(this.now.get(name), change));
    const changes = this.#loose.get(name) ?? [];
    changes.push(change);
    this.#loose.set(name, changes);
    this.#alive();
  }

  #alive(): void {
    if (this.isDead) {
      throw new Error('the process has ended');
    }
  }

  #sum(): number {
    return [...this.now.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  }
}

/** A change made on a copy; undefined: there is no file. */
function changed(bytes: Uint8Array | undefined, change: Change): Uint8Array | undefined {
  switch (change.kind) {
    case 'remove':
      return undefined;
    case 'cut':
      return (bytes ?? new Uint8Array()).slice(0, change.at);
    case 'write': {
      const into = new Uint8Array(Math.max(bytes?.length ?? 0, change.at + change.bytes.length));
      into.set(bytes ?? []);
      into.set(change.bytes, change.at);
      return into;
    }
  }
}

function set(files: Map<string, Uint8Array>, name: string, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) {
    files.delete(name);
  } else {
    files.set(name, bytes);
  }
}
