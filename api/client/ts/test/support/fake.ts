import { Client } from '../../src/index.ts';
import type { Clock } from '../../src/clock.ts';
import type { ClientOptions, Fetch } from '../../src/wire.ts';

/** Time that passes when nothing else happens: what waits is called as soon as everything else has come to rest. */
export class VirtualClock implements Clock {
  #now = 0;
  #timers: { at: number; call: () => void }[] = [];
  #isRunning = false;

  now(): number {
    return this.#now;
  }

  random(): number {
    return 0.5;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + ms, call };
    this.#timers.push(timer);
    this.#run();
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  #run(rest = 3): void {
    if (this.#isRunning && rest === 3) {
      return;
    }
    this.#isRunning = true;
    setImmediate(() => {
      if (this.#timers.length === 0) {
        this.#isRunning = false;
      } else if (rest > 0) {
        this.#run(rest - 1);
      } else {
        const next = this.#timers.reduce((a, b) => (b.at < a.at ? b : a));
        this.#timers = this.#timers.filter((other) => other !== next);
        this.#now = Math.max(this.#now, next.at);
        next.call();
        this.#isRunning = false;
        this.#run();
      }
    });
  }
}

/** One request as the daemon sees it. */
export interface Asked {
  method: string;
  path: string;
  query: string;
  headers: Headers;
  body: string;
}

/** What a body does behind its text; beat: it has a heartbeat every 15 s. */
export type Then = 'end' | 'cut' | 'hang' | 'beat';

/** What becomes of a request. */
export type Fate =
  | { status?: number; type?: string; headers?: Record<string, string>; body?: string; then?: Then }
  /** No connection at all, by its code; lost: the request was sent. */
  | 'refused'
  | 'lost';

/** A daemon that answers as a test says, and keeps what it was asked. */
export class Fake {
  readonly asked: Asked[] = [];
  readonly clock = new VirtualClock();
  /** Bodies that are being read. */
  open = 0;
  readonly #fates: (asked: Asked) => Fate;

  constructor(fates: Fate[] | ((asked: Asked) => Fate)) {
    this.#fates = typeof fates === 'function' ? fates : () => fates[Math.min(this.asked.length, fates.length) - 1]!;
  }

  client(options: Partial<ClientOptions> = {}): Client {
    return new Client({ base: 'http://127.0.0.1:7433', token: 't'.repeat(40), clock: this.clock, fetch: this.fetch, ...options });
  }

  readonly fetch: Fetch = async (url, init) => {
    init.signal.throwIfAborted();
    const { pathname, search } = new URL(url);
    const asked = { method: init.method!, path: pathname, query: search, headers: new Headers(init.headers), body: (init.body as string | null) ?? '' };
    this.asked.push(asked);
    const fate = this.#fates(asked);
    if (typeof fate === 'string') {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(fate), { code: fate === 'refused' ? 'ECONNREFUSED' : 'ECONNRESET' }) });
    }
    const { status = 200, type = 'application/json', headers = {}, body = '', then = 'end' } = fate;
    return new Response(status === 204 ? null : this.#body(body, then, init.signal), { status, headers: { 'Content-Type': type, ...headers } });
  };

  #body(text: string, then: Then, signal: AbortSignal): ReadableStream<Uint8Array> {
    this.open++;
    let isOpen = true;
    const over = (): void => {
      this.open -= isOpen ? 1 : 0;
      isOpen = false;
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        signal.addEventListener('abort', () => {
          if (isOpen) {
            over();
            controller.error(signal.reason);
          }
        });
        if (text !== '') {
          controller.enqueue(new TextEncoder().encode(text));
        }
      },
      pull: async (controller) => {
        if (then === 'beat') {
          await new Promise<void>((done) => this.clock.after(15_000, done));
          if (isOpen) {
            controller.enqueue(new TextEncoder().encode('data: {"type":"heartbeat","ts":1}\n\n'));
          }
        } else if (then === 'end') {
          over();
          controller.close();
        } else if (then === 'cut') {
          over();
          controller.error(new Error('connection reset by peer'));
        }
      },
      cancel: over,
    }, { highWaterMark: 0 });
  }
}

export const event = (seq: number): string => `{"seq":${seq},"ts":1,"type":"entry_meta","entryId":"e1","persistentId":"x"}`;

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Fate => ({
  status, type: 'application/problem+json', headers, body: JSON.stringify({ type: `urn:ringmaster:problem:${code}`, code, title: 'T', status, detail: 'D.', hint: 'H.' }),
});

/** Collects what a loop brings, and what ended it. */
export async function all<T>(source: AsyncIterable<T>, most = Infinity): Promise<{ items: T[]; error?: unknown }> {
  const items: T[] = [];
  try {
    for await (const item of source) {
      items.push(item);
      if (items.length >= most) {
        break;
      }
    }
    return { items };
  } catch (error) {
    return { items, error };
  }
}
