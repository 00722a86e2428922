import { decodeMessage, type Message } from './codec.ts';
import { EventSyntaxError, FrameError, LineError } from './errors.ts';
import { LineReader } from './ndjson.ts';
import { SSEReader, type Frame } from './sse.ts';

/** Bytes as they come: the body of a fetch, or of a file. Its end is closed or cancelled when a loop over it is left. */
export type Body = AsyncIterable<Uint8Array> | ByteStream;

/** A ReadableStream of bytes, as far as it is needed: not every browser can loop over one. */
export interface ByteStream {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<unknown> };
}

/** A line of /log with what it says. The line is what a cache keeps; a signal (isSignal) is no part of the log. */
export interface LogLine {
  line: string;
  message: Message;
}

/** A frame of a session's stream with what it says. Its data is the log's line, where it is an event. */
export interface StreamFrame extends Frame {
  message: Message;
}

/** Reads the body of GET /sessions/{id}/log. The first line that cannot be used ends it with a LineError. */
export async function* readLog(body: Body): AsyncGenerator<LogLine, void, undefined> {
  const lines = new LineReader();
  for await (const bytes of pieces(body)) {
    for (const line of lines.push(bytes)) {
      if (line instanceof LineError) {
        throw line;
      }
      yield { line: line.text, message: decoded(line.text, (cause) => new LineError(line.number, 'syntax', cause)) };
    }
  }
  const torn = lines.end();
  if (torn !== undefined) {
    throw torn;
  }
}

/**
 * Reads the body of GET /sessions/{id}/stream or /log/events. The first frame that cannot be used ends it with a FrameError; a body that ends inside a frame ends
 * without one. A reader that is given has the last event id and the wait afterwards.
 */
export async function* readStream(body: Body, reader: SSEReader = new SSEReader()): AsyncGenerator<StreamFrame, void, undefined> {
  for await (const bytes of pieces(body)) {
    for (const frame of reader.push(bytes)) {
      if (frame instanceof FrameError) {
        throw frame;
      }
      yield { ...frame, message: decoded(frame.data, (cause) => new FrameError(frame.id, 'syntax', cause)) };
    }
  }
}

function decoded(text: string, wrap: (cause: EventSyntaxError) => Error): Message {
  try {
    return decodeMessage(text);
  } catch (problem) {
    throw problem instanceof EventSyntaxError ? wrap(problem) : problem;
  }
}

async function* pieces(body: Body): AsyncGenerator<Uint8Array, void, undefined> {
  if (Symbol.asyncIterator in body) {
    yield* body;
    return;
  }
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      if (value !== undefined) {
        yield value;
      }
    }
  } finally {
    await reader.cancel();
  }
}
