import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import './page.ts';
import type { Glance } from 'ringmaster-client';

const { encodeEvent } = await import('ringmaster-protocol');

/** A seeded sequence of numbers. */
export function random(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

const fixtures = join(import.meta.dirname, '../../../../protocol/testdata/logs');

/** The logs that the packages are held to. */
export const logs = readdirSync(fixtures).map((name) => ({ name, lines: readFileSync(join(fixtures, name), 'utf8').split('\n').filter((line) => line !== '') }));

/** Logs as a cache has them. */
export function shelf(all: Record<string, readonly string[]>): { glance(id: string): Promise<Glance | undefined>; reads: number[] } {
  const reads: number[] = [];
  return {
    reads,
    glance: async (id) => {
      const lines = all[id];
      const bytes = lines === undefined ? undefined : new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
      return bytes && {
        epoch: 1, seq: lines!.length, length: bytes.length, close: async () => undefined,
        read: async (at, length) => {
          reads.push(length);
          return bytes.slice(at, at + length);
        },
      };
    },
  };
}

/** A log in which an agent says these texts. */
export const saying = (texts: readonly string[]): string[] => [
  encodeEvent({ seq: 1, ts: 1, type: 'session_start', sessionId: 's', agentBackend: 'x', metadata: {} }),
  ...texts.map((text, i) => encodeEvent({ seq: i + 2, ts: i + 2, type: 'entry_end', entryId: `e${i}`, entryType: 'assistant_message', data: { role: 'assistant', text } })),
];
