import { realClock, type Clock } from './clock.ts';
import { Problem, UnexpectedAnswer, Unreachable, unreachable } from './errors.ts';
import type { ProblemBody } from './types/index.ts';

/** What a client needs of fetch: the runtime's own, or one that goes over a unix socket (ringmaster-client/node). */
export type Fetch = (url: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>;

/** Options of a Client. */
export interface ClientOptions {
  /** http://HOST:PORT or https://HOST:PORT. */
  base: string;
  /** The bearer token; absent: none, as over a unix socket. */
  token?: string;
  /** How the log names what is done with this client: the clientId of prompts, answers and interrupts, of at most 128 bytes. */
  name?: string;
  /** For how long a call that changes something is tried again when the connection was lost under it, in milliseconds; absent: 30 s. */
  patienceMs?: number;
  /** How requests are sent; absent: the runtime's fetch. */
  fetch?: Fetch;
  /** Says for people which daemon this is; absent: the base. */
  where?: string;
  /** @internal */
  clock?: Clock;
}

/** What a call may be given. */
export interface CallOptions {
  /** Ends the call: it throws the signal's reason. */
  signal?: AbortSignal;
}

/** What a call that changes something may be given: a key of idempotency, by which the daemon does it once (spec §7.16). */
export interface KeyOptions extends CallOptions {
  /**
   * Of at most 128 bytes, another one for each call; absent: one of its own. A program that keeps the key before it calls can ask again after its own end, and gets the daemon's answer of then, or
   * the Problem uncertain.
   */
  key?: string;
}

/** One request. */
export interface Call {
  method: string;
  /** Escaped. */
  path: string;
  /** Members that are undefined are left out; lists are repeated. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** How long the answer may take to begin, in milliseconds; absent: a minute. */
  patienceMs?: number;
}

/** How long an answer may take to begin. */
export const answerWithin = 60_000;

/** Bounds an answer that is read whole, in bytes. */
const maxAnswer = 64 << 20;

/** Bounds a problem. */
export const maxProblem = 1 << 20;

/** The way to a daemon. */
export class Wire {
  readonly base: string;
  readonly where: string;
  readonly name: string | undefined;
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly #token: string | undefined;
  readonly #fetch: Fetch;

  constructor(o: ClientOptions) {
    this.base = checked(o.base);
    this.where = o.where ?? this.base;
    this.name = o.name;
    this.patienceMs = o.patienceMs ?? 30_000;
    this.clock = o.clock ?? realClock;
    this.#token = o.token;
    this.#fetch = o.fetch ?? ((url, init) => fetch(url, init));
  }

  /** Sends a request; the answer is a success. */
  async do(call: Call, signal?: AbortSignal): Promise<Response> {
    const response = await this.request(call, signal);
    if (response.ok) {
      return response;
    }
    throw problemOf(response, await read(response, maxProblem).catch(() => ''));
  }

  /** Sends a request, and gives the answer whatever its status. */
  async request(call: Call, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { ...call.headers };
    if (this.#token !== undefined) {
      headers['Authorization'] = `Bearer ${this.#token}`;
    }
    if (call.body !== undefined) {
      headers['Content-Type'] ??= 'application/json';
    }
    const late = new AbortController();
    const ends = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    const cancel = this.clock.after(call.patienceMs ?? answerWithin, () => late.abort(new Error('the answer does not come')));
    try {
      return await this.#fetch(this.base + call.path + queryOf(call.query ?? {}), {
        method: call.method, headers, body: call.body === undefined ? null : JSON.stringify(call.body), signal: ends,
        redirect: 'manual', credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer',
      });
    } catch (thrown) {
      signal?.throwIfAborted();
      throw late.signal.aborted ? new Unreachable(this.where, true, late.signal.reason) : unreachable(this.where, thrown);
    } finally {
      cancel();
    }
  }

  /** Sends a request and reads the JSON of its answer; undefined where it has no body. */
  async json<T>(call: Call, signal?: AbortSignal): Promise<T> {
    const text = await this.text(call, signal);
    try {
      return (text.trim() === '' ? undefined : JSON.parse(text)) as T;
    } catch (cause) {
      throw new UnexpectedAnswer(`${call.method} ${call.path}: the daemon's answer is no JSON`, { cause });
    }
  }

  /** Sends a request and reads its answer whole. */
  async text(call: Call, signal?: AbortSignal): Promise<string> {
    const response = await this.do(call, signal);
    try {
      return await read(response, maxAnswer);
    } catch (thrown) {
      signal?.throwIfAborted();
      throw thrown instanceof UnexpectedAnswer ? thrown : new Unreachable(this.where, true, thrown);
    }
  }
}

/** Reads the problem of an answer that is none of a success. */
export function problemOf(response: Response, text: string): Error {
  const isProblem = response.headers.get('Content-Type')?.split(';')[0]?.trim() === 'application/problem+json';
  try {
    const body = JSON.parse(text) as ProblemBody;
    if (isProblem && typeof body.code === 'string') {
      return new Problem({ ...body, status: response.status }, retryAfterOf(response));
    }
  } catch {
    // said below
  }
  return new UnexpectedAnswer(`the daemon answered ${response.status}, which is none of its own answers: is it something else that listens there?`);
}

/** What an answer asks to wait before another try, in milliseconds; 0: nothing. */
export function retryAfterOf(response: Response): number {
  const text = response.headers.get('Retry-After') ?? '';
  return /^[0-9]{1,6}$/.test(text) ? Number(text) * 1000 : 0;
}

async function read(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '', bytes = 0;
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader!.read()) {
    bytes += part.value.length;
    if (bytes > most) {
      await reader!.cancel();
      throw new UnexpectedAnswer(`the daemon's answer is longer than ${most >> 20} MiB`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function queryOf(members: NonNullable<Call['query']>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(members)) {
    for (const item of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
      query.append(key, String(item));
    }
  }
  return query.size === 0 ? '' : `?${query}`;
}

function checked(base: string): string {
  let url: URL | undefined;
  try {
    url = new URL(base);
  } catch {
    // said below
  }
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username + url.password + url.search + url.hash !== '' || url.pathname !== '/') {
    throw new TypeError(`base ${JSON.stringify(base.slice(0, 200))}: want http://HOST:PORT or https://HOST:PORT`);
  }
  return url.origin;
}
