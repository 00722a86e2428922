import { isDeepStrictEqual } from 'node:util';
import type { Cursor } from 'ringmaster-protocol';
import type { Server } from './server.ts';
import { fail, type Tally } from './tally.ts';

/** The lines that a client shows, each held against the log that its cursor is of. */
export class View {
  lines: string[] = [];
  /** Number of the first line. */
  first = 0;
  readonly #server: Server;
  readonly #tally: Tally;
  #epoch = 0; // of the last line

  constructor(server: Server, tally: Tally) {
    this.#server = server;
    this.#tally = tally;
  }

  /** Number of the last line. */
  get last(): number {
    return this.first + this.lines.length - 1;
  }

  show(line: string, at: Cursor): void {
    const log = this.#server.logs.get(at.epoch) ?? [];
    if (log[at.seq - 1] !== line) {
      fail(`shown at ${at.epoch}.${at.seq} what is not the log's: ${line}`);
    }
    if (this.lines.length === 0) {
      this.first = this.#server.firsts.has(at.seq) ? at.seq : fail(`shown first: ${at.epoch}.${at.seq}, which never was the oldest`);
    } else if (at.seq !== this.last + 1) {
      fail(`shown at ${at.epoch}.${at.seq} behind ${this.lines.length} lines from ${this.first} on`);
    } else if (at.epoch !== this.#epoch) {
      this.#tally.later++;
      if (!isDeepStrictEqual(this.lines, log.slice(this.first - 1, at.seq - 1))) {
        fail(`shown at ${at.epoch}.${at.seq} behind lines of ${this.#epoch} that are not its log's`);
      }
    }
    this.#epoch = at.epoch;
    this.lines.push(line);
  }

  /** All of the log is shown, from a line on that was the oldest once. */
  compare(): void {
    const { log, newest } = this.#server;
    if (this.lines.length === 0 || !isDeepStrictEqual(this.lines, log.slice(this.first - 1))) {
      fail(`${this.lines.length} lines from ${this.first} on are shown, of ${newest}`);
    }
  }
}
