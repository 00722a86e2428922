import { decodeEvent, Fold, type EntryState } from 'ringmaster-protocol';
import type { Hit } from '../tabs/words.ts';
import { textOf } from '../text/find.ts';
import type { Terms } from './terms.ts';

/** How many characters of lines wait for the start of their entries: of entries that have ended nothing waits. */
const mostWaiting = 16 << 20;

/** What a line of a log begins with, as the daemon writes it. */
const head = /^\{"seq":\d+,"ts":(\d+),"type":"(entry_start|entry_delta|entry_end|[a-z_]+)",(?:"turnId":"[^"\\]*",)?(?:"entryId":"([^"\\]*)",)?/;

/** The parts of lines that are looked at. */
interface Line {
  ts: number;
  type: string;
  entryId: string;
}

/**
 * Finds the entries of one log that have all words of a search, in the log's lines from the last one to the first. An entry that has ended says its whole text in its end; of one that has not, its pieces wait for its start, and
 * are folded with it.
 */
export class Finder {
  readonly #terms: Terms;
  readonly #done = new Set<string>(); // entries of which nothing earlier counts
  readonly #waiting = new Map<string, string[] | undefined>(); // by entries, the last piece first; undefined: they are too long
  #size = 0;

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /** Takes a line; undefined: it is no entry with all of the words. */
  take(line: string): Hit | undefined {
    const m = head.exec(line);
    const at: Line | undefined = m !== null && m[3] !== undefined ? { ts: Number(m[1]), type: m[2]!, entryId: m[3] } : m !== null && !m[2]!.startsWith('entry_') ? undefined : parsed(line);
    if (at === undefined || this.#done.has(at.entryId)) {
      return undefined;
    }
    switch (at.type) {
      case 'entry_end':
        this.#done.add(at.entryId);
        this.#take(at.entryId); // what is said of an entry behind its end changes nothing
        return this.#terms.mayBeIn(line) ? this.#look(at, contentOf(line)) : undefined;
      case 'entry_delta':
        this.#wait(at.entryId, line);
        return undefined;
      case 'entry_start':
        this.#done.add(at.entryId);
        return this.#look(at, folded([line, ...this.#take(at.entryId).reverse()], at.entryId));
    }
    return undefined;
  }

  #wait(id: string, line: string): void {
    const list = this.#waiting.has(id) ? this.#waiting.get(id) : [];
    if (list !== undefined && this.#size + line.length > mostWaiting) {
      this.#take(id);
      this.#waiting.set(id, undefined);
    } else if (list !== undefined) {
      list.push(line);
      this.#size += line.length;
      this.#waiting.set(id, list);
    }
  }

  #take(id: string): string[] {
    const list = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    this.#size -= list.reduce((sum, line) => sum + line.length, 0);
    return list;
  }

  #look({ ts, entryId }: Line, content: Content | undefined): Hit | undefined {
    return content === undefined ? undefined : hitOf(this.#terms, { ...content, entryId, ts });
  }
}

type Content = Pick<EntryState, 'entryType' | 'data'>;

/** An entry with all of the words; undefined: it has them not. */
export function hitOf(terms: Terms, x: Content & { entryId: string; ts: number }): Hit | undefined {
  const text = said(x);
  if (text === '' || !terms.isIn(text)) {
    return undefined;
  }
  const tool = x.entryType === 'tool_call' ? String((x.data as { toolName?: unknown }).toolName ?? '').slice(0, 80) : '';
  return { entryId: x.entryId, kind: x.entryType, ts: x.ts, parts: terms.snippet(text), ...(tool === '' ? {} : { tool }) };
}

/** Its text. Lines that nobody has checked may have anything in its place. */
function said(x: Content): string {
  try {
    const text: unknown = textOf(x as EntryState);
    return typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}

function parsed(line: string): Line | undefined {
  try {
    const { ts, type, entryId } = JSON.parse(line) as { [name: string]: unknown };
    return typeof ts === 'number' && typeof type === 'string' && typeof entryId === 'string' ? { ts, type, entryId } : undefined;
  } catch {
    return undefined;
  }
}

function contentOf(line: string): Content | undefined {
  try {
    const { entryType, data } = JSON.parse(line) as Content;
    return typeof data === 'object' && data !== null ? ({ entryType, data } as Content) : undefined;
  } catch {
    return undefined;
  }
}

/** An entry by its start and the pieces behind that. */
function folded(lines: readonly string[], id: string): Content | undefined {
  const fold = new Fold();
  for (const line of lines) {
    try {
      fold.apply(decodeEvent(line));
    } catch {
      // of a later version
    }
  }
  return fold.entry(id);
}
