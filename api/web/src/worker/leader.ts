import { Client, Mirror, Problem, type Change } from 'ringmaster-client';
import { encodeState } from 'ringmaster-protocol';
import { watched } from '../live/watched.ts';
import { Hub } from '../tabs/hub.ts';
import type { Stored } from '../tabs/kept.ts';
import type { Ask, Batch } from '../tabs/words.ts';
import { saying } from '../text/words.ts';
import { Answers } from './answers.ts';
import type { Disk } from './disk.ts';
import { soon } from './soon.ts';

/** How often the list of sessions is kept, while it changes. */
const keepEvery = 5000;

/** Reads one stream of the daemon for tabs, and keeps what it reads. */
export class Leader {
  readonly #disk: Disk | undefined;
  readonly #mirror: Mirror;
  readonly #hub: Hub;
  readonly #answers: Answers;
  readonly #run: Promise<void>;
  #isWhole = false; // the list
  #hasChanged = false; // the list, since it was kept
  #keeping: Promise<void> = Promise.resolve();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #restored: Promise<void>; // the list as it was kept is here
  readonly #flush = soon(() => {
    this.#hub.flush();
    this.#answers.look();
  });

  /** Without a disk everything is in memory. send hands a batch to a tab. */
  constructor(token: string, disk: Disk | undefined, send: (tab: string, batch: Batch) => void) {
    this.#disk = disk;
    const fetch = watched((link) => {
      this.#hasChanged = this.#hub.link(link, Date.now()) || this.#hasChanged; // that is: it was true up to now
      this.#flush();
    });
    const client = new Client({ base: location.origin, token, fetch });
    this.#mirror = new Mirror(client, { follow: 'asked', states: true, ...(disk === undefined ? {} : { cache: disk.folder }) });
    this.#hub = new Hub({ at: (id) => this.#mirror.at(id), state: (id) => this.#state(id) }, disk === undefined ? 'memory' : 'disk', {
      send,
      glance: (id) => {
        void this.#glance(id).then((found) => {
          this.#hub.glanced(id, found);
          this.#flush();
        });
      },
      follow: (id) => {
        void this.#mirror.follow(id).then(() => {
          this.#hub.opened(id);
          this.#flush();
        });
      },
      unfollow: (id) => this.#mirror.unfollow(id),
      wake: () => this.#mirror.wake(),
    });
    this.#restored = this.#restore();
    this.#answers = new Answers({
      folder: disk?.folder, at: (id) => this.#mirror.at(id), state: (id) => this.#mirror.state(id), known: () => this.#hub.known, reading: (id) => this.#hub.reading(id), ready: this.#restored,
      answer: (tab, answer) => {
        this.#hub.answer(tab, answer);
        this.#flush();
      },
    });
    this.#timer = setInterval(() => this.#keep(), keepEvery);
    void this.#read();
    this.#run = this.#begin();
  }

  async #restore(): Promise<void> {
    const kept = await this.#disk?.roster();
    if (kept !== undefined) {
      this.#hub.list(kept.sessions, kept.at);
      this.#flush();
    }
  }

  async #begin(): Promise<void> {
    await this.#restored;
    this.#mirror.synced.then(() => this.#listed(), () => undefined);
    try {
      await this.#mirror.run();
    } catch (error) {
      this.#hub.link('away', Date.now());
      this.#hub.refused(saying(error), error instanceof Problem && error.status === 401);
      this.#flush();
    }
  }

  /** A tab is there, or begins anew. */
  join(tab: string): void {
    this.#answers.leave(tab);
    this.#hub.join(tab);
    this.#flush();
  }

  leave(tab: string): void {
    this.#answers.leave(tab);
    this.#hub.leave(tab);
  }

  ask(tab: string, ask: Ask): void {
    if (ask.type === 'search' || ask.type === 'past' || ask.type === 'drop') {
      return this.#answers.ask(tab, ask);
    }
    this.#hub.ask(tab, ask);
    this.#flush();
  }

  /** Stores what was read, and lets go of the disk. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#keep();
    await this.#mirror.close();
    await this.#run;
    await this.#keeping;
    await this.#answers.close();
    await this.#disk?.folder.close();
  }

  async #read(): Promise<void> {
    try {
      for await (const change of this.#mirror.changes()) {
        this.#take(change);
      }
    } catch {
      // begin says why
    }
  }

  #take(change: Change): void {
    this.#hub.take(change);
    this.#flush();
    if (change.type === 'session' || change.type === 'gone') {
      this.#hasChanged = true;
    }
    if (change.type === 'gone' && this.#isWhole) {
      this.#remove(change.id);
    }
  }

  /** The list is whole: what it does not have any more goes from the disk too. */
  #listed(): void {
    const list = this.#mirror.roster();
    this.#isWhole = this.#hasChanged = true;
    this.#hub.list(list);
    this.#flush();
    const ids = new Set(list.map((s) => s.id));
    for (const id of this.#disk?.folder.sessions() ?? []) {
      if (!ids.has(id)) {
        this.#remove(id);
      }
    }
    this.#keep(); // a page that is looked at for a moment has it too
  }

  #remove(id: string): void {
    this.#disk?.folder.remove(id).catch(() => undefined); // while it is open, its machine takes it away
  }

  async #glance(id: string): Promise<Stored> {
    const folder = this.#disk?.folder;
    const state = await folder?.storedState(id).catch(() => undefined);
    return state ?? (folder?.has(id) === true ? 'lines' : undefined);
  }

  #state(id: string): string | undefined {
    try {
      const state = this.#mirror.state(id);
      return state === undefined ? undefined : encodeState(state);
    } catch {
      return undefined; // of a log whose first lines are gone, which has no JSON
    }
  }

  #keep(): void {
    if (this.#hasChanged && this.#isWhole && this.#disk !== undefined) {
      this.#hasChanged = false;
      const { roster, since = Date.now() } = this.#hub;
      this.#keeping = this.#keeping.then(() => this.#disk!.keepRoster(roster, since)).catch(() => undefined); // the next one may fit
    }
  }
}
