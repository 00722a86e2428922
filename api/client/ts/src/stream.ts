import { decodeEvent, EventSyntaxError, FrameError, parseMergedId, SSEReader, type Cursor, type Frame, type LogEvent } from 'ringmaster-protocol';
import { Connection } from './connection.ts';
import { UnexpectedAnswer, Unreachable } from './errors.ts';
import type { MergedMessage, StreamRequest } from './types/index.ts';
import type { Call, CallOptions, Wire } from './wire.ts';

/** What a merged stream says besides events (spec §7.13). */
export type MergedSignal = Exclude<MergedMessage, LogEvent>;

/** One thing that a merged stream says: a line of a session's log, or a signal. Types that this package does not know come as they are. */
export type StreamItem = MergedEventItem | MergedSignal;

/** A line of a session's log. */
export interface MergedEventItem {
  type: 'event';
  sessionId: string;
  at: Cursor;
  /** As the daemon wrote it, without the newline. */
  line: string;
  /** Absent where this package cannot decode the line. */
  event?: LogEvent;
}

/** The request for a merged stream. */
export function streamCall(want: StreamRequest): Call {
  return { method: 'POST', path: '/stream', body: want, headers: { Accept: 'text/event-stream' } };
}

/** Reads one connection, until the daemon ends it. */
export async function* readMerged(wire: Wire, want: StreamRequest, o: CallOptions): AsyncGenerator<StreamItem, void, undefined> {
  const connection = await Connection.begin(wire, streamCall(want), o.signal);
  try {
    const frames = new MergedReader();
    for (let bytes = await connection.next(); bytes !== undefined; bytes = await connection.next()) {
      for (const item of frames.push(bytes)) {
        yield item.type === 'event' ? { ...item, ...decodedEvent(item.line) } : item;
      }
    }
    if (want.select !== undefined || want.roster === true) {
      throw new Unreachable(wire.where, true, new Error('the daemon ended the connection'));
    }
  } finally {
    connection.close();
  }
}

/** Reads the frames of a merged stream, without looking into the lines of logs. */
export class MergedReader {
  readonly #frames = new SSEReader();
  #last = ''; // id of the frame before

  /** What the server asked for, in milliseconds. */
  get retryMs(): number {
    return this.#frames.retry ?? 0;
  }

  /** Takes the next bytes. An event's frame has an id of its own; a signal has none, and shows that of the frame before. */
  push(bytes: Uint8Array): StreamItem[] {
    return this.#frames.push(bytes).map((frame) => {
      if (frame instanceof FrameError) {
        throw new UnexpectedAnswer(`the daemon's stream: ${frame.message}`, { cause: frame });
      }
      const isEvent = frame.id !== this.#last;
      this.#last = frame.id;
      return isEvent ? eventItem(frame) : signal(frame);
    });
  }
}

function eventItem(frame: Frame): MergedEventItem {
  try {
    const { sessionId, cursor } = parseMergedId(frame.id);
    return { type: 'event', sessionId, at: cursor, line: frame.data };
  } catch (cause) {
    throw new UnexpectedAnswer(`the daemon's stream: ${String(cause)}`, { cause });
  }
}

function signal(frame: Frame): MergedSignal {
  try {
    const message: unknown = JSON.parse(frame.data);
    if (typeof message === 'object' && message !== null && 'type' in message) {
      return message as MergedSignal;
    }
  } catch {
    // said below
  }
  throw new UnexpectedAnswer("the daemon's stream: a frame is no signal");
}

/** Reads the event of a line; nothing where it is one of another version. */
export function decodedEvent(line: string): { event?: LogEvent } {
  try {
    return { event: decodeEvent(line) };
  } catch (problem) {
    if (problem instanceof EventSyntaxError) {
      return {};
    }
    throw problem;
  }
}
