import type { Cursor } from 'ringmaster-protocol';
import type { CachedSession, Folder } from '../../src/cache/index.ts';
import type { Effect, Input, Machine, Read } from '../../src/sync/index.ts';
import { compareStored } from './compare.ts';
import { BadDisk } from './disk.ts';
import { Random, sessionId, type Kit } from './kit.ts';
import { Server } from './server.ts';
import { counted, fail, failed, Fault, type Tally } from './tally.ts';
import { View } from './view.ts';

/** Runs one life of 300 steps; a fault is an error. */
export async function live(kit: Kit, seed: number, tally: Tally): Promise<void> {
  await new Life(kit, seed, tally).run();
}

/** A client with a cache on a disk that fails, and its server, over a network that fails. */
class Life {
  readonly #kit: Kit;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #server: Server;
  readonly #disk: BadDisk;
  readonly #isMerged: boolean;
  readonly #flush: boolean;
  readonly #every: number; // lines between two states
  #isQuiet = false; // no more faults
  #folder!: Folder;
  #session!: CachedSession;
  #machine!: Machine;
  readonly #view: View;
  #asked: Cursor | undefined;
  #brings: Input[] = []; // of the connection
  #isOn = false; // there is one

  constructor(kit: Kit, seed: number, tally: Tally) {
    const random = new Random(seed);
    this.#kit = kit;
    this.#random = random;
    this.#tally = tally;
    this.#server = new Server(random);
    this.#view = new View(this.#server, tally);
    this.#disk = new BadDisk(random);
    this.#isMerged = random.below(2) === 0;
    this.#flush = random.below(2) === 0;
    this.#every = random.below(12);
    if (random.below(5) === 0) {
      this.#disk.limit = 400 + random.below(3000);
      if (random.below(2) === 0) { // somebody else's, which may have to go
        this.#disk.now.set(sessionId.replace(/.$/, 'b.ndjson'), new Uint8Array(this.#disk.limit / 2));
      }
    }
  }

  async run(): Promise<void> {
    await this.#start();
    for (let n = 0; n < 300; n++) {
      await this.#step();
    }
    await this.#settle();
  }

  /** A process that begins on what the disk has. */
  async #start(): Promise<void> {
    this.#disk.restart();
    this.#folder = await this.#kit.Folder.on(this.#disk, { flush: this.#flush });
    await this.#open();
  }

  async #open(): Promise<void> {
    this.#machine = new this.#kit.Machine();
    this.#view.lines = [];
    this.#disconnect();
    const { session, found } = await this.#folder.open(sessionId);
    this.#session = session;
    if (!this.#isQuiet && this.#random.below(20) === 0) {
      this.#disk.fuse = this.#random.below(4);
    }
    await this.#feed({ ...found, saveEvery: this.#every });
  }

  /** Gives the machine an input and does what it says; when the process ends meanwhile, the next one begins. */
  async #feed(input: Input): Promise<void> {
    for (let next: Input | undefined = input; next !== undefined; ) {
      const effects: Effect[] = this.#machine.step(next, this.#random.float());
      next = undefined;
      for (const effect of effects) {
        if ((effect.type === 'save' || effect.type === 'read') && next !== undefined) {
          continue;
        }
        next = (await this.#do(effect)) ?? next;
        if (this.#disk.isDead) {
          this.#tally.crashes++;
          return this.#start();
        }
      }
    }
  }

  async #do(e: Effect): Promise<Input | undefined> {
    switch (e.type) {
      case 'connect':
      case 'disconnect':
        this.#disconnect();
        this.#asked = e.type === 'connect' ? e.since : undefined;
        return undefined;
      case 'show':
        this.#view.show(e.line, e.at);
        return undefined;
      case 'forget':
        this.#view.lines = [];
        return undefined;
      case 'tell': {
        const what = counted[e.notice];
        if (what !== undefined) {
          this.#tally[what]++;
        }
        return undefined;
      }
      case 'read':
        return this.#read(e);
      case 'save':
        return this.#save(e.at);
      case 'wait':
        return undefined;
      default:
        try {
          await this.#session.do(e);
          this.#tally.evictions += e.type === 'evict' ? 1 : 0;
          this.#tally.rewinds += e.type === 'rewind' ? 1 : 0;
          return undefined;
        } catch {
          return failed(e.type, this.#tally);
        }
    }
  }

  #disconnect(): void {
    this.#asked = undefined;
    this.#isOn = false;
    this.#brings = [];
  }

  async #read(e: Read): Promise<Input | undefined> {
    const { epoch } = this.#machine.at;
    if (e.from > 0) {
      this.#tally.states++;
      if (!this.#isQuiet && this.#random.below(10) === 0) {
        this.#tally.useless++;
        return { type: 'unreadable' }; // whoever reads it can do nothing with it
      }
      const [of, first, last] = (await this.#session.state()).split(' ').map(Number) as [number, number, number];
      if (of !== epoch || last !== e.after) {
        fail(`a checkpoint at ${epoch}.${e.after} is of ${of}.${last}`);
      }
      for (let seq = first; seq <= last; seq++) {
        this.#view.show(this.#server.logs.get(epoch)![seq - 1]!, { epoch, seq });
      }
    }
    try {
      for await (const { event, line } of this.#session.lines(e)) {
        this.#view.show(line, { epoch, seq: event.seq });
      }
    } catch (problem) {
      if (e.from === 0 || problem instanceof Fault) {
        throw problem; // a bit that was turned over is found before, by the checksum
      }
      return { type: 'unreadable' }; // a loss of power has brought back a state whose removal it undid, of other lines
    }
    return undefined;
  }

  /** Stores a state that names the lines which it stands for, and is as large as it likes. */
  async #save(at: Cursor): Promise<Input | undefined> {
    const { lines, first, last } = this.#view;
    if (lines.length === 0 || at.seq !== last) {
      fail(`a state at ${at.epoch}.${at.seq} is wanted, and ${lines.length} lines from ${first} on are shown`);
    }
    try {
      const size = await this.#session.saveState(at, `${at.epoch} ${first} ${last} ${'0'.repeat(1 + this.#random.below(500))}`);
      this.#tally.saves++;
      return { type: 'saved', size };
    } catch {
      return undefined;
    }
  }

  /** Lets one thing happen. */
  async #step(): Promise<void> {
    if (this.#random.below(40) === 0) {
      this.#disk.fuse = this.#random.below(6); // the process ends in one of the next changes of the disk
    }
    const x = this.#random.below(1000);
    if (x < 300) {
      this.#server.ended = false;
      this.#server.append();
      this.#send(this.#server.frame(this.#server.newest));
    } else if (x < 700) {
      await this.#network();
    } else if (x < 780) {
      await this.#feed({ type: 'tick' });
    } else if (x < 820) {
      await this.#lose();
    } else if (x < 850) {
      await this.#feed({ type: 'due' });
    } else if (x < 865) {
      this.#server.powerLoss();
      await this.#lose();
    } else if (x < 880) {
      this.#retain();
    } else if (x < 912) {
      await this.#disaster(x);
    } else if (x < 930) {
      this.#swallow(this.#random.below(this.#brings.length)); // something on the way swallows a frame, or a reset
    } else if (x < 950) {
      this.#send(this.#isMerged && this.#random.below(2) === 0 ? { type: 'heartbeat' } : { type: 'heartbeat', at: this.#server.end });
    } else if (x < 960) {
      this.#server.ended = true;
      this.#send(this.#server.over(this.#isMerged));
    } else if (x < 980) {
      await this.#feed({ type: x < 970 ? 'wake' : 'renew' });
    } else if (x < 985 && this.#isMerged && this.#isOn) {
      this.#disconnect();
      await this.#feed({ type: 'gone', reason: 'deselected' });
    } else if (x < 990) {
      await this.#feed({ type: 'moved' });
    } else {
      await this.#reopen();
    }
  }

  async #disaster(x: number): Promise<void> {
    if (x < 895) {
      this.#tally.crashes++;
    } else if (x < 905) {
      this.#tally.powerLosses++;
      this.#disk.powerLoss();
    } else {
      this.#tally.flips++;
      this.#disk.flip();
    }
    await this.#start();
  }

  #send(input: Input): void {
    if (this.#isOn) {
      this.#brings.push(input);
    }
  }

  /** Drops the oldest lines, and overtakes a reader that is far behind: its connection goes on with a reset. */
  #retain(): void {
    this.#server.retain();
    if (this.#isOn && this.#random.below(2) === 0) {
      this.#tally.resets++;
      this.#brings = [this.#server.reset(), ...this.#server.rest(this.#server.oldest - 1, this.#isMerged)];
    }
  }

  async #lose(): Promise<void> {
    if (this.#isOn || this.#asked !== undefined) {
      this.#disconnect();
      await this.#feed({ type: 'lost' });
    }
  }

  /** Brings what is next. */
  async #network(): Promise<void> {
    const since = this.#asked;
    if (since === undefined) {
      const next = this.#brings.shift();
      if (next?.type === 'lost') {
        this.#disconnect();
      }
      return next === undefined ? undefined : this.#feed(next);
    }
    this.#asked = undefined;
    const x = this.#isQuiet ? 2 : this.#random.below(20);
    if (x < 2) {
      return this.#feed(x === 0 ? { type: 'lost' } : { type: 'answer', status: 503, retryAfterMs: 1000 });
    }
    const [first, ...rest] = this.#server.answer(since, this.#isMerged);
    this.#isOn = first!.type !== 'answer';
    this.#brings = rest;
    if (rest[0]?.type === 'reset') {
      if (!this.#isQuiet && this.#random.below(10) === 0) {
        this.#swallow(0); // a reset that never comes
      } else {
        this.#tally.resets++;
      }
    }
    return this.#feed(first!);
  }

  #swallow(at: number): void {
    const left = this.#brings.toSpliced(at, 1);
    if (!this.#server.deceives(left, this.#machine.at)) {
      this.#brings = left;
    }
  }

  /** Closes the session in order and opens it again. */
  async #reopen(): Promise<void> {
    await this.#feed({ type: 'close' });
    if (this.#machine.phase !== 'closed') {
      return; // the process ended meanwhile
    }
    this.#session.close();
    return this.#disk.isDead ? this.#start() : this.#open();
  }

  /** Lets everything work from now on, and looks whether the client comes to have the whole log. */
  async #settle(): Promise<void> {
    this.#isQuiet = true;
    this.#disk.fuse = -1;
    for (let n = 0; n < 3000; n++) {
      const { phase, at } = this.#machine;
      const { end } = this.#server;
      const isDone = at.epoch === end.epoch && at.seq === end.seq;
      if (this.#asked !== undefined || this.#brings.length > 0) {
        await this.#network();
      } else if (phase === 'waiting') {
        await this.#feed({ type: 'due' });
      } else if (isDone && (phase === 'live' || phase === 'over')) {
        return this.#compare();
      } else if (phase === 'over' || phase === 'aside') {
        await this.#feed({ type: 'moved' });
      } else if (this.#isOn) {
        await this.#feed({ type: 'heartbeat', at: end });
      } else {
        fail(`stuck: ${phase} at ${at.epoch}.${at.seq}, the log ends at ${end.epoch}.${end.seq}`);
      }
    }
    fail(`does not come to an end: ${this.#machine.phase} at ${this.#machine.at.seq} of ${this.#server.newest}`);
  }

  /** Holds view and cache against the log. */
  async #compare(): Promise<void> {
    this.#view.compare();
    const shown = this.#view.lines;
    await this.#feed({ type: 'tick' });
    const { cached } = this.#machine;
    await this.#feed({ type: 'close' });
    this.#session.close();
    await compareStored(this.#folder, cached ? shown : undefined, this.#server.end);
  }
}
