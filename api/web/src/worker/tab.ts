import { nameOf } from '../tabs/names.ts';
import type { Begin, FromLeader, FromTab, Hall } from '../tabs/port.ts';
import { pingEvery, Seat, type SeatEffect, type SeatInput } from '../tabs/seat.ts';
import type { Ask, Batch, Told } from '../tabs/words.ts';
import { openDisk, type Disk } from './disk.ts';
import { Leader } from './leader.ts';

export function newTabId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).reduce((text, n) => text + n.toString(16).padStart(8, '0'), '');
}

/**
 * The worker of one tab. The tabs of a login elect a leader by a lock, which the browser gives to the next one when its holder ends, however that comes. Each tab has a channel of its own in which it
 * hears the leader, and a lock of its own by which the leader hears that it has ended.
 */
export class Tab {
  readonly #id: string;
  readonly #begin: Begin;
  readonly #page: (batch: Batch) => void;
  readonly #seat = new Seat();
  readonly #end = new AbortController();
  readonly #isShared: boolean;
  #own: Leader | undefined; // the leader of all, or of this tab alone
  #hall: BroadcastChannel | undefined;
  #inbox: BroadcastChannel | undefined;
  #toLeader: BroadcastChannel | undefined;
  readonly #followers = new Map<string, BroadcastChannel>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #ending: Promise<unknown> = Promise.resolve(); // of a stream of its own

  constructor(id: string, begin: Begin, page: (batch: Batch) => void) {
    this.#id = id;
    this.#begin = begin;
    this.#page = page;
    this.#isShared = begin.principal !== '' && navigator.locks !== undefined && typeof BroadcastChannel !== 'undefined';
    if (this.#isShared) {
      this.#share();
    } else {
      this.#do([{ type: 'alone' }]);
    }
  }

  /** The page asks for something. */
  ask(ask: Ask): void {
    if (this.#own !== undefined) {
      this.#own.ask(this.#id, ask);
    } else {
      this.#toLeader?.postMessage({ tab: this.#id, ask } satisfies FromTab);
    }
  }

  /** Ends: what was read is stored, and another tab may lead. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#own?.close();
    await this.#ending;
    this.#end.abort();
    for (const channel of [this.#hall, this.#inbox, this.#toLeader, ...this.#followers.values()]) {
      channel?.close();
    }
  }

  #name(part: string): string {
    return nameOf(this.#begin.principal, this.#begin.build, part);
  }

  #share(): void {
    this.#inbox = new BroadcastChannel(this.#name(this.#id));
    this.#inbox.onmessage = ({ data }: MessageEvent<FromLeader | FromTab>) => ('tab' in data ? this.#fromTab(data) : this.#fromLeader(data));
    this.#hall = new BroadcastChannel(this.#name('hall'));
    this.#hall.onmessage = ({ data }: MessageEvent<Hall>) => {
      if (data.type === 'leader') {
        this.#do([{ type: 'ping' }]);
      } else if (this.#seat.role === 'leads') {
        this.#welcome(data.tab);
      }
    };
    this.#hold(this.#name(this.#id), () => this.#do([{ type: 'ping' }])); // whoever is welcomed can be seen to end
    this.#hold(this.#name('leader'), () => this.#step({ type: 'granted' }));
    this.#timer = setInterval(() => this.#step({ type: 'tick' }), pingEvery);
  }

  /** Waits for a lock, and has it until this worker ends. */
  #hold(name: string, granted: () => void): void {
    const { signal } = this.#end;
    navigator.locks.request(name, { signal }, () => {
      granted();
      return new Promise<void>((release) => signal.addEventListener('abort', () => release()));
    }).catch(() => undefined); // it has ended
  }

  #step(input: SeatInput): void {
    if (!this.#end.signal.aborted) {
      this.#do(this.#seat.step(input));
    }
  }

  #do(effects: SeatEffect[]): void {
    for (const e of effects) {
      switch (e.type) {
        case 'ping':
          this.#hall?.postMessage({ type: 'hello', tab: this.#id } satisfies Hall);
          break;
        case 'stop':
          this.#ending = this.#own?.close() ?? Promise.resolve();
          this.#own = undefined;
          break;
        case 'follow':
          this.#toLeader?.close();
          this.#toLeader = new BroadcastChannel(this.#name(e.leader));
          this.#source('follows');
          this.#toLeader.postMessage({ tab: this.#id, ask: { type: 'join' } } satisfies FromTab);
          break;
        case 'alone':
          this.#own = this.#leader(undefined);
          this.#source('alone');
          this.#own.join(this.#id);
          break;
        case 'lead':
          void this.#lead();
      }
    }
  }

  async #lead(): Promise<void> {
    this.#toLeader?.close();
    this.#toLeader = undefined;
    await this.#ending;
    const disk = await openDisk(this.#begin.principal, this.#begin.budget);
    if (this.#end.signal.aborted) {
      await disk?.folder.close();
      return;
    }
    this.#own = this.#leader(disk);
    this.#source('leads');
    this.#own.join(this.#id);
    this.#hall!.postMessage({ type: 'leader' } satisfies Hall);
  }

  #leader(disk: Disk | undefined): Leader {
    return new Leader(this.#begin.token, disk, (tab, batch) => (tab === this.#id ? this.#page(batch) : this.#followers.get(tab)?.postMessage({ leader: this.#id, batch } satisfies FromLeader)));
  }

  /** Tells the page that another one speaks from here on. */
  #source(role: (Told & { type: 'source' })['role']): void {
    this.#page({ n: 0, told: [{ type: 'source', role }] });
  }

  /** A tab asks who leads: this one. */
  #welcome(tab: string): void {
    if (this.#own === undefined || tab === this.#id) {
      return; // the disk is being opened, and all are told then
    }
    let channel = this.#followers.get(tab);
    if (channel === undefined) {
      this.#followers.set(tab, (channel = new BroadcastChannel(this.#name(tab))));
      navigator.locks.request(this.#name(tab), { signal: this.#end.signal }, () => this.#left(tab)).catch(() => undefined); // this one has ended
    }
    channel.postMessage({ leader: this.#id } satisfies FromLeader);
  }

  #left(tab: string): void {
    this.#followers.get(tab)?.close();
    this.#followers.delete(tab);
    this.#own?.leave(tab);
  }

  #fromTab({ tab, ask }: FromTab): void {
    if (this.#seat.role !== 'leads' || !this.#followers.has(tab)) {
      return;
    }
    if (ask.type === 'join') {
      this.#own?.join(tab);
    } else {
      this.#own?.ask(tab, ask);
    }
  }

  #fromLeader({ leader, batch }: FromLeader): void {
    if (batch === undefined) {
      this.#step({ type: 'heard', leader });
    } else if (this.#seat.role === 'follows' && leader === this.#seat.leader) {
      this.#page(batch);
    }
  }
}
