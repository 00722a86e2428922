import { decodeMessage, EventSyntaxError, formatCursor, isSignal, LineError, LineReader, type Cursor, type LogEvent } from 'ringmaster-protocol';
import { Connection } from './connection.ts';
import { Problem, UnexpectedAnswer, Unreachable } from './errors.ts';
import type { Call, CallOptions, Wire } from './wire.ts';

/** One event of a log. */
export interface Line {
  event: LogEvent;
  at: Cursor;
  /** Its line as the daemon wrote it, without the newline: what a cache keeps. */
  line: string;
}

/** Which part of a log is wanted, and how. */
export interface LogOptions extends CallOptions {
  /** What follows it; absent: everything. */
  since?: Cursor;
  /** settled: without the deltas of entries that have ended; the numbers stay. Absent: every event. */
  view?: 'full' | 'settled';
}

/** The request for a log. */
export function logCall(path: string, o: LogOptions): Call {
  const since = o.since !== undefined && o.since.seq > 0 ? formatCursor(o.since) : undefined;
  return { method: 'GET', path: `${path}/log`, query: { since, view: o.view === 'settled' ? o.view : undefined } };
}

/** How far a log goes, by its headers (spec §7.10). */
export function extentOf(response: Response): { version: number; epoch: number } {
  const [version, epoch] = ['X-Session-Version', 'X-Session-Epoch'].map((name) => Number(response.headers.get(name) ?? NaN)) as [number, number];
  if (!Number.isSafeInteger(version) || !Number.isSafeInteger(epoch)) {
    throw new UnexpectedAnswer("the daemon's log does not say how far it goes");
  }
  return { version, epoch };
}

/** Reads a log up to the newest event that there is when it begins. */
export async function* readLines(wire: Wire, path: string, o: LogOptions): AsyncGenerator<Line, void, undefined> {
  const connection = await Connection.begin(wire, logCall(path, o), o.signal);
  try {
    const { version, epoch } = extentOf(connection.response);
    const reader = new LineReader();
    let seq = o.since?.seq ?? 0, isFirst = seq === 0;
    for (let bytes = await connection.next(); bytes !== undefined; bytes = await connection.next()) {
      for (const line of reader.push(bytes)) {
        const event = eventOf(line);
        if (o.view === 'settled' || isFirst ? event.seq <= seq : event.seq !== seq + 1) {
          throw new UnexpectedAnswer(`the log has a gap: event ${event.seq} came after ${seq}`);
        }
        isFirst = false;
        seq = event.seq;
        yield { event, at: { epoch, seq }, line: (line as { text: string }).text };
      }
    }
    if (reader.end() !== undefined || (seq < version && o.view !== 'settled')) {
      throw new Unreachable(wire.where, true, new Error(`the log ended with event ${seq} of ${version}`));
    }
  } finally {
    connection.close();
  }
}

function eventOf(line: { text: string } | LineError): LogEvent {
  if (line instanceof LineError) {
    throw new UnexpectedAnswer(`the daemon's log: ${line.message}`, { cause: line });
  }
  const message = decoded(line.text);
  if (!isSignal(message)) {
    return message;
  }
  const { problem = '', hint } = message as { problem?: string; hint?: string };
  throw new Problem({ type: 'about:blank', code: 'damaged', status: 200, title: 'The log is damaged', detail: `The log ends early: ${problem}.`, hint });
}

/** Reads a message of the daemon. */
export function decoded(text: string): ReturnType<typeof decodeMessage> {
  try {
    return decodeMessage(text);
  } catch (cause) {
    throw cause instanceof EventSyntaxError ? new UnexpectedAnswer(`the daemon's log: ${cause.message}`, { cause }) : cause;
  }
}
