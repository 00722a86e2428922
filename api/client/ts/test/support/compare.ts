import { isDeepStrictEqual } from 'node:util';
import type { Cursor } from 'ringmaster-protocol';
import type { Folder } from '../../src/cache/index.ts';
import { sessionId } from './kit.ts';
import { fail } from './tally.ts';

/** Holds what a life has left in its cache against the lines that it has shown, of which the last is the newest of the log; undefined: it went on without a cache. */
export async function compareStored(folder: Folder, shown: string[] | undefined, end: Cursor): Promise<void> {
  const { session, found } = await folder.open(sessionId);
  const { index, file } = found;
  if (shown === undefined) {
    return index !== undefined || file.length > 0 ? fail('uncached, and there is a cache') : undefined;
  }
  if (index?.seq !== end.seq || index.epoch !== end.epoch || index.length !== file.length || index.sum !== file.sum) {
    fail(`the cache has ${JSON.stringify(found)}; the log ends at ${end.epoch}.${end.seq}`);
  }
  const stored: string[] = [];
  for await (const { line } of session.lines({ type: 'read', from: 0, after: 0 })) {
    stored.push(line);
  }
  if (!isDeepStrictEqual(stored, shown)) {
    fail(`${stored.length} lines are stored, ${shown.length} were shown`);
  }
}
