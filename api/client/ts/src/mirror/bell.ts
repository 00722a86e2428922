/** Something that is waited for, again and again. A ring that comes while nobody waits is for the next one that does. */
export class Bell {
  #ring: (() => void) | undefined;
  #hasRung = false;

  ring(): void {
    this.#hasRung = true;
    this.#ring?.();
  }

  /** Waits for the next ring. One waits at a time. */
  async heard(): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((ring) => (this.#ring = ring));
      this.#ring = undefined;
    }
    this.#hasRung = false;
  }
}

/** A promise with what settles it. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (why: unknown) => void } {
  let resolve!: (value: T) => void, reject!: (why: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
