/** Time and chance, which tests have their own of. */
export interface Clock {
  /** Milliseconds, of any origin. */
  now(): number;
  /** Calls once when a time is over, and gives what takes it back. */
  after(ms: number, call: () => void): () => void;
  /** 0 ≤ x < 1. */
  random(): number;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** Waits; it throws the signal's reason when that is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((over, ended) => {
    if (signal?.aborted) {
      ended(signal.reason);
      return;
    }
    const stop = (): void => {
      cancel();
      ended(signal!.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      over();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}
