import type { Folder } from '../../src/cache/index.ts';
import type { Machine } from '../../src/sync/index.ts';

/** What is tested: the package's own classes, or copies of them with a fault. */
export interface Kit {
  Machine: typeof Machine;
  Folder: typeof Folder;
}

export const sessionId = '0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a';

/** Random numbers that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 ≤ x < 1. */
  float(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** 0 ≤ x < n, a whole number. */
  below(n: number): number {
    return Math.floor(this.float() * n);
  }
}
