import type { Folder } from 'ringmaster-client';
import type { EntryState } from 'ringmaster-protocol';
import type { Answer, Hit, Progress } from '../tabs/words.ts';
import { LinesBack } from './back.ts';
import { Finder, hitOf } from './finder.ts';
import { Terms } from './terms.ts';

/** How many entries are told of one session, and in all. */
export const mostOfOne = 10, mostInAll = 200;

/** How much is read of a file at once, in bytes, and how many characters of entries are looked at. */
const piece = 256 << 10;

/** For how long a search keeps its worker from everything else, and how often it says how far it is; milliseconds. */
const patience = 8, tellEvery = 200;

/** What is searched. */
export interface Library {
  /** Sessions of which something is kept, those that changed last first. */
  ids(): string[];
  /** The entries of a session whose log is being read; undefined: it is not. */
  entries(id: string): readonly EntryState[] | undefined;
  /** Resolves when a log is here that is being read; undefined: it is, or nobody reads it. */
  arrival(id: string): Promise<void> | undefined;
  /** Where the lines of the others are. */
  readonly folder: Pick<Folder, 'glance'> | undefined;
}

/** What a search needs of where it runs. */
export interface Around {
  now(): number;
  /** Lets everything else in the worker go on. */
  rest(): Promise<void>;
}

/** Looks for words in all that is kept, session by session, and tells what it finds when it has it. It has one piece of one file in memory at a time. */
export class Search {
  readonly #library: Library;
  readonly #around: Around;
  readonly #signal: AbortSignal;
  readonly #say: (part: Omit<Answer & { type: 'found' }, 'n' | 'type'>) => void;
  readonly #terms: Terms;
  readonly #progress: Progress = { kept: 0, searched: 0, bytes: 0, stage: 'goes on' };
  #found = 0;
  #began = 0;
  #told = 0;

  constructor(words: string, library: Library, around: Around, signal: AbortSignal, say: (part: Omit<Answer & { type: 'found' }, 'n' | 'type'>) => void) {
    this.#terms = new Terms(words);
    this.#library = library;
    this.#around = around;
    this.#signal = signal;
    this.#say = say;
  }

  /** Runs until all was looked through, there is enough, or the signal is aborted. What is not here yet, since it is being read, is looked through last. */
  async run(): Promise<void> {
    const ids = this.#terms.isEmpty ? [] : this.#library.ids();
    this.#progress.kept = ids.length;
    this.#began = this.#told = this.#around.now();
    const late: { id: string; arrival: Promise<void> }[] = [];
    for (const id of ids) {
      const arrival = this.#library.arrival(id);
      if (arrival !== undefined) {
        late.push({ id, arrival });
      } else if (!(await this.#look(id))) {
        return;
      }
    }
    for (const { id, arrival } of late) {
      this.#tell();
      await arrival;
      if (!(await this.#look(id))) {
        return;
      }
    }
    this.#progress.stage = 'over';
    this.#tell();
  }

  /** Looks through one session; false: that was the last one. */
  async #look(id: string): Promise<boolean> {
    const hits = await this.#searched(id);
    if (this.#signal.aborted) {
      return false;
    }
    this.#progress.searched++;
    this.#found += hits.length;
    if (this.#found >= mostInAll) {
      this.#progress.stage = 'full';
    }
    if (hits.length > 0) {
      this.#tell(id, hits);
    }
    return this.#progress.stage !== 'full';
  }

  async #searched(id: string): Promise<Hit[]> {
    const most = Math.min(mostOfOne, mostInAll - this.#found);
    try {
      const entries = this.#library.entries(id);
      return await (entries === undefined ? this.#inLines(id, most) : this.#inEntries(entries, most));
    } catch {
      return []; // it was taken away meanwhile
    }
  }

  async #inEntries(entries: readonly EntryState[], most: number): Promise<Hit[]> {
    const hits: Hit[] = [];
    for (let i = entries.length - 1; i >= 0 && hits.length < most; i--) {
      const x = entries[i]!;
      const hit = hitOf(this.#terms, { ...x, ts: x.endTs ?? x.startTs });
      if (hit !== undefined) {
        hits.push(hit);
      }
      if (!(await this.#mayGoOn())) {
        break;
      }
    }
    return hits;
  }

  async #inLines(id: string, most: number): Promise<Hit[]> {
    const hits: Hit[] = [];
    const log = await this.#library.folder?.glance(id);
    if (log === undefined) {
      return hits;
    }
    try {
      const lines = new LinesBack(), finder = new Finder(this.#terms);
      for (let to = log.length; to > 0 && hits.length < most && (await this.#mayGoOn()); to -= Math.min(piece, to)) {
        const from = Math.max(0, to - piece);
        const bytes = await log.read(from, to - from);
        if (bytes.length < to - from) {
          break; // it was dropped meanwhile
        }
        this.#progress.bytes += bytes.length;
        for (const line of from === 0 ? [...lines.take(bytes), ...lines.end()] : lines.take(bytes)) {
          const hit = finder.take(line);
          if (hit !== undefined && hits.length < most) {
            hits.push(hit);
          }
        }
      }
    } finally {
      await log.close();
    }
    return hits;
  }

  /** Gives way when its time is over; false: nobody wants to know any more. */
  async #mayGoOn(): Promise<boolean> {
    const now = this.#around.now();
    if (now - this.#began >= patience) {
      if (now - this.#told >= tellEvery) {
        this.#tell();
      }
      await this.#around.rest();
      this.#began = this.#around.now();
    }
    return !this.#signal.aborted;
  }

  #tell(id?: string, hits: Hit[] = []): void {
    this.#told = this.#around.now();
    this.#say({ ...(id === undefined ? {} : { id }), hits, progress: { ...this.#progress } });
  }
}
