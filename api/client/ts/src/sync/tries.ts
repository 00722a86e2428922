import { backoff } from './backoff.ts';

/** Bounds what is counted. */
const most = 1000;

/** What went wrong, for the waits before the next connection. */
export class Tries {
  /** Connections in a row that brought no new line and no sign of life. */
  #fails = 0;
  /** Gaps, strange epochs and resets since the server last agreed on the position. */
  #strikes = 0;
  /** Gaps in a row, without a good line between them. */
  #gaps = 0;
  /** This connection has brought something. */
  #heard = false;
  /** What the server asked for in a stream. */
  retryMs = 0;

  /** Server and client are at one position. */
  agreed(): void {
    this.#fails = this.#strikes = this.#gaps = 0;
    this.#heard = true;
  }

  /** A line came that follows. */
  line(): void {
    this.#fails = this.#gaps = 0;
    this.#heard = true;
  }

  /** The log begins anew: a gap in it is the first. */
  anew(): void {
    this.#gaps = 0;
  }

  connected(): void {
    this.#heard = false;
  }

  lost(): void {
    this.#fails = Math.min(this.#fails + 1, most);
  }

  /** The server is there and said no: to ask at once would be no use. */
  refused(): void {
    this.lost();
    this.#fails = Math.max(this.#fails, 2);
  }

  strike(): void {
    this.#strikes = Math.min(this.#strikes + 1, most);
  }

  /** Counts a gap, and says whether it is the first without a good line since the last one. */
  gap(): boolean {
    this.#gaps = Math.min(this.#gaps + 1, most);
    return this.#gaps === 1;
  }

  /**
   * The wait before the next connection, in milliseconds; undefined: none. It is the longer, the less the last tries brought. A server that brings lines and is wrong about them every time must not be
   * asked without end either, which is what strikes are for.
   */
  wait(askedMs: number, jitter: number): number | undefined {
    const attempt = Math.max(this.#fails, this.#strikes - 1);
    const asked = attempt > 1 || !this.#heard ? Math.max(askedMs, this.retryMs) : askedMs;
    return attempt <= 1 && asked <= 0 ? undefined : backoff(attempt, asked, jitter);
  }
}
