import { LineError } from './errors.ts';
import { maxEvent } from './json.ts';
import { Splitter } from './split.ts';

/** One line of a log, without its newline. */
export interface Line {
  /** From 1; empty lines count. */
  number: number;
  text: string;
}

/**
 * Reads the lines of an NDJSON body (spec §7.1), however it is cut into pieces. It waits for nothing, so that it works on streams and files alike. Empty lines are
 * left out.
 */
export class LineReader {
  readonly #lines: Splitter;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #number = 0;

  /** Reads lines of at most limit bytes. */
  constructor(limit: number = maxEvent) {
    this.#lines = new Splitter(limit, 'lf');
  }

  /** Takes the next bytes and gives the lines that end in them. A line over the limit, or one that is no UTF-8, is a LineError, and reading goes on behind it. */
  push(bytes: Uint8Array): (Line | LineError)[] {
    const lines: (Line | LineError)[] = [];
    for (const line of this.#lines.push(bytes)) {
      const read = this.#read(++this.#number, line);
      if (read !== undefined) {
        lines.push(read);
      }
    }
    return lines;
  }

  /** Ends the body. A LineError says that it ended inside a line, which must not be used. */
  end(): LineError | undefined {
    return this.#lines.isTorn ? new LineError(this.#number + 1, 'torn') : undefined;
  }

  #read(number: number, line: Uint8Array | undefined): Line | LineError | undefined {
    if (line === undefined) {
      return new LineError(number, 'too long');
    }
    if (line.every((byte) => byte === 0x0d)) {
      return undefined;
    }
    try {
      return { number, text: this.#utf8.decode(line) };
    } catch {
      return new LineError(number, 'invalid UTF-8');
    }
  }
}
