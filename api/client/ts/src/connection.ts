import { Unreachable } from './errors.ts';
import { maxProblem, problemOf, type Call, type Wire } from './wire.ts';

/** The daemon shows itself every 15 s: three missing signs are a dead connection (spec §7.4). */
export const silence = 45_000;

/** A connection that lived so long was a good one, also without an event. */
export const quiet = 10_000;

/** An answer that is read while it comes. */
export class Connection {
  readonly response: Response;
  readonly #wire: Wire;
  readonly #signal: AbortSignal | undefined;
  readonly #ends: AbortController;
  readonly #unlink: () => void;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  private constructor(wire: Wire, response: Response, ends: AbortController, unlink: () => void, signal: AbortSignal | undefined) {
    this.response = response;
    this.#wire = wire;
    this.#ends = ends;
    this.#unlink = unlink;
    this.#signal = signal;
    this.#reader = response.body?.getReader();
  }

  /** Sends a request, and gives the answer whatever its status. */
  static async open(wire: Wire, call: Call, signal?: AbortSignal): Promise<Connection> {
    signal?.throwIfAborted();
    const ends = new AbortController();
    const abort = (): void => ends.abort(signal!.reason);
    const unlink = (): void => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return new Connection(wire, await wire.request(call, ends.signal), ends, unlink, signal);
    } catch (problem) {
      unlink();
      throw problem;
    }
  }

  /** Sends a request whose answer is a success. */
  static async begin(wire: Wire, call: Call, signal?: AbortSignal): Promise<Connection> {
    const connection = await Connection.open(wire, call, signal);
    if (connection.response.ok) {
      return connection;
    }
    try {
      throw await connection.problem();
    } finally {
      connection.close();
    }
  }

  /** Reads the problem of an answer that is none of a success. */
  async problem(): Promise<Error> {
    const decoder = new TextDecoder();
    let text = '';
    for (let bytes = await this.next(); bytes !== undefined && text.length < maxProblem; bytes = await this.next()) {
      text += decoder.decode(bytes, { stream: true });
    }
    return problemOf(this.response, text);
  }

  /** Gives the next bytes; undefined at the end. It throws the signal's reason, or Unreachable when the connection is lost or was silent for 45 s. */
  async next(): Promise<Uint8Array | undefined> {
    const cancel = this.#wire.clock.after(silence, () => this.#ends.abort(new Error('the daemon went silent')));
    try {
      const part = await this.#reader?.read();
      return part?.value;
    } catch (thrown) {
      this.#signal?.throwIfAborted();
      throw new Unreachable(this.#wire.where, true, this.#ends.signal.aborted ? this.#ends.signal.reason : thrown);
    } finally {
      cancel();
    }
  }

  /** Ends the connection. */
  close(): void {
    this.#unlink();
    this.#ends.abort(new Error('closed'));
    void this.#reader?.cancel().catch(() => undefined); // it is over already
  }
}
