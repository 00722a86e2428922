/** Whom the wanted sessions are asked of. */
export interface Source {
  /** Looks for a state that is stored of a session. */
  glance(id: string): void;
  /** Somebody wants the log of a session. */
  follow(id: string): void;
  /** Nobody does any more. */
  unfollow(id: string): void;
}

/**
 * How far each session is that some tab wants.
 *
 * - glancing: it is being looked for a stored state
 * - glanced: it was, and the log is not followed yet
 * - opening: the log is followed, and what is stored of it is being read
 * - open: that was read
 */
export type Stage = 'glancing' | 'glanced' | 'opening' | 'open';

/** The sessions that some tab wants. */
export class Wanted {
  readonly #source: Source;
  readonly #stages = new Map<string, Stage>();

  constructor(source: Source) {
    this.#source = source;
  }

  get ids(): Iterable<string> {
    return this.#stages.keys();
  }

  stage(id: string): Stage | undefined {
    return this.#stages.get(id);
  }

  glance(id: string): void {
    this.#stages.set(id, 'glancing');
    this.#source.glance(id);
  }

  /** A glance is over; false: nobody waits for it any more. */
  glanced(id: string): boolean {
    if (this.#stages.get(id) !== 'glancing') {
      return false;
    }
    this.#stages.set(id, 'glanced');
    return true;
  }

  /** Follows a log, where it is not followed yet. */
  follow(id: string): void {
    const stage = this.#stages.get(id);
    if (stage !== 'opening' && stage !== 'open') {
      this.#stages.set(id, 'opening');
      this.#source.follow(id);
    }
  }

  /** What is stored of a session was read; false: nobody wants it any more. */
  opened(id: string): boolean {
    if (this.#stages.get(id) !== 'opening') {
      return false;
    }
    this.#stages.set(id, 'open');
    return true;
  }

  /** Follows no longer what is not wanted. */
  keep(isWanted: (id: string) => boolean): void {
    for (const id of [...this.#stages.keys()].filter((one) => !isWanted(one))) {
      this.#stages.delete(id);
      this.#source.unfollow(id);
    }
  }
}
