import type { ProblemBody, ProblemDetail } from './types/index.ts';

/** The daemon refused a request (spec §11). */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** For programs. */
  readonly code: string;
  /** Of HTTP. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** What to do about it, for people; empty: nothing is known. */
  readonly hint: string;
  /** Which members of a request are wrong. */
  readonly errors: readonly ProblemDetail[];
  /** Of the codes uncertain and answer_gone: the path that shows what came of the call; else empty. */
  readonly lookAt: string;
  /** What the daemon asks to wait before another try; 0: it does not say. */
  readonly retryAfterMs: number;
  /** The whole of the answer, with the members that belong to its code. */
  readonly body: ProblemBody;

  constructor(body: ProblemBody, retryAfterMs = 0) {
    super(body.detail ?? body.title);
    this.body = body;
    this.code = body.code;
    this.status = body.status;
    this.title = body.title;
    this.detail = body.detail ?? '';
    this.hint = body.hint ?? '';
    this.errors = body.errors ?? [];
    this.lookAt = body.lookAt ?? '';
    this.retryAfterMs = retryAfterMs;
  }
}

/** No daemon answers, or the connection was lost before it did. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  /** The address, or the data folder without one. */
  readonly where: string;
  /** The daemon may have got the request, and may have done what it asks for. */
  readonly sent: boolean;
  readonly hint = 'start one with: ringmaster up, or name another address';

  constructor(where: string, sent: boolean, cause?: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(cause === undefined ? `no daemon runs for ${where}` : `no daemon answers at ${where}${why}`, { cause });
    this.where = where;
    this.sent = sent;
  }
}

/** The daemon's answer is not as the protocol wants it: it left out an event or sent one twice, or something else listens there. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}

/** Says that an error may not come again: the connection was lost, or the daemon is starting, ending or at its limits. */
export function isPassing(problem: unknown): boolean {
  return problem instanceof Problem ? problem.code === 'overloaded' || problem.code === 'unavailable' : problem instanceof Unreachable;
}

/** What a runtime says when there never was a connection, so that the daemon has got nothing. */
const neverSent = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'UND_ERR_CONNECT_TIMEOUT']);

/** Reads what fetch has thrown. Browsers do not say whether a request has left, so that it may have. */
export function unreachable(where: string, thrown: unknown): Unreachable {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new Unreachable(where, !neverSent.has(code), cause);
}
