import type { Answer, Ask, Question } from '../tabs/words.ts';

export type { Hit, Part, Progress } from '../tabs/words.ts';

/** A question without its number. */
type Put = Omit<Question & { type: 'search' }, 'n'> | Omit<Question & { type: 'past' }, 'n'>;

/** What this tab has asked the leader once and has no whole answer to. Another leader knows nothing of it, and is asked again. */
export class Questions {
  readonly #ask: (ask: Ask) => void;
  readonly #open = new Map<number, { put: Put; take: (answer: Answer) => void; begin: () => void }>();
  #n = 0;

  constructor(ask: (ask: Ask) => void) {
    this.#ask = ask;
  }

  /** Asks; begin is called when it is asked, also when another leader is: what was answered before counts no more. What it returns ends the question. */
  put(put: Put, take: (answer: Answer) => void, begin: () => void = () => undefined): () => void {
    const n = ++this.#n;
    this.#open.set(n, { put, take, begin });
    begin();
    this.#ask({ ...put, n } as Question);
    return () => {
      if (this.#open.delete(n)) {
        this.#ask({ type: 'drop', n });
      }
    };
  }

  take(answer: Answer): void {
    const asked = this.#open.get(answer.n);
    if (answer.type === 'past' || answer.progress.stage !== 'goes on') {
      this.#open.delete(answer.n);
    }
    asked?.take(answer);
  }

  /** Another one leads. */
  again(): void {
    for (const [n, { put, begin }] of this.#open) {
      begin();
      this.#ask({ ...put, n } as Question);
    }
  }
}
