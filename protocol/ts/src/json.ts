/** JSON by the letter of spec §3.2: JSON.parse, and beyond it what makes a text mean the same to every reader. */

import { EventSyntaxError } from './errors.ts';

/** Limits of one event (spec §3.2). */
export const maxEvent = 16 * 1024 * 1024; // bytes of one line
export const maxDepth = 64; // nesting of objects and arrays
export const maxMembers = 65_536; // members of an object and of those around it; elements of an array that the spec names

/**
 * A number that a double does not hold as it was written, such as 1234567890123456789 or 1.0, in a member that the protocol does not name. It counts as the
 * nearest double, and JSON.stringify writes it as it came, where the runtime has JSON.rawJSON.
 */
export class ExactNumber extends Number {
  /** The number as it was written. */
  readonly source: string;

  constructor(source: string) {
    super(source);
    this.source = source;
  }

  toJSON(): unknown {
    return rawJSON === undefined ? this.valueOf() : rawJSON(this.source);
  }
}

const rawJSON = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

/** Any JSON object. */
export type JSONObject = { [member: string]: unknown };

/** Parses a text that must be one JSON object, at most depth levels deep. */
export function parseObject(text: string, depth: number): JSONObject {
  const exact = scan(text, depth);
  let value: unknown;
  try {
    value = exact ? JSON.parse(text, keepExact as (key: string, value: unknown) => unknown) : JSON.parse(text);
  } catch {
    throw new EventSyntaxError('no JSON');
  }
  if (!isObject(value)) {
    throw new EventSyntaxError('want an object');
  }
  return value;
}

/** A JSON object, and no array, null or number. */
export function isObject(value: unknown): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

function keepExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? new ExactNumber(source) : value;
}

/** Where scan has found the next backslash. It is no variable of scan's own: of such a one V8's optimizer asks anew at each use, which is the whole text for each string in it. */
let escape = -1;

/**
 * Looks for what JSON.parse lets pass: duplicate keys, unpaired surrogates, too many levels or members. It takes the text to be JSON; of another text
 * it may say anything, and JSON.parse refuses it. The answer says that some number is not written as a double would be.
 */
function scan(text: string, depth: number): boolean {
  if (!text.isWellFormed()) {
    throw new EventSyntaxError('unpaired surrogate');
  }
  let exact = false;
  escape = text.indexOf('\\');
  let members = 0;
  const open: (string[] | undefined)[] = []; // the keys of each open object; undefined for an array
  for (let i = 0; i < text.length; ) {
    const ch = text.charCodeAt(i);
    if (ch === quote) {
      let end = text.indexOf('"', i + 1);
      const escaped = escape >= 0 && escape < end;
      if (escaped) {
        end = endOfEscaped(text, i + 1);
      }
      if (end < 0) {
        break;
      }
      const keys = open[open.length - 1];
      const next = keys === undefined ? end + 1 : skipBlank(text, end + 1);
      if (keys !== undefined && text.charCodeAt(next) === colon) {
        if (members === maxMembers) {
          throw new EventSyntaxError('too many members');
        }
        members++;
        keys.push(escaped ? unescaped(text.slice(i, end + 1)) : text.slice(i + 1, end));
      }
      i = next;
    } else if (ch === brace || ch === bracket) {
      if (open.length === depth) {
        throw new EventSyntaxError('nested too deep');
      }
      open.push(ch === brace ? [] : undefined);
      i++;
    } else if (ch === braceEnd || ch === bracketEnd) {
      const keys = open.pop();
      if (keys !== undefined) {
        members -= keys.length;
        refuseDuplicates(keys);
      }
      i++;
    } else if (ch === minus || (ch >= zero && ch <= nine)) {
      const end = endOfNumber(text, i);
      exact ||= !isDouble(text, i, end);
      i = end;
    } else {
      i++;
    }
  }
  return exact;
}

const quote = 0x22, colon = 0x3a, brace = 0x7b, braceEnd = 0x7d, bracket = 0x5b, bracketEnd = 0x5d, minus = 0x2d, zero = 0x30, nine = 0x39;
const backslash = 0x5c;

function skipBlank(text: string, i: number): number {
  for (;;) {
    const ch = text.charCodeAt(i);
    if (ch !== 0x20 && ch !== 0x09 && ch !== 0x0a && ch !== 0x0d) {
      return i;
    }
    i++;
  }
}

/** The index of the quote that ends a string, whose inside begins at i and has the escape that was found; −1 where there is none. The next escape is found then. A high surrogate must be followed by a low one. */
function endOfEscaped(text: string, i: number): number {
  let end = -1; // a quote that was found, behind the last escape or inside it
  for (;;) {
    if (end < i) {
      end = text.indexOf('"', i);
    }
    if (end < 0) {
      return -1;
    }
    if (escape >= 0 && escape < i) {
      escape = text.indexOf('\\', i);
    }
    if (escape < 0 || escape > end) {
      return end;
    }
    const at = escape + 1;
    const high = surrogate(text, at);
    i = at + 1;
    if (high !== 0) {
      if (high !== 1 || text.charCodeAt(at + 5) !== backslash || surrogate(text, at + 6) !== 2) {
        throw new EventSyntaxError('unpaired surrogate');
      }
      i = at + 11;
    }
  }
}

/** What an escape behind its backslash is: 1 for a high surrogate, 2 for a low one, 0 for anything else. */
function surrogate(text: string, i: number): 0 | 1 | 2 {
  if (text.charCodeAt(i) !== 0x75 || !/^[dD][89a-fA-F]/.test(text.slice(i + 1, i + 3))) {
    return 0;
  }
  return /[89abAB]/.test(text.charAt(i + 2)) ? 1 : 2;
}

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw new EventSyntaxError('no JSON');
  }
}

function refuseDuplicates(keys: string[]): void {
  if (keys.length > 16) {
    if (new Set(keys).size < keys.length) {
      throw new EventSyntaxError('duplicate key');
    }
    return;
  }
  for (let i = 1; i < keys.length; i++) {
    if (keys.indexOf(keys[i]!) < i) {
      throw new EventSyntaxError('duplicate key');
    }
  }
}

function endOfNumber(text: string, i: number): number {
  for (i++; i < text.length; i++) {
    const ch = text.charCodeAt(i);
    if ((ch < zero || ch > nine) && ch !== 0x2e && ch !== 0x65 && ch !== 0x45 && ch !== 0x2b && ch !== minus) {
      break;
    }
  }
  return i;
}

/** A double holds the number as it is written. Short whole numbers, which are most, are seen without making one. */
function isDouble(text: string, from: number, to: number): boolean {
  let i = from;
  while (i < to && text.charCodeAt(i) >= zero && text.charCodeAt(i) <= nine) {
    i++;
  }
  if (i === to && to - from < 16) {
    return true;
  }
  const source = text.slice(from, to);
  return String(Number(source)) === source;
}
