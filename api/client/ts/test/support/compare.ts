import { isDeepStrictEqual } from 'node:util';
import type { Cursor } from 'ringmaster-protocol';
import type { Folder } from '../../src/cache/index.ts';
import { sessionId } from './kit.ts';
import type { Server } from './server.ts';
import { fail } from './tally.ts';

/** Holds what a life has left in its cache against the lines that it has shown, of which the last is the newest of the log; undefined: it went on without a cache. */
export async function compareStored(folder: Folder, shown: string[] | undefined, newest: number): Promise<void> {
  const { session, found } = await folder.open(sessionId);
  const { index, file } = found;
  if (shown === undefined) {
    return index !== undefined || file.length > 0 ? fail('uncached, and there is a cache') : undefined;
  }
  if (index?.seq !== newest || index.length !== file.length || index.sum !== file.sum) {
    fail(`the cache has ${JSON.stringify(found)}; the log ends at ${newest}`);
  }
  const stored: string[] = [];
  for await (const { line } of session.lines({ type: 'read', from: 0, after: 0 })) {
    stored.push(line);
  }
  if (!isDeepStrictEqual(stored, shown)) {
    fail(`${stored.length} lines are stored, ${shown.length} were shown`);
  }
}

/** Holds a line that is shown behind others, of which the first has the number first, against the log that its cursor is of. The answer is the number of the first one. */
export function compareShown({ logs, firsts }: Server, shown: string[], first: number, line: string, at: Cursor): number {
  if (logs.get(at.epoch)?.[at.seq - 1] !== line) {
    fail(`shown at ${at.epoch}.${at.seq} what is not the log's: ${line}`);
  }
  if (shown.length === 0) {
    return firsts.has(at.seq) ? at.seq : fail(`shown first: ${at.epoch}.${at.seq}, which never was the oldest`);
  }
  return at.seq === first + shown.length ? first : fail(`shown at ${at.epoch}.${at.seq} behind ${shown.length} lines from ${first} on`);
}
