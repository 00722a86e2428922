import type { Cursor } from 'ringmaster-protocol';
import type { Input } from '../../src/sync/index.ts';
import type { Random } from './kit.ts';

/** A daemon's side of one session: a log that grows, loses its end in a loss of power, drops its oldest events, ends and is revived. */
export class Server {
  epoch = 1;
  oldest = 1;
  ended = false;
  /** By epoch, as they were in the end. */
  readonly logs = new Map<number, string[]>();
  /** Every event that was ever the oldest. */
  readonly firsts = new Set([1]);
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
    this.logs.set(1, []);
    for (let i = 0; i < 5; i++) {
      this.append();
    }
  }

  get log(): string[] {
    return this.logs.get(this.epoch)!;
  }

  get newest(): number {
    return this.log.length;
  }

  get end(): Cursor {
    return { epoch: this.epoch, seq: this.newest };
  }

  append(): void {
    this.log.push(`{"seq":${this.newest + 1},"ts":1,"type":"model","v":${++this.#count},"text":"${'é'.repeat(this.#random.below(20))}"}`);
  }

  powerLoss(): void {
    const old = this.log.slice(0, Math.max(this.oldest, this.newest - this.#random.below(10)));
    this.logs.set(++this.epoch, old);
    this.append();
  }

  retain(): void {
    this.oldest = Math.min(this.newest, this.oldest + this.#random.below(5));
    this.firsts.add(this.oldest);
  }

  frame(seq: number): Input {
    return { type: 'frame', at: { epoch: this.epoch, seq }, seq, line: this.log[seq - 1]! };
  }

  /** The frames behind a number, and the end. */
  rest(from: number, merged: boolean): Input[] {
    const list: Input[] = [];
    for (let seq = from + 1; seq <= this.newest; seq++) {
      list.push(this.frame(seq));
    }
    return this.ended ? [...list, this.over(merged)] : list;
  }

  /** What a connection from a cursor brings first. */
  answer(since: Cursor, merged: boolean): Input[] {
    if (since.seq === 0) {
      return [{ type: 'connected' }, ...this.rest(this.oldest - 1, merged)];
    }
    if (since.epoch !== this.epoch || since.seq > this.newest || since.seq + 1 < this.oldest) {
      if (this.#random.below(4) === 0) { // as /log does it
        return [{ type: 'answer', status: 410, epoch: this.epoch, oldest: this.oldest }];
      }
      return [{ type: 'connected' }, this.reset(), ...this.rest(this.oldest - 1, merged)];
    }
    if (this.ended && !merged && since.seq === this.newest) {
      return [{ type: 'answer', status: 204 }];
    }
    return [{ type: 'connected' }, ...this.rest(since.seq, merged)];
  }

  reset(): Input {
    return { type: 'reset', epoch: this.epoch, oldest: this.oldest };
  }

  /** How a connection says that the session has ended. */
  over(merged: boolean): Input {
    return merged ? { type: 'over', at: this.end } : { type: 'lost' };
  }
}
