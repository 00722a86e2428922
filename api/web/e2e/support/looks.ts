import type { Page } from 'playwright-core';
import type { Client } from '../../../client/ts/src/index.ts';
import { newestSlot } from '../../../client/ts/src/cache/slot.ts';

/** How many streams the daemon has open, as its own counters say. */
export async function streams(client: Client): Promise<number> {
  const text = await (await client.metrics()).text();
  return Number(/^ringmaster_http_streams (\d+)$/m.exec(text)?.[1]);
}

/** Asks again until something holds. */
export async function until(holds: () => Promise<boolean>, what: string, within = 20_000): Promise<void> {
  const end = performance.now() + within;
  while (!(await holds())) {
    if (performance.now() > end) {
      throw new Error(`it never came to this: ${what}`);
    }
    await new Promise((again) => setTimeout(again, 20));
  }
}

/** What of a session a browser has stored. */
export interface Stored {
  /** Of the last line that its index speaks of; of the list, when it was kept. */
  seq: number;
  /** These lines. */
  text: string;
}

/** What lies in the browser's file system, as its index has it: by the ids of sessions, and "roster". A page of the same origin may read it while its worker writes. */
export async function kept(page: Page): Promise<Map<string, Stored>> {
  const files = await page.evaluate(async () => {
    const found: [string, string][] = [];
    const handles: FileSystemFileHandle[] = [];
    const read = async (one: FileSystemFileHandle): Promise<void> => {
      for (let n = 0; ; n++) {
        try {
          const bytes = new Uint8Array(await (await one.getFile()).arrayBuffer());
          let binary = '';
          for (let at = 0; at < bytes.length; at += 32768) {
            binary += String.fromCharCode(...bytes.subarray(at, at + 32768));
          }
          found.push([one.name, btoa(binary)]);
          return;
        } catch (problem) {
          if (n === 50 || (problem as Error).name === 'NotFoundError') {
            return; // it has gone
          }
        } // it was written meanwhile
      }
    };
    const walk = async (dir: FileSystemDirectoryHandle): Promise<void> => {
      for await (const one of (dir as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
        if (one.kind === 'directory') {
          await walk(one as FileSystemDirectoryHandle);
        } else {
          handles.push(one as FileSystemFileHandle);
        }
      }
    };
    await walk(await navigator.storage.getDirectory());
    for (const one of handles.sort((a, b) => Number(b.name.endsWith('.index')) - Number(a.name.endsWith('.index')))) { // lines are written before the index that speaks of them
      await read(one);
    }
    return found;
  });
  const byName = new Map(files.map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  const all = new Map<string, Stored>();
  for (const [name, index] of byName) {
    if (name.startsWith('roster.') && index.length > 0) {
      const text = index.toString(); // two files are written in turn
      all.set('roster', [all.get('roster')?.text ?? '', text].map((each) => ({ seq: timeOf(each), text: each })).sort((a, b) => b.seq - a.seq)[0]!);
    } else if (name.endsWith('.index')) {
      const slot = newestSlot(index)?.slot;
      const id = name.slice(0, -'.index'.length);
      if (slot !== undefined) {
        all.set(id, { seq: slot.seq, text: byName.get(`${id}.ndjson`)?.subarray(0, slot.length).toString() ?? '' });
      }
    }
  }
  return all;
}

/** Up to where the log of a session is stored, as its index says; 0: nothing is. It reads no log. */
export async function keptSeq(page: Page, id: string): Promise<number> {
  const bytes = await page.evaluate(async (name) => {
    try {
      for await (const one of (await navigator.storage.getDirectory() as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
        if (one.kind === 'directory') {
          const dir = await (one as FileSystemDirectoryHandle).getDirectoryHandle('sessions');
          return [...new Uint8Array(await (await (await dir.getFileHandle(name)).getFile()).arrayBuffer())];
        }
      }
    } catch {
      // it is not there, or is being written
    }
    return [];
  }, `${id}.index`);
  return newestSlot(Uint8Array.from(bytes))?.slot.seq ?? 0;
}

function timeOf(roster: string): number {
  try {
    return (JSON.parse(roster) as { at: number }).at;
  } catch {
    return 0; // it is being written
  }
}

/** Everything that lies in the browser's storages for this origin, by name. */
export function leftovers(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [...Object.keys(localStorage).map((key) => `localStorage ${key}`), ...Object.keys(sessionStorage).map((key) => `sessionStorage ${key}`)];
    const walk = async (dir: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const one of (dir as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
        found.push(`${path}${one.name}`);
        if (one.kind === 'directory') {
          await walk(one as FileSystemDirectoryHandle, `${path}${one.name}/`);
        }
      }
    };
    try {
      await walk(await navigator.storage.getDirectory(), 'opfs ');
    } catch (problem) {
      if ((problem as Error).name !== 'NotFoundError') {
        throw problem;
      }
      found.push('opfs: what goes while it is looked at');
    }
    found.push(...(await indexedDB.databases()).map((db) => `indexedDB ${db.name}`), ...(await caches.keys()).map((key) => `caches ${key}`));
    found.push(...(await navigator.serviceWorker.getRegistrations()).map((r) => `serviceWorker ${r.scope}`));
    return [...found, ...(document.cookie === '' ? [] : [`cookie ${document.cookie}`])];
  });
}
