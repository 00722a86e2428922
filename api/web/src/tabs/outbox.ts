import type { Cursor } from 'ringmaster-protocol';
import type { Batch, Told } from './words.ts';

/** How much a tab is sent beyond what it has taken, in characters of lines and 200 for each other thing. */
export const most = 1 << 20;

/** What a state counts. */
export const stateSize = most / 4;

/** What each part of an answer counts: an entry that was found, or how far a search is. */
export const answerSize = 400;

/** What a tab was sent and has not taken, and what it is about to be sent. */
export class Outbox {
  readonly #send: (batch: Batch) => void;
  #told: Told[] = [];
  #size = 0; // of told
  #n = 0;
  readonly #sent = new Map<number, number>(); // sizes by numbers
  #sentSize = 0;

  constructor(send: (batch: Batch) => void) {
    this.#send = send;
  }

  get size(): number {
    return this.#size + this.#sentSize;
  }

  put(told: Told, size = 200): void {
    this.#told.push(told);
    this.#size += size;
  }

  /** Adds a line behind the one before it. */
  line(id: string, at: Cursor, line: string): void {
    const last = this.#told.at(-1);
    if (last?.type === 'lines' && last.id === id && last.epoch === at.epoch && last.from + last.lines.length === at.seq) {
      last.lines.push(line);
    } else {
      this.#told.push({ type: 'lines', id, epoch: at.epoch, from: at.seq, lines: [line] });
    }
    this.#size += 100 + line.length;
  }

  overflow(told: Told & { type: 'overflow' }): void {
    const { delta } = told.overflow;
    this.put(told, 200 + ('text' in delta ? delta.text.length : 0));
  }

  flush(): void {
    if (this.#told.length === 0) {
      return;
    }
    const n = ++this.#n;
    this.#sent.set(n, this.#size);
    this.#sentSize += this.#size;
    const told = this.#told;
    this.#told = [];
    this.#size = 0;
    this.#send({ n, told });
  }

  /** The tab has taken a batch, and those before it. */
  taken(n: number): void {
    for (const [sent, size] of this.#sent) {
      if (sent > n) {
        break;
      }
      this.#sent.delete(sent);
      this.#sentSize -= size;
    }
  }
}
