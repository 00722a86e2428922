/** Descriptions of JSON objects: what a text is checked by, and what is written. The tables in shapes.ts are held to the types by the compiler. */

import { EventSyntaxError } from './errors.ts';
import { ExactNumber, isObject, maxMembers, type JSONObject } from './json.ts';

type Kind =
  | 'string' | 'integer' | 'natural' | 'number' | 'boolean' | 'strings' | 'lists' | 'map' | 'any' | 'object' | 'objects' | 'delta' | 'data';

/** One member of an object: what it holds (V), and whether it must be there (M). */
export interface Member<V = unknown, M extends boolean = boolean> {
  readonly kind: Kind;
  readonly must: M;
  /** Empty is a value, and is written: it is not the same as absent. */
  readonly keep: boolean;
  /** Of object and objects: what each is. */
  readonly shape?: Shape | undefined;
  /** Of a string: the words that this version knows. */
  readonly words?: readonly string[] | undefined;
  /** Never there: it carries V. */
  readonly value?: V;
}

/** The members that T has, each with its type and its obligation: the compiler misses none and allows none beyond. */
export type Members<T> = { readonly [K in keyof T]-?: Member<Exclude<T[K], undefined>, object extends Pick<T, K> ? false : true> };

/** An object: its members in the order in which they are written. */
export interface Shape<T = unknown> {
  readonly members: readonly (readonly [key: string, member: Member])[];
  /** Members that this version does not know belong to the object, and are kept. */
  readonly open: boolean;
  readonly value?: T;
}

/** A shape whose unknown members are kept: an object inside an event. */
export function open<T>(members: Members<T>): Shape<T> {
  return { members: Object.entries<Member>(members), open: true };
}

/** A shape without unknown members: what an event says itself, and the parts of a state. */
export function closed<T>(members: Members<T>): Shape<T> {
  return { members: Object.entries<Member>(members), open: false };
}

function must<V>(kind: Kind, more?: Partial<Member>): Member<V, true> {
  return { kind, must: true, keep: true, ...more } as Member<V, true>;
}

function may<V>(kind: Kind, more?: Partial<Member>): Member<V, false> {
  return { kind, must: false, keep: false, ...more } as Member<V, false>;
}

/** Members that must be there. */
export const required = {
  string: must<string>('string'),
  integer: must<number>('integer'),
  natural: must<number>('natural'),
  number: must<number>('number'),
  /** A string that is one of some words, or of those of a newer version; without words: that discriminates. */
  word: (words?: readonly string[]) => must<never>('string', { words }),
  object: <T>(shape: Shape<T>) => must<T>('object', { shape }),
  /** An object whose op says what it is. */
  delta: must<never>('delta'),
  /** An object of which the entryType beside it says what it is. */
  data: must<never>('data'),
};

/** Members that may be absent, which means the same as empty. */
export const optional = {
  string: may<string>('string'),
  integer: may<number>('integer'),
  natural: may<number>('natural'),
  boolean: may<boolean>('boolean'),
  strings: may<string[]>('strings'),
  lists: may<string[][]>('lists'),
  word: (words: readonly string[]) => may<never>('string', { words }),
  objects: <T>(shape: Shape<T>) => may<T[]>('objects', { shape }),
};

/** Members that may be absent, which does not mean the same as empty. */
export const known = {
  string: may<string>('string', { keep: true }),
  integer: may<number>('integer', { keep: true }),
  map: may<Record<string, string>>('map', { keep: true }),
  any: may<unknown>('any', { keep: true }),
  object: <T>(shape: Shape<T>) => may<T>('object', { keep: true, shape }),
};

/** What the tables of ops and entry types say: the shape of such a delta or such data, undefined for one that is not known. */
export interface Sums {
  delta(op: string): Shape | undefined;
  data(entryType: string): Shape | undefined;
}

/** Checks an object that was parsed, in place: a known member that is null is taken out, as absent. The first problem is an EventSyntaxError. */
export function check(object: JSONObject, shape: Shape, sums: Sums, path = '', most: number = maxMembers): void {
  for (const [key, member] of shape.members) {
    const value = object[key];
    if (value === null || value === undefined) {
      if (member.must) {
        throw new EventSyntaxError('missing', `${path}/${key}`);
      }
      if (value === null) {
        delete object[key];
      }
      continue;
    }
    switch (member.kind) {
      case 'string':
        if (typeof value !== 'string') {
          throw new EventSyntaxError('want a string', `${path}/${key}`);
        }
        break;
      case 'boolean':
        if (typeof value !== 'boolean') {
          throw new EventSyntaxError('want true or false', `${path}/${key}`);
        }
        break;
      case 'integer':
      case 'natural':
        if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
          object[key] = integer(value, `${path}/${key}`);
        }
        if (member.kind === 'natural' && (object[key] as number) < 0) {
          throw new EventSyntaxError('want a non-negative integer', `${path}/${key}`);
        }
        break;
      case 'number':
        if ((typeof value !== 'number' && !(value instanceof ExactNumber)) || !Number.isFinite(Number(value))) {
          throw new EventSyntaxError('want a number', `${path}/${key}`);
        }
        object[key] = Number(value);
        break;
      case 'any':
        break;
      default:
        nested(object, key, member, sums, `${path}/${key}`, most);
    }
  }
}

function nested(object: JSONObject, key: string, member: Member, sums: Sums, path: string, most: number): void {
  const value = object[key];
  switch (member.kind) {
    case 'strings':
      strings(value, path, most);
      return;
    case 'lists':
      for (const [i, list] of array(value, path, most).entries()) {
        strings(list, `${path}/${i}`, most);
      }
      return;
    case 'objects':
      for (const [i, item] of array(value, path, most).entries()) {
        check(asObject(item, `${path}/${i}`), member.shape!, sums, `${path}/${i}`, most);
      }
      return;
    case 'map':
      for (const text of Object.values(asObject(value, path))) {
        if (typeof text !== 'string') {
          throw new EventSyntaxError('want an object of strings', path);
        }
      }
      return;
    default: {
      const inner = asObject(value, path);
      if (member.kind === 'delta' && typeof inner['op'] !== 'string') {
        throw new EventSyntaxError(inner['op'] == null ? 'missing' : 'want a string', `${path}/op`);
      }
      const shape = shapeOf(object, inner, member, sums);
      if (shape !== undefined) {
        check(inner, shape, sums, path, most);
      }
    }
  }
}

/** The shape of an object inside another one; undefined where this version does not know it. */
export function shapeOf(around: JSONObject, object: JSONObject, member: Member, sums: Sums): Shape | undefined {
  switch (member.kind) {
    case 'delta':
      return sums.delta(object['op'] as string);
    case 'data':
      return sums.data(around['entryType'] as string);
    default:
      return member.shape;
  }
}

/** A whole number that was written in an odd way is one all the same: -0. */
function integer(value: unknown, path: string): number {
  if (value instanceof ExactNumber && /^-?[0-9]+$/.test(value.source) && Number.isSafeInteger(value.valueOf())) {
    return value.valueOf() + 0;
  }
  throw new EventSyntaxError('want an integer of at most 2^53-1', path);
}

function asObject(value: unknown, path: string): JSONObject {
  if (!isObject(value)) {
    throw new EventSyntaxError('want an object', path);
  }
  return value;
}

function array(value: unknown, path: string, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) {
    throw new EventSyntaxError(`want an array of at most ${most} elements`, path);
  }
  return value;
}

function strings(value: unknown, path: string, most: number): void {
  for (const text of array(value, path, most)) {
    if (typeof text !== 'string') {
      throw new EventSyntaxError('want an array of strings', path);
    }
  }
}
