import { signal, type Signal } from '@preact/signals';
import { Fold, type Cursor, type EntryState, type LogEvent, type Overflow, type SessionState } from 'ringmaster-protocol';
import { onceAFrame } from './frame.ts';

/** What an open entry says beyond what its log keeps of it. */
export interface Beyond {
  /** The newest of it. */
  text: string;
  /** How many bytes the whole text has so far. */
  bytes: number;
}

/** How many characters of that are shown. */
const mostBeyond = 20_000;

/**
 * One session whose log is read: its fold, and signals that say what of it has changed, at most once a frame. The values of the signals are counters: what is shown is read from the fold,
 * which is changed in place.
 */
export class Followed {
  readonly id: string;
  fold = new Fold();
  /** The ids of its entries, in order; another list when one was added. */
  readonly entries: Signal<readonly string[]> = signal([]);
  /** Everything but the content of entries: status, turns, requests, queue, title. */
  readonly head = signal(0);
  /** Of the last event that is drawn. */
  readonly seq = signal(0);
  /** The log has come as far as the list of sessions said when it was opened. */
  readonly isWhole = signal(false);
  /** What went wrong with its log; empty: nothing. */
  readonly trouble = signal('');
  /** How far it is; undefined: it has nothing, and wants a state first. */
  at: Cursor | undefined;
  /** The daemon is being asked for its state. */
  isAsking = false;
  /** Is told every event, before it is drawn. */
  onEvent: (e: LogEvent) => void = () => undefined;
  readonly #upTo: number;
  readonly #versions = new Map<string, Signal<number>>();
  readonly #changed = new Set<string>();
  readonly #beyond = new Map<string, Beyond>(); // by entries
  #hasHead = false;
  readonly #draw = onceAFrame(() => this.#show());

  constructor(id: string, upTo: number) {
    this.id = id;
    this.#upTo = upTo;
  }

  /** An entry as it is now. Whoever reads it is drawn again when it changes. */
  entry(id: string): EntryState | undefined {
    let version = this.#versions.get(id);
    if (version === undefined) {
      this.#versions.set(id, (version = signal(0)));
    }
    return version.value >= 0 ? this.fold.entry(id) : undefined;
  }

  /** What an open entry says beyond what the log keeps, as it is now; undefined: the log has all. */
  beyond(id: string): Beyond | undefined {
    return this.#beyond.get(id);
  }

  /** Takes a part of a text beyond what the log keeps of it. */
  flow({ entryId, offset, delta }: Overflow): void {
    if (delta.op !== 'text_append' || this.fold.entry(entryId)?.open !== true) {
      return;
    }
    const text = 'text' in delta ? delta.text : '', was = this.#beyond.get(entryId);
    if (was !== undefined && offset < was.bytes) {
      return; // it is there already
    }
    const isNext = offset === (was?.bytes ?? bytesOf(keptOf(this.fold.entry(entryId)!))); // else some of it is missing
    const before = `${was?.text ?? ''}${isNext ? '' : '\n…\n'}`;
    this.#beyond.set(entryId, { text: (before + text).slice(-mostBeyond), bytes: offset + bytesOf(text) });
    this.#changed.add(entryId);
    this.#draw();
  }

  apply(e: LogEvent): void {
    this.fold.apply(e);
    if (e.type === 'entry_end' || (e.type === 'entry_delta' && e.delta.op === 'text_set')) {
      this.#beyond.delete(e.entryId);
    }
    if (e.type === 'entry_delta' || e.type === 'entry_meta') {
      this.#changed.add(e.entryId);
    } else {
      this.#hasHead = true;
      if (e.type === 'entry_start' || e.type === 'entry_end') {
        this.#changed.add(e.entryId);
      }
    }
    this.onEvent(e);
    this.#draw();
  }

  /** A position is further than this one's. */
  isBefore(other: Cursor): boolean {
    const at = this.at;
    return at === undefined || at.seq === 0 || at.epoch < other.epoch || (at.epoch === other.epoch && at.seq < other.seq);
  }

  /** Takes events that follow each other, of which the first has the number from; undefined is one of a later version. What it has already is passed over. false: something is missing before them. */
  take(epoch: number, from: number, events: (LogEvent | undefined)[]): boolean {
    const at = this.at ?? { epoch, seq: 0 };
    if ((at.seq > 0 && epoch !== at.epoch) || from > at.seq + 1) {
      return false;
    }
    for (const e of events.slice(at.seq + 1 - from)) {
      if (e !== undefined) {
        this.apply(e);
      }
    }
    this.at = { epoch, seq: Math.max(at.seq, from + events.length - 1) };
    return true;
  }

  /** Begins with a state in place of the events up to a cursor; isAll: there is no more of it for now. */
  begin(state: SessionState, at: Cursor, isAll: boolean): void {
    this.fold = Fold.of(state);
    this.at = at;
    this.trouble.value = '';
    this.isWhole.value ||= isAll || at.seq >= this.#upTo;
    this.#all();
  }

  /** Its log begins anew. */
  reset(): void {
    this.fold = new Fold();
    this.at = undefined;
    this.#changed.clear();
    this.#all();
  }

  /** Everything is another. */
  #all(): void {
    this.#beyond.clear();
    for (const version of this.#versions.values()) {
      version.value++;
    }
    this.#hasHead = true;
    this.#draw();
  }

  #show(): void {
    const { entries, seq } = this.fold.state;
    if (entries.length !== this.entries.peek().length || entries.at(-1)?.entryId !== this.entries.peek().at(-1)) {
      this.entries.value = entries.map((x) => x.entryId);
    }
    for (const id of this.#changed) {
      const version = this.#versions.get(id);
      if (version !== undefined) {
        version.value++;
      }
    }
    this.#changed.clear();
    if (!this.isWhole.peek() && Math.max(seq, this.at?.seq ?? 0) >= this.#upTo) {
      this.isWhole.value = true;
    }
    if (this.#hasHead) {
      this.#hasHead = false;
      this.head.value++;
    }
    this.seq.value = seq;
  }
}

/** What the log has so far of the text of an entry that grows. */
function keptOf({ data }: EntryState): string {
  const text = 'output' in data ? data.output : 'text' in data ? data.text : '';
  return typeof text === 'string' ? text : '';
}

const utf8 = new TextEncoder();

/** How many bytes a text has in UTF-8. */
function bytesOf(text: string): number {
  return utf8.encode(text).length;
}
