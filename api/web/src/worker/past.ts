import { decodeEvent, decodeState, encodeState, EventSyntaxError, Fold, type Cursor } from 'ringmaster-protocol';
import type { Folder, Glance } from 'ringmaster-client';

/** How much is read and folded at once, in bytes. */
const piece = 64 << 10;

/** States are remembered every so many bytes of a log, or a fraction of it, whichever is more; and so many characters of them in all, of the sessions that were asked about last. */
const leastBetween = 1 << 20, fraction = 24, mostRemembered = 32 << 20, mostSessions = 4;

/** For how long it keeps its worker from everything else, in milliseconds. */
const patience = 8;

interface Mark {
  seq: number;
  /** Where the lines go on, in bytes. */
  at: number;
  state: string;
}

/** What is remembered of a session, in the order of its log. */
interface Remembered {
  epoch: number;
  marks: Mark[];
}

/**
 * States of sessions at cursors of their past, folded from the lines that are kept of them. It remembers some states on its way, so that whoever moves a slider waits for a small part of the log at each step. Of another epoch it
 * begins anew.
 */
export class Past {
  readonly #folder: Pick<Folder, 'glance'>;
  readonly #around: { now(): number; rest(): Promise<void> };
  readonly #remembered = new Map<string, Remembered>(); // by session, the one that was asked about last at the end

  constructor(folder: Pick<Folder, 'glance'>, around: { now(): number; rest(): Promise<void> }) {
    this.#folder = folder;
    this.#around = around;
  }

  /** Gives the state in its JSON; undefined: not all of the log up to there is kept, or nobody wants it any more. */
  async state(id: string, at: Cursor, signal: AbortSignal): Promise<string | undefined> {
    const log = await this.#folder.glance(id);
    if (log === undefined) {
      return undefined;
    }
    let state: string | undefined;
    try {
      state = log.epoch === at.epoch && log.seq >= at.seq && at.seq > 0 ? await this.#state(id, log, at, signal) : undefined;
    } catch {
      // it was dropped meanwhile
    } finally {
      await log.close();
    }
    if (await this.#isStill(id, log)) {
      return state;
    }
    this.#remembered.delete(id);
    return undefined;
  }

  /** Whether the lines that were read are of the log that was looked at: it may have been dropped and stored anew, with lines of another epoch. */
  async #isStill(id: string, log: Glance): Promise<boolean> {
    const now = await this.#folder.glance(id);
    await now?.close();
    return now !== undefined && now.epoch === log.epoch && now.length >= log.length;
  }

  async #state(id: string, log: Glance, at: Cursor, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#remembered.get(id);
    const of = known?.epoch === log.epoch ? known : { epoch: log.epoch, marks: [] };
    this.#remembered.delete(id);
    this.#remembered.set(id, of);
    if (this.#remembered.size > mostSessions) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    const mark = of.marks.findLast((m) => m.seq <= at.seq);
    const fold = new Fold(mark === undefined ? undefined : decodeState(mark.state));
    let seq = mark?.seq ?? 0, rest = new Uint8Array(), began = this.#around.now();
    for (let from = mark?.at ?? 0; seq < at.seq && from < log.length; ) {
      const bytes = await log.read(from, piece);
      if (bytes.length === 0) {
        return undefined;
      }
      from += bytes.length;
      const end = bytes.lastIndexOf(0x0a) + 1;
      if (end > 0) {
        const lines = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(joined(rest, bytes.subarray(0, end))).split('\n');
        for (const line of lines) {
          if (line !== '' && seq < at.seq) {
            if (numberOf(line) !== ++seq) {
              return undefined; // the log does not begin with its first line
            }
            apply(fold, line);
          }
        }
      }
      rest = joined(end > 0 ? new Uint8Array() : rest, bytes.subarray(end));
      if (seq < at.seq) {
        this.#remember(of, fold, seq, from - rest.length, log);
      }
      if (this.#around.now() - began >= patience) {
        await this.#around.rest();
        began = this.#around.now();
      }
      if (signal.aborted) {
        return undefined;
      }
    }
    return seq === at.seq ? encoded(fold, log.epoch) : undefined;
  }

  #remember(of: Remembered, fold: Fold, seq: number, at: number, log: Glance): void {
    const last = of.marks.at(-1);
    if (at - (last?.at ?? 0) < Math.max(leastBetween, log.length / fraction)) {
      return;
    }
    const state = encoded(fold, log.epoch);
    if (state === undefined || state.length > mostRemembered / 4) {
      return;
    }
    of.marks.push({ seq, at, state });
    for (;;) {
      const all = [...this.#remembered.values()].map((r) => ({ r, size: r.marks.reduce((sum, m) => sum + m.state.length, 0) }));
      if (all.reduce((sum, { size }) => sum + size, 0) <= mostRemembered) {
        return;
      }
      const { r } = all.reduce((a, b) => (b.size > a.size ? b : a)); // not at the cost of the others
      r.marks = r.marks.filter((_, i) => i % 2 === 1);
    }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The number of a line; undefined: it is no event. */
function numberOf(line: string): number | undefined {
  const found = /^\{"seq":([0-9]{1,16}),/.exec(line);
  return found === null ? (JSON.parse(line) as { seq?: number }).seq : Number(found[1]);
}

function apply(fold: Fold, line: string): void {
  try {
    fold.apply(decodeEvent(line));
  } catch (problem) {
    if (!(problem instanceof EventSyntaxError)) { // that is one of a later version
      throw problem;
    }
  }
}

/** The state in its JSON, which one of a log without a beginning does not have. */
function encoded(fold: Fold, epoch: number): string | undefined {
  if (fold.state.sessionId === '') {
    return undefined;
  }
  return encodeState({ ...fold.toJSON(), epoch });
}
