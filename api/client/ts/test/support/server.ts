import type { Cursor } from 'ringmaster-protocol';
import type { Input, ResetInput } from '../../src/sync/index.ts';
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
  #epochs: { epoch: number; first: number }[] = []; // those that the log still tells of behind the first, each with the number of its first event

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
    this.#epochs = [...this.#epochs.filter((e) => e.first <= old.length), { epoch: this.epoch, first: old.length + 1 }];
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
    if (!this.#isGood(since)) {
      if (this.#random.below(4) === 0) { // as /log does it
        return [{ ...this.reset(since), type: 'answer', status: 410 }];
      }
      return [{ type: 'connected' }, this.reset(since), ...this.rest(this.oldest - 1, merged)];
    }
    if (this.ended && !merged && since.seq === this.newest) {
      return [{ type: 'answer', status: 204 }];
    }
    return [{ type: 'connected' }, ...this.rest(since.seq, merged)];
  }

  /** Answers a cursor that is not of this log; of one of an earlier epoch it says how far the logs agree. Without one, retention has overtaken a reader. */
  reset(since?: Cursor): ResetInput {
    const agree = since === undefined || since.epoch >= this.epoch ? 0 : this.#agree(since.epoch);
    const isOf = since !== undefined && since.seq > agree && agree + 1 >= this.oldest;
    return { type: 'reset', epoch: this.epoch, oldest: this.oldest, ...(isOf && agree > 0 ? { common: agree } : {}) };
  }

  /**
   * Says that nobody could notice that a reset was lost before the things that a connection brings to a position: its log goes on right behind the position (spec §10.5).
   */
  deceives(brings: Input[], at: Cursor): boolean {
    const first = brings.find((input) => input.type === 'reset' || input.type === 'frame');
    return first?.type === 'frame' && at.seq > 0 && first.seq === at.seq + 1 && first.at.epoch > at.epoch && !this.#isGood(at);
  }

  /** A cursor is one of this log (spec §2.3). */
  #isGood({ epoch, seq }: Cursor): boolean {
    return seq <= this.#agree(epoch) && seq + 1 >= this.oldest;
  }

  /** The number up to which the log is what it was in an epoch; 0: it does not tell of that one. */
  #agree(epoch: number): number {
    if (epoch !== 1 && !this.#epochs.some((e) => e.epoch === epoch)) {
      return 0;
    }
    const next = this.#epochs.find((e) => e.epoch > epoch);
    return next === undefined ? this.newest : next.first - 1;
  }

  /** How a connection says that the session has ended. */
  over(merged: boolean): Input {
    return merged ? { type: 'over', at: this.end } : { type: 'lost' };
  }
}
