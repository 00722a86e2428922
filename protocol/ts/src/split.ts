/** How lines end: with LF alone, as in NDJSON, or with LF, CR or CRLF, as in event streams. */
export type LineEnds = 'lf' | 'any';

const lf = 0x0a, cr = 0x0d;

/** Splits bytes into lines, however they were cut into pieces. It holds one line at a time, and of a line over the limit nothing. */
export class Splitter {
  readonly #limit: number;
  readonly #ends: LineEnds;
  #held: Uint8Array[] = [];
  #length = 0; // of the line that has begun
  #skipLF = false; // the last line ended in CR: an LF right after it belongs to it

  constructor(limit: number, ends: LineEnds) {
    this.#limit = limit;
    this.#ends = ends;
  }

  /** A line has begun and not ended. */
  get isTorn(): boolean {
    return this.#length > 0;
  }

  /** Takes the next bytes and gives the lines that end in them, without their ends; undefined for a line over the limit. A line is good until the next push. */
  push(bytes: Uint8Array): (Uint8Array | undefined)[] {
    const lines: (Uint8Array | undefined)[] = [];
    let from = 0;
    if (this.#skipLF && bytes.length > 0) {
      this.#skipLF = false;
      from = bytes[0] === lf ? 1 : 0;
    }
    let nextCR = this.#ends === 'any' ? bytes.indexOf(cr, from) : -1;
    for (;;) {
      const nextLF = bytes.indexOf(lf, from);
      const isCR = nextCR >= 0 && (nextLF < 0 || nextCR < nextLF);
      const end = isCR ? nextCR : nextLF;
      if (end < 0) {
        break;
      }
      lines.push(this.#take(bytes.subarray(from, end)));
      from = end + 1;
      if (isCR) {
        if (from === bytes.length) {
          this.#skipLF = true;
        } else if (bytes[from] === lf) {
          from++;
        }
        nextCR = bytes.indexOf(cr, from);
      }
    }
    this.#hold(bytes.subarray(from));
    return lines;
  }

  /** Completes the line that has begun. */
  #take(rest: Uint8Array): Uint8Array | undefined {
    const length = this.#length + rest.length;
    const held = this.#held;
    this.#held = [];
    this.#length = 0;
    if (length > this.#limit) {
      return undefined;
    }
    if (held.length === 0) {
      return rest;
    }
    const line = new Uint8Array(length);
    let at = 0;
    for (const part of [...held, rest]) {
      line.set(part, at);
      at += part.length;
    }
    return line;
  }

  #hold(part: Uint8Array): void {
    if (part.length === 0) {
      return;
    }
    this.#length += part.length;
    if (this.#length > this.#limit) {
      this.#held = [];
    } else {
      this.#held.push(part.slice());
    }
  }
}
