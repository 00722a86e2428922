import { encodeState, type Cursor, type SessionState } from 'ringmaster-protocol';
import type { Folder } from 'ringmaster-client';
import type { Reading } from '../tabs/kept.ts';
import type { Answer, Question } from '../tabs/words.ts';
import { Arrivals } from './arrivals.ts';
import { Past } from './past.ts';
import { Search } from './search.ts';

/** What the leader has for answers. */
export interface Sources {
  folder: Folder | undefined;
  /** How far the logs are that are being read; undefined: it is not. */
  at(id: string): Cursor | undefined;
  /** The state there: a copy. */
  state(id: string): SessionState | undefined;
  /** The sessions that may be searched, those that changed last first: those of the list, and what tabs show that is not in it yet. */
  known(): string[];
  /** How far the log of a session is read that a tab shows, and how far the list says that it is; undefined: all that this browser can have of it is here. */
  reading(id: string): Reading | undefined;
  /** Resolves when the list that this browser keeps is here, or there is none. */
  ready: Promise<unknown>;
  answer(tab: string, answer: Answer): void;
}

/** How many sessions a tab asks the past of at once: as many as it shows beside each other. */
const mostPasts = 4;

/** A question that is being answered. */
interface Open {
  n: number;
  end: AbortController;
}

/** Answers what tabs ask once, while everything else goes on. A tab has at most one search at a time, and one question about the past of each session: it may show several of them. */
export class Answers {
  readonly #from: Sources;
  readonly #around = { now: () => performance.now(), rest };
  readonly #past: Past | undefined;
  readonly #arrivals: Arrivals;
  readonly #open = new Map<string, Open>(); // by tab and type, and by session where it is about one
  readonly #working = new Set<Promise<void>>();
  #pasts: Promise<void> = Promise.resolve(); // one at a time: they share what is remembered

  constructor(from: Sources) {
    this.#from = from;
    this.#arrivals = new Arrivals(from.reading);
    this.#past = from.folder === undefined ? undefined : new Past(from.folder, this.#around);
  }

  ask(tab: string, q: Question): void {
    if (q.type === 'drop') {
      for (const [key, { n, end }] of this.#open) {
        if (key.startsWith(`${tab}/`) && n === q.n) {
          end.abort();
          this.#open.delete(key);
        }
      }
      return;
    }
    const key = q.type === 'past' ? `${tab}/past/${q.id}` : `${tab}/${q.type}`;
    this.#open.get(key)?.end.abort();
    this.#open.delete(key);
    const pasts = q.type === 'past' ? [...this.#open].filter(([other]) => other.startsWith(`${tab}/past/`)) : [];
    for (const [other, { end }] of pasts.slice(0, Math.max(0, pasts.length - mostPasts + 1))) {
      end.abort();
      this.#open.delete(other);
    }
    const end = new AbortController();
    this.#open.set(key, { n: q.n, end });
    const done = (q.type === 'search' ? this.#search(tab, q, end.signal) : (this.#pasts = this.#pasts.then(() => this.#state(tab, q, end.signal)))).finally(() => {
      this.#working.delete(done);
      if (this.#open.get(key)?.end === end) {
        this.#open.delete(key);
      }
    });
    this.#working.add(done);
  }

  /** Something was read, or is not wanted any more, or the link is another one. */
  look(): void {
    this.#arrivals.look();
  }

  /** A tab has gone, or begins anew. */
  leave(tab: string): void {
    for (const [key, { end }] of this.#open) {
      if (key.startsWith(`${tab}/`)) {
        end.abort();
        this.#open.delete(key);
      }
    }
  }

  /** Ends all of them; the files are not read any more then. */
  async close(): Promise<void> {
    this.#open.forEach(({ end }) => end.abort());
    this.#open.clear();
    await this.settled;
  }

  /** Resolves when nothing is being answered that was asked so far. */
  get settled(): Promise<unknown> {
    return Promise.allSettled(this.#working);
  }

  async #search(tab: string, { n, words }: Question & { type: 'search' }, signal: AbortSignal): Promise<void> {
    const { folder, at, state, known, answer } = this.#from;
    await this.#from.ready;
    const isRead = (id: string): boolean => (at(id)?.seq ?? 0) > 0;
    const library = {
      folder, entries: (id: string) => (isRead(id) ? state(id)?.entries : undefined),
      ids: () => {
        const kept = new Set(folder?.sessions() ?? []);
        return known().filter((id) => kept.has(id) || isRead(id) || this.#from.reading(id) !== undefined);
      },
      arrival: (id: string) => this.#arrivals.wait(id, signal),
    };
    await new Search(words, library, this.#around, signal, (part) => {
      if (!signal.aborted) {
        answer(tab, { type: 'found', n, ...part });
      }
    }).run();
  }

  async #state(tab: string, { n, id, at }: Question & { type: 'past' }, signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      return;
    }
    const state = await this.#folded(id, at, signal).catch(() => undefined);
    if (!signal.aborted) {
      this.#from.answer(tab, { type: 'past', n, ...(state === undefined ? {} : { state }) });
    }
  }

  async #folded(id: string, at: Cursor, signal: AbortSignal): Promise<string | undefined> {
    const read = this.#from.at(id);
    const now = read?.epoch === at.epoch && read.seq === at.seq ? this.#from.state(id) : undefined;
    return now !== undefined && now.sessionId !== '' ? encodeState(now) : this.#past?.state(id, at, signal);
  }
}

/** Lets everything that waits in this worker go on. */
function rest(): Promise<void> {
  return new Promise((go) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port1.close();
      go();
    };
    port1.postMessage(null);
  });
}
