import type { Reading } from '../tabs/kept.ts';

/** For how long nothing may come of a log before nobody waits for it, in milliseconds. */
const patience = 10_000;

interface Wait {
  id: string;
  /** Good enough: what comes later was not there when the waiting began. */
  of: number;
  seq: number;
  timer: ReturnType<typeof setTimeout>;
  end(): void;
}

/** Waits for logs that are being read: a tab shows a session as the daemon has it before this browser has read its log. */
export class Arrivals {
  readonly #reading: (id: string) => Reading | undefined;
  readonly #waits = new Set<Wait>();

  constructor(reading: (id: string) => Reading | undefined) {
    this.#reading = reading;
  }

  /** Resolves when a log is here as far as it was, when nothing comes of it, or when the signal is aborted; undefined: there is nothing to wait for. */
  wait(id: string, signal: AbortSignal): Promise<void> | undefined {
    const r = this.#reading(id);
    if (r === undefined || signal.aborted) {
      return undefined;
    }
    return new Promise((go) => {
      const end = (): void => {
        clearTimeout(w.timer);
        this.#waits.delete(w);
        signal.removeEventListener('abort', end);
        go();
      };
      const w: Wait = { id, ...r, end, timer: setTimeout(end, patience) };
      this.#waits.add(w);
      signal.addEventListener('abort', end);
    });
  }

  /** Looks at what is waited for. */
  look(): void {
    for (const w of this.#waits) {
      const r = this.#reading(w.id);
      if (r === undefined || r.seq >= Math.min(w.of, r.of)) {
        w.end();
      } else if (r.seq !== w.seq) {
        w.seq = r.seq;
        clearTimeout(w.timer);
        w.timer = setTimeout(w.end, patience);
      }
    }
  }
}
