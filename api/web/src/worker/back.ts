import { maxEvent } from 'ringmaster-protocol';

const newline = 0x0a;

/** Reads lines from the end of a file to its beginning, however it is cut into pieces: what was said last is what somebody looks for first. */
export class LinesBack {
  #rest: Uint8Array[] = []; // the end of a line whose beginning has not come, the later pieces first
  #size = 0; // of rest
  readonly #utf8 = new TextDecoder();

  /** Takes the piece before those that it had, and gives the lines that begin in it, the last one first. */
  take(piece: Uint8Array): string[] {
    const first = piece.indexOf(newline);
    if (first < 0) {
      this.#hold(piece);
      return [];
    }
    const lines = this.#joined(piece.subarray(first + 1));
    this.#hold(piece.subarray(0, first));
    return lines;
  }

  /** The file has begun: gives its first line. */
  end(): string[] {
    return this.#joined(new Uint8Array());
  }

  /** Of a line that is too long to be one, some end is kept, which is none either. */
  #hold(piece: Uint8Array): void {
    if (this.#size + piece.length > maxEvent) {
      this.#rest = [];
      this.#size = 0;
    }
    this.#rest.push(piece);
    this.#size += piece.length;
  }

  #joined(head: Uint8Array): string[] {
    const whole = new Uint8Array(head.length + this.#size);
    whole.set(head);
    let at = head.length;
    for (const piece of this.#rest.reverse()) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.#rest = [];
    this.#size = 0;
    return this.#utf8.decode(whole).split('\n').filter((line) => line !== '').reverse();
  }
}
