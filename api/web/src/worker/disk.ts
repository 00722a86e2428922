import { CacheError, type Folder, type SessionSummary } from 'ringmaster-client';
import { opfs, type OpfsDirectory } from 'ringmaster-client/opfs';
import { dirPrefix } from '../tabs/names.ts';

/** What of this browser's file system belongs to one login: the cache of logs, and the list of sessions as it was last. */
export interface Disk {
  folder: Folder;
  /** The list that was kept, and when that was in Unix milliseconds; undefined: there is none. */
  roster(): Promise<KeptRoster | undefined>;
  keepRoster(sessions: SessionSummary[], now: number): Promise<void>;
}

interface KeptRoster {
  at: number;
  sessions: SessionSummary[];
}

/** How long a leader waits for the one before it to let go of the folder: a tab that was closed takes a moment to end. */
const tries = 50, tryEvery = 100;

/** Opens the folder of a login, and takes the folders of earlier logins away: nobody can show them any more. undefined: there is no file system for workers, or it is taken. */
export async function openDisk(principal: string, budget: number): Promise<Disk | undefined> {
  try {
    const root = (await navigator.storage.getDirectory()) as unknown as OpfsDirectory;
    const name = dirPrefix + principal;
    await removeOthers(root, name);
    const folder = await opened(name, budget);
    return { folder, ...rosterIn(await root.getDirectoryHandle(name)) };
  } catch {
    return undefined;
  }
}

async function opened(name: string, budget: number): Promise<Folder> {
  for (let n = 1; ; n++) {
    try {
      return await opfs(name, { budget });
    } catch (problem) {
      if (!(problem instanceof CacheError) || problem.problem !== 'locked' || n === tries) {
        throw problem;
      }
      await new Promise((again) => setTimeout(again, tryEvery));
    }
  }
}

async function removeOthers(root: OpfsDirectory, own: string): Promise<void> {
  const names: string[] = [];
  for await (const { name } of root.values() as AsyncIterableIterator<{ name: string }>) {
    if (name.startsWith(dirPrefix) && name !== own) {
      names.push(name);
    }
  }
  for (const name of names) {
    await root.removeEntry(name, { recursive: true }).catch(() => undefined); // a tab with an earlier login may still have it; the next start looks again
  }
}

/** The list lies in two files that are written in turn: what a kill leaves of one is no JSON, and the other is whole. */
function rosterIn(dir: OpfsDirectory): Pick<Disk, 'roster' | 'keepRoster'> {
  const names = ['roster.0', 'roster.1'];
  let next = 0;
  const read = async (name: string): Promise<KeptRoster | undefined> => {
    try {
      const file = (await (await dir.getFileHandle(name)).getFile()) as unknown as Blob;
      const kept = JSON.parse(await file.text()) as KeptRoster;
      return Array.isArray(kept.sessions) && typeof kept.at === 'number' ? kept : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    roster: async () => {
      const [a, b] = await Promise.all(names.map(read));
      next = (a?.at ?? 0) > (b?.at ?? 0) ? 1 : 0; // the older one is written first
      return next === 1 ? a : b;
    },
    keepRoster: async (sessions, now) => {
      const handle = await (await dir.getFileHandle(names[next]!, { create: true })).createSyncAccessHandle();
      try {
        const bytes = new TextEncoder().encode(JSON.stringify({ at: now, sessions } satisfies KeptRoster));
        handle.truncate(0);
        for (let done = 0; done < bytes.length; ) {
          const n = handle.write(bytes.subarray(done), { at: done });
          if (n <= 0) {
            throw new Error('the list was not written');
          }
          done += n;
        }
        next = 1 - next;
      } finally {
        handle.close();
      }
    },
  };
}
