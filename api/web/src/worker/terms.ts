import type { Part } from '../tabs/words.ts';

/** How many words are looked for, and how long each is, in characters. */
const mostWords = 12, longest = 100;

/** How much of a text stands before and behind what was found. */
const before = 32, behind = 140;

/** A character that stands for itself in JSON, whoever writes it. */
const plain = /^[A-Za-z0-9_.,:-]+$/;

/** The words that somebody looks for: all of them are in one text, in whatever letter case. */
export class Terms {
  readonly #each: RegExp[];
  readonly #any: RegExp;
  readonly #inJSON: RegExp[]; // those that are in the JSON of a text when they are in the text

  constructor(text: string) {
    const words = text.split(/\s+/).filter((w) => w !== '').slice(0, mostWords).map((w) => w.slice(0, longest));
    const patterns = words.map((w) => w.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    this.#each = patterns.map((p) => new RegExp(p, 'iu'));
    this.#any = new RegExp(patterns.join('|'), 'giu');
    this.#inJSON = this.#each.filter((_, i) => plain.test(words[i]!));
  }

  /** There is nothing to look for. */
  get isEmpty(): boolean {
    return this.#each.length === 0;
  }

  isIn(text: string): boolean {
    return this.#each.every((word) => word.test(text));
  }

  /** false: a text that has all of the words is not in this JSON. */
  mayBeIn(json: string): boolean {
    return this.#inJSON.every((word) => word.test(json));
  }

  /** The beginning of what was found, with a few words around it. */
  snippet(text: string): Part[] {
    const at = text.search(this.#each[0]!);
    const from = whole(text, Math.max(0, at - before)), to = whole(text, Math.min(text.length, at + behind));
    const around = text.slice(from, to);
    const parts: Part[] = from > 0 ? [{ text: '…' }] : [];
    let done = 0;
    for (const found of around.matchAll(this.#any)) {
      parts.push({ text: around.slice(done, found.index) }, { text: found[0], isHit: true });
      done = found.index + found[0].length;
    }
    parts.push({ text: around.slice(done) + (to < text.length ? '…' : '') });
    return parts.map((p) => ({ ...p, text: p.text.replace(/\s+/g, ' ') })).filter((p) => p.text !== '');
  }
}

/** A place that does not cut a character into halves. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && at > 0 ? at - 1 : at;
}
