import type { Cursor } from 'ringmaster-protocol';
import type { Store } from './effect.ts';

/** A run of lines that are shown and not stored. */
export class Batch {
  #at: Cursor = { epoch: 1, seq: 0 };
  #lines: string[] = [];
  #bytes = 0;

  add(at: Cursor, line: string): void {
    this.#at = at;
    this.#lines.push(line);
    this.#bytes += utf8Length(line) + 1;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** With their newlines, in UTF-8. */
  get bytes(): number {
    return this.#bytes;
  }

  get store(): Store {
    return { type: 'store', at: this.#at, lines: this.#lines };
  }
}

/** How many bytes a text has in UTF-8. */
export function utf8Length(text: string): number {
  let n = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) {
      n += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1; // each half of a pair has two of its four bytes
    }
  }
  return n;
}
