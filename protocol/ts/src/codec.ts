import { EventSyntaxError } from './errors.ts';
import type { LogEvent } from './events.ts';
import { maxDepth, maxEvent, parseObject, type JSONObject } from './json.ts';
import { check } from './shape.ts';
import { envelope, payloadShape, sums } from './shapes.ts';
import { signalShapes, type Signal } from './signals.ts';
import type { SessionState } from './state.ts';
import { sessionState } from './stateshapes.ts';
import { isNamed, put, stringify, wire } from './wire.ts';

/** What a line of /log or the data of a frame says: an event, or a signal that is not in the log. */
export type Message = LogEvent | Signal;

/**
 * Reads one line of a log. Types and members that this version does not know are kept (spec §3.2). A known type whose members lack or have the wrong JSON
 * type is an EventSyntaxError, as is anything that RFC 8259 does not allow, a duplicate key, an unpaired surrogate, and a line over the limits.
 */
export function decodeEvent(line: string): LogEvent {
  return event(parse(line));
}

/** Reads one line of /log, or the data of a frame of a session's stream; the error is an EventSyntaxError. */
export function decodeMessage(text: string): Message {
  const object = parse(text);
  const signal = typeof object['type'] === 'string' ? signalShapes.get(object['type']) : undefined;
  if (signal === undefined) {
    return event(object);
  }
  check(object, signal, sums);
  return object as unknown as Signal;
}

/** Says that a message is a signal, and no event of the log. */
export function isSignal(message: Message): message is Signal {
  return signalShapes.has(message.type);
}

/**
 * Writes an event as one line, without the newline, as the daemon does (spec §3.3). Numbers are written as JavaScript writes them. A client that keeps a log
 * keeps the lines that it was sent.
 */
export function encodeEvent(event: LogEvent): string {
  const object = event as unknown as JSONObject;
  const shape = payloadShape(event.type);
  const out: JSONObject = { seq: event.seq, ts: event.ts, type: event.type, ...(shape === undefined ? {} : wire(object, shape, sums)) };
  for (const key of Object.keys(object)) {
    if (!isNamed(envelope, key) && (shape === undefined || !isNamed(shape, key))) {
      put(out, key, object[key]);
    }
  }
  return stringify(out);
}

/** Writes a state as the daemon does: the body of GET /sessions/{id}/state. */
export function encodeState(state: SessionState): string {
  return stringify(wire(state as unknown as JSONObject, sessionState, sums));
}

/** Reads the body of GET /sessions/{id}/state as strictly as an event; the error is an EventSyntaxError. */
export function decodeState(text: string): SessionState {
  const object = parseObject(text, maxDepth + 2); // the data of an entry lies two levels deeper than in its event
  check(object, sessionState, sums, '', Infinity);
  return object as unknown as SessionState;
}

function parse(line: string): JSONObject {
  if (line.length > maxEvent || (line.length * 3 > maxEvent && new TextEncoder().encode(line).length > maxEvent)) {
    throw new EventSyntaxError('longer than the limit');
  }
  return parseObject(line, maxDepth);
}

function event(object: JSONObject): LogEvent {
  check(object, envelope, sums);
  if (object['seq'] === 0) {
    throw new EventSyntaxError('want a number from 1', '/seq');
  }
  const shape = payloadShape(object['type'] as string);
  if (shape !== undefined) {
    check(object, shape, sums);
  }
  return object as unknown as LogEvent;
}

/**
 * Reads a state that encodeState has written and that a checksum, or a port of the same program, has brought here whole. It gives what decodeState gives, and checks nothing: the checks of a long state take longer than
 * everything else that is done with it, since they keep V8's compilers busy.
 */
export function recallState(text: string): SessionState {
  for (const [, number] of text.matchAll(unusual)) {
    if (String(Number(number)) !== number) {
      return decodeState(text);
    }
  }
  return JSON.parse(text) as SessionState;
}

/** A number that may not be written as a double would be, or a text that looks like one. */
const unusual = /[:[,]\s*((?:-0(?![.\d])|-?(?:\d+(?:\.\d+)?[eE]|[\d.]{16}|\d+\.\d*0(?!\d)|0\.0{6}))[\d.eE+-]*)/g;
