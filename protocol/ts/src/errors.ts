/** A text is no event, no message or no state of this protocol (spec §3.2). The message quotes nothing of the text. */
export class EventSyntaxError extends Error {
  override readonly name = 'EventSyntaxError';
  /** What is wrong. */
  readonly problem: string;
  /** JSON pointer of the member, where it is known. */
  readonly path: string;

  constructor(problem: string, path = '') {
    super(path === '' ? `event: ${problem}` : `event: ${path}: ${problem}`);
    this.problem = problem;
    this.path = path;
  }
}

/** A text is no cursor (spec §2.2). */
export class CursorError extends Error {
  override readonly name = 'CursorError';
  /** The text, at most 64 characters of it. */
  readonly text: string;

  constructor(text: string, problem: string) {
    super(`cursor ${JSON.stringify(text.slice(0, 64))}: ${problem}`);
    this.text = text.slice(0, 64);
  }
}

/** What is wrong with a line: it is over the limit, has no newline although nothing follows (it must not be used), or is no UTF-8; syntax: see cause. */
export type LineProblem = 'too long' | 'torn' | 'invalid UTF-8' | 'syntax';

/** A line of a log cannot be used. */
export class LineError extends Error {
  override readonly name = 'LineError';
  /** The number of the line in the body, from 1. */
  readonly line: number;
  readonly problem: LineProblem;

  constructor(line: number, problem: LineProblem, cause?: EventSyntaxError) {
    super(`line ${line}: ${cause === undefined ? problem : cause.message}`, { cause });
    this.line = line;
    this.problem = problem;
  }
}

/** What is wrong with a frame of an event stream. */
export type FrameProblem = 'too long' | 'invalid UTF-8' | 'syntax';

/** A frame of an event stream cannot be used. Its id counts as read. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  /** The last event id after this frame. */
  readonly id: string;
  readonly problem: FrameProblem;

  constructor(id: string, problem: FrameProblem, cause?: EventSyntaxError) {
    super(`frame ${JSON.stringify(id.slice(0, 64))}: ${cause === undefined ? problem : cause.message}`, { cause });
    this.id = id;
    this.problem = problem;
  }
}
