import { signal, type Signal } from '@preact/signals';
import { Fold, type EntryState } from 'ringmaster-protocol';
import { parseCursor } from 'ringmaster-protocol';
import type { Client, InboxRequest, RequestAnswer } from 'ringmaster-client';
import { saying } from '../text/words.ts';

/** How far behind a request the call begins that it is about: arguments come in pieces. */
const before = 400;

/** What is asked in all sessions, as the daemon lists it. It is read again whenever the list of sessions says that something has changed there. */
export class Inbox {
  /** The longest waiting first. */
  readonly requests: Signal<readonly InboxRequest[]> = signal([]);
  /** Answers on their way: of which request what was answered. They go when the request has gone. */
  readonly sending: Signal<ReadonlyMap<string, string>> = signal(new Map());
  /** What went wrong with an answer, by its request. */
  readonly failed: Signal<ReadonlyMap<string, string>> = signal(new Map());
  readonly isRead = signal(false);
  /** How many there are in all; the list has the first 200. */
  readonly total = signal(0);
  readonly #client: Client;
  readonly #end = new AbortController();
  readonly #calls = new Map<string, Promise<EntryState | undefined>>();
  #state: 'rest' | 'reading' | 'again' = 'rest';

  constructor(client: Client) {
    this.#client = client;
  }

  has(session: string): boolean {
    return this.requests.peek().some((r) => r.sessionId === session);
  }

  /** Reads the list; one call at a time, and another one where something came meanwhile. */
  look(): void {
    if (this.#state === 'rest') {
      void this.#read();
    } else {
      this.#state = 'again';
    }
  }

  async #read(): Promise<void> {
    do {
      this.#state = 'reading';
      try {
        const { requests, total } = await this.#client.inbox({ signal: this.#end.signal, limit: 200 });
        this.requests.value = requests;
        this.total.value = total;
        this.isRead.value = true;
        this.#forget(new Set(requests.map(keyOf)));
      } catch {
        break; // the list of sessions brings another try
      }
    } while ((this.#state as string) === 'again');
    this.#state = 'rest';
  }

  #forget(open: ReadonlySet<string>): void {
    for (const map of [this.sending, this.failed]) {
      const left = [...map.peek()].filter(([key]) => open.has(key));
      if (left.length < map.peek().size) {
        map.value = new Map(left);
      }
    }
    for (const key of this.#calls.keys()) {
      if (!open.has(key)) {
        this.#calls.delete(key);
      }
    }
  }

  /** Sends an answer. It counts as given when the daemon says that the request is over. */
  async answer(session: string, request: string, answer: RequestAnswer, words: string): Promise<void> {
    const key = `${session}/${request}`;
    if (this.sending.peek().has(key)) {
      return;
    }
    this.sending.value = new Map(this.sending.peek()).set(key, words);
    this.#fail(key, undefined);
    try {
      await this.#client.session(session).answer(request, answer, { signal: this.#end.signal });
    } catch (error) {
      const left = new Map(this.sending.peek());
      left.delete(key);
      this.sending.value = left;
      this.#fail(key, saying(error));
    }
    this.look();
  }

  #fail(key: string, why: string | undefined): void {
    const map = new Map(this.failed.peek());
    if (why === undefined ? map.delete(key) : map.set(key, why)) {
      this.failed.value = map;
    }
  }

  /** The call of a tool that a request is about: its arguments, and its diff where the agent has one. It stands in the log shortly before the request. A request that says its diff itself needs none. */
  call(r: InboxRequest): Promise<EntryState | undefined> {
    if (r.request.diff !== undefined) {
      return Promise.resolve(undefined);
    }
    const key = keyOf(r);
    let call = this.#calls.get(key);
    if (call === undefined) {
      const read = this.#readCall(r).catch(() => {
        this.#calls.delete(key); // whoever shows the request anew tries again
        return undefined;
      });
      this.#calls.set(key, (call = read));
    }
    return call;
  }

  async #readCall(r: InboxRequest): Promise<EntryState | undefined> {
    const at = parseCursor(r.cursor);
    const fold = new Fold();
    for await (const { event } of this.#client.log(r.sessionId, { since: { epoch: at.epoch, seq: Math.max(0, at.seq - before) }, signal: this.#end.signal })) {
      fold.apply(event);
      if (event.seq >= at.seq) {
        break;
      }
    }
    return fold.entry(r.request.entryId ?? '');
  }

  close(): void {
    this.#end.abort();
  }
}

/** Names a request among those of all sessions. */
export function keyOf(r: InboxRequest): string {
  return `${r.sessionId}/${r.request.requestId}`;
}
