import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, Fold, type LogEvent } from '../src/index.ts';

/** The fixtures of the protocol, which every implementation is held against. */
export const folder = join(import.meta.dirname, '../../testdata');

export interface FixtureLog {
  name: string;
  /** The file as it is. */
  text: string;
  lines: string[];
}

export const logs: FixtureLog[] = readdirSync(join(folder, 'logs')).map((file) => {
  const text = readFileSync(join(folder, 'logs', file), 'utf8');
  return { name: file.replace('.ndjson', ''), text, lines: text.split('\n').slice(0, -1) };
});

export function fixture(kind: 'fold' | 'chunks', name: string): unknown {
  const ending = kind === 'fold' ? 'state' : 'chunks';
  return JSON.parse(readFileSync(join(folder, kind, `${name}.${ending}.json`), 'utf8'));
}

export function decodeAll(lines: string[]): LogEvent[] {
  return lines.map(decodeEvent);
}

export function fold(events: Iterable<LogEvent>, into: Fold = new Fold()): Fold {
  for (const event of events) {
    into.apply(event);
  }
  return into;
}

/** What a value is once it was written and read: undefined members are gone, exact numbers are doubles. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
