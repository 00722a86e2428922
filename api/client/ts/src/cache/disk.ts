import { CacheError } from './errors.ts';
import type { Files } from './files.ts';

/** What the names of a session's files end in, behind its id. */
export const linesSuffix = '.ndjson', indexSuffix = '.index', stateSuffix = '.state';

/** Options of a Folder. */
export interface FolderOptions {
  /** Bytes of all files together; absent: 512 MiB. */
  budget?: number;
  /** Lines are synced to the disk before the index speaks of them. */
  flush?: boolean;
  /** Is told which session had to make room. */
  evicted?: (id: string) => void;
}

/** Of a budget, a fraction or so many bytes are freed at once when room is needed. */
const defaultBudget = 512 << 20, freedAtOnce = 64 << 20, freedFraction = 8;

/** The files of a cache within their budget, and the sessions among them that are open. */
export class Disk {
  readonly files: Files;
  readonly flush: boolean;
  readonly open = new Set<string>();
  readonly sizes = new Map<string, number>();
  readonly #budget: number;
  readonly #evicted: ((id: string) => void) | undefined;
  #sum = 0;

  constructor(files: Files, o: FolderOptions) {
    this.files = files;
    this.flush = o.flush ?? false;
    this.#budget = o.budget !== undefined && o.budget > 0 ? o.budget : defaultBudget;
    this.#evicted = o.evicted;
  }

  /** How many bytes the files have. */
  get size(): number {
    return this.#sum;
  }

  async look(): Promise<void> {
    for (const entry of await this.files.list()) {
      this.#resize(entry.name, entry.size);
    }
  }

  /** Writes into a file, within the budget. Where the write fails, a part of it may be there. */
  async write(name: string, at: number, bytes: Uint8Array, flush: boolean): Promise<void> {
    const was = this.sizes.get(name) ?? 0;
    const size = Math.max(was, at + bytes.length);
    if (this.#sum + size - was > this.#budget) {
      throw new CacheError('full', 'over the budget');
    }
    this.#resize(name, size);
    await this.files.write(name, at, bytes, flush);
  }

  async cut(name: string, size: number): Promise<void> {
    await this.files.cut(name, size);
    this.#resize(name, size);
  }

  async remove(name: string): Promise<void> {
    await this.files.remove(name);
    this.#resize(name, 0);
    this.sizes.delete(name);
  }

  /** Takes the files of a session away, the index first: lines without an index are nobody's, an index without its lines would be a lie. */
  async removeSession(id: string): Promise<number> {
    let freed = 0;
    for (const suffix of [indexSuffix, stateSuffix, linesSuffix]) {
      freed += this.sizes.get(id + suffix) ?? 0;
      await this.remove(id + suffix);
    }
    return freed;
  }

  /** Takes away the sessions that were not open for longest, until an eighth of the budget, or 64 MiB, whichever is less, is free. Sessions that are open stay. */
  async evict(): Promise<void> {
    const list = (await this.files.list()).sort((a, b) => a.used - b.used || (a.name < b.name ? -1 : 1));
    let left = Math.min(freedAtOnce, Math.floor(this.#budget / freedFraction));
    for (const { name } of list) {
      if (left <= 0) {
        return;
      }
      const id = name.slice(0, -linesSuffix.length);
      if (!name.endsWith(linesSuffix) || this.open.has(id)) {
        continue;
      }
      left -= await this.removeSession(id);
      this.#evicted?.(id);
    }
  }

  #resize(name: string, size: number): void {
    this.#sum += size - (this.sizes.get(name) ?? 0);
    this.sizes.set(name, size);
  }
}
