import { FrameError } from './errors.ts';
import { maxEvent } from './json.ts';
import { Splitter } from './split.ts';

/** One frame of an event stream that has data. */
export interface Frame {
  /** The last event id after this frame: what a reconnect sends as Last-Event-ID. */
  id: string;
  /** Of the event field; the daemon sends none. */
  name: string;
  /** The data lines, joined by newlines. */
  data: string;
}

/** Bounds what a server can ask for: one day. */
const maxRetry = 24 * 60 * 60 * 1000;

/**
 * Reads an event stream as the HTML standard says: CR, LF and CRLF line ends, comments, data in several lines, a byte order mark, unknown fields. It waits for nothing.
 * An id counts when its frame is whole; a frame without its empty line is never given.
 */
export class SSEReader {
  readonly #limit: number;
  readonly #lines: Splitter;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #lossy = new TextDecoder('utf-8', { ignoreBOM: true });
  #begun = false; // the place of the byte order mark is passed
  #data: string[] = []; // of the frame being read
  #bytes = 0; // of its data lines, each with its newline
  #name = '';
  #nextId = '';
  #problem: 'too long' | 'invalid UTF-8' | undefined;
  #id = '';
  #retry: number | undefined;

  /** Reads frames whose lines and data are at most limit bytes each. */
  constructor(limit: number = maxEvent + 64) {
    this.#limit = limit;
    this.#lines = new Splitter(limit, 'any');
  }

  /** What a reconnect sends as Last-Event-ID; empty before the first id. */
  get lastEventId(): string {
    return this.#id;
  }

  /** Milliseconds that the server asked to wait before a reconnect; undefined where it did not. */
  get retry(): number | undefined {
    return this.#retry;
  }

  /** Takes the next bytes and gives the frames that end in them. A frame over the limit, or with data that is no UTF-8, is a FrameError, and reading goes on behind it. */
  push(bytes: Uint8Array): (Frame | FrameError)[] {
    const frames: (Frame | FrameError)[] = [];
    for (const line of this.#lines.push(bytes)) {
      if (line === undefined) {
        this.#problem = 'too long';
        this.#begun = true;
      } else {
        this.#take(line, frames);
      }
    }
    return frames;
  }

  #take(bytes: Uint8Array, frames: (Frame | FrameError)[]): void {
    if (!this.#begun) {
      this.#begun = true;
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
        bytes = bytes.subarray(3);
      }
    }
    if (bytes.length > 0) {
      this.#field(bytes);
      return;
    }
    this.#id = this.#nextId;
    if (this.#problem !== undefined) {
      frames.push(new FrameError(this.#id, this.#problem));
    } else if (this.#data.length > 0) {
      frames.push({ id: this.#id, name: this.#name, data: this.#data.join('\n') });
    }
    this.#data = [];
    this.#bytes = 0;
    this.#name = '';
    this.#problem = undefined;
  }

  #field(bytes: Uint8Array): void {
    let text: string;
    let isText = true;
    try {
      text = this.#utf8.decode(bytes);
    } catch {
      text = this.#lossy.decode(bytes);
      isText = false;
    }
    const colon = text.indexOf(':');
    const field = colon < 0 ? text : text.slice(0, colon);
    const from = colon < 0 ? text.length : text[colon + 1] === ' ' ? colon + 2 : colon + 1;
    const value = text.slice(from);
    switch (field) {
      case 'data':
        this.#bytes += bytes.length - from + 1; // what stands before the value is ASCII
        if (!isText) {
          this.#problem ??= 'invalid UTF-8';
        }
        if (this.#bytes > this.#limit) {
          this.#problem = 'too long';
        }
        if (this.#problem === undefined) {
          this.#data.push(value);
        } else {
          this.#data = [];
        }
        break;
      case 'event':
        this.#name = value;
        break;
      case 'id':
        if (!value.includes('\0')) {
          this.#nextId = value;
        }
        break;
      case 'retry':
        if (/^[0-9]+$/.test(value)) {
          this.#retry = Math.min(Number(value), maxRetry);
        }
        break;
    }
  }
}
