import { dirPrefix } from '../tabs/names.ts';

/** What everything in the browser's storages begins with that this page has put there. */
const prefix = 'ringmaster';

/** How often, and how long in milliseconds, the files are tried to be taken away: tabs that have just been logged out let go of them first. */
const tries = 60, tryEvery = 100;

/** A folder of the browser's file system, as far as it is used here. */
interface Root {
  values(): AsyncIterable<{ name: string }>;
  removeEntry(name: string, o: { recursive: boolean }): Promise<void>;
}

/** Takes what was read away, when nobody is logged in: nobody can show it any more. Whether it has gone. */
export async function removeKept(): Promise<boolean> {
  for (let n = 1; ; n++) {
    if (await tryRemove()) {
      return true;
    }
    if (n === tries) {
      return false;
    }
    await new Promise((again) => setTimeout(again, tryEvery));
  }
}

async function tryRemove(): Promise<boolean> {
  let root: Root;
  try {
    root = (await navigator.storage.getDirectory()) as unknown as Root;
  } catch {
    return true; // there is no such file system
  }
  let isGone = true;
  try {
    const names: string[] = [];
    for await (const { name } of root.values()) {
      names.push(name);
    }
    for (const name of names.filter((n) => n.startsWith(dirPrefix))) {
      await root.removeEntry(name, { recursive: true });
    }
  } catch {
    isGone = false; // a tab has files of it open
  }
  return isGone;
}

/** Takes everything away: what was read, drafts, what was seen, the page itself. It returns what is left, for people; empty: nothing. */
export async function forgetAll(): Promise<string> {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage).filter((k) => k.startsWith(prefix))) {
        storage.removeItem(key);
      }
    }
  } catch {
    // a browser that stores nothing
  }
  const isGone = await removeKept();
  const others = await Promise.allSettled([removeDatabases(), removePage()]);
  return isGone && others.every(({ status }) => status === 'fulfilled') ? '' : 'Something is left: another tab of this page still uses it. Close the other tabs and load this one again.';
}

async function removeDatabases(): Promise<void> {
  const list = (await globalThis.indexedDB?.databases?.()) ?? [];
  for (const { name } of list.filter((db) => db.name?.startsWith(prefix))) {
    await new Promise<void>((done, failed) => {
      const asked = indexedDB.deleteDatabase(name!);
      asked.onsuccess = () => done();
      asked.onerror = asked.onblocked = () => failed(new Error('in use'));
    });
  }
}

async function removePage(): Promise<void> {
  for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
    await registration.unregister();
  }
  for (const key of (await globalThis.caches?.keys()) ?? []) {
    if (key.startsWith(prefix)) {
      await caches.delete(key);
    }
  }
}
