/** Objects as they are written (spec §3.3): members in the order of the tables, what is optional and empty left out, unknown members last. */

import type { JSONObject } from './json.ts';
import { shapeOf, type Member, type Shape, type Sums } from './shape.ts';

/** Copies an object as its shape is written. Objects and lists that the shape names are copied, all else is shared. */
export function wire(object: JSONObject, shape: Shape, sums: Sums): JSONObject {
  const out: JSONObject = {};
  for (const [key, member] of shape.members) {
    const value = object[key];
    if (value !== undefined && (member.keep || !isEmpty(value))) {
      out[key] = copy(object, value, member, sums);
    }
  }
  if (shape.open) {
    for (const key of Object.keys(object)) {
      if (!isNamed(shape, key)) {
        put(out, key, object[key]);
      }
    }
  }
  return out;
}

/** Copies the members that a shape names, as they are. */
export function pick<T>(object: T & object, shape: Shape<T>): T {
  const out: JSONObject = {};
  for (const [key] of shape.members) {
    const value = (object as JSONObject)[key];
    if (value !== undefined) {
      out[key] = value;
    }
  }
  return out as T;
}

/** Sets an own member, whatever its name. */
export function put(object: JSONObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** One JSON text for a value: what could break a line or steer a terminal is escaped, as the server does it. */
export function stringify(value: unknown): string {
  let text = JSON.stringify(value);
  if (/[\u007f-\u009f\u2028\u2029]/.test(text)) {
    text = text.replace(/[\u007f-\u009f\u2028\u2029]/g, (ch) => `\\u${ch.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  if (text.includes('\\b') || text.includes('\\f')) {
    text = text.replace(/\\./g, (pair) => (pair === '\\b' ? '\\u0008' : pair === '\\f' ? '\\u000c' : pair));
  }
  return text;
}

/** Says whether a shape names a member. */
export function isNamed(shape: Shape, key: string): boolean {
  return shape.members.some(([name]) => name === key);
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

function copy(around: JSONObject, value: unknown, member: Member, sums: Sums): unknown {
  switch (member.kind) {
    case 'strings':
      return [...(value as string[])];
    case 'objects':
      return (value as JSONObject[]).map((item) => wire(item, member.shape!, sums));
    case 'object':
    case 'delta':
    case 'data': {
      const object = value as JSONObject;
      const shape = shapeOf(around, object, member, sums);
      return shape === undefined ? { ...object } : wire(object, shape, sums);
    }
    default:
      return value;
  }
}
