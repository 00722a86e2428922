import { budgetPlace, defaultBudget, principalOf } from '../tabs/names.ts';
import type { FromWorker, ToWorker } from '../tabs/port.ts';
import type { Ask, Told } from '../tabs/words.ts';
import { workers } from './trusted.ts';

/** How long a worker may take to store what it has, before it is ended. */
const patience = 3000;

/** The page's own worker, which has the stream or knows who has it. */
export class Keeper {
  readonly #worker: Worker | undefined;
  #isClosed = false;
  #closed: () => void = () => undefined;

  /** failed is called where there is no worker. */
  constructor(token: string, take: (told: Told) => void, failed: () => void) {
    const build = document.body.dataset['worker'] ?? ''; // its address has the hash of what it is
    try {
      this.#worker = new Worker(workers.createScriptURL(build));
    } catch {
      queueMicrotask(failed);
      return;
    }
    this.#worker.onerror = () => failed();
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data === 'closed') {
        this.#closed();
        return;
      }
      if (this.#isClosed) {
        return;
      }
      try {
        data.told.forEach(take);
      } finally {
        this.ask({ type: 'taken', n: data.n });
      }
    };
    void principalOf(token).then((principal) => this.#post({ type: 'begin', token, principal, build, budget: budget() }));
  }

  ask(ask: Ask): void {
    if (!this.#isClosed) {
      this.#post(ask);
    }
  }

  /** Ends the worker, which stores what it has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#worker === undefined) {
      return;
    }
    const late = new Promise<void>((over) => setTimeout(over, patience));
    const closed = new Promise<void>((over) => (this.#closed = over));
    this.#post({ type: 'close' });
    await Promise.race([closed, late]);
    this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }
}

/** How many bytes this browser may keep. */
export function budget(): number {
  try {
    const bytes = Number(localStorage.getItem(budgetPlace));
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : defaultBudget;
  } catch {
    return defaultBudget;
  }
}

/** Another limit, from the next leader on. */
export function setBudget(bytes: number): void {
  try {
    localStorage.setItem(budgetPlace, String(bytes));
  } catch {
    // such a browser keeps nothing
  }
}
