import type { Picture } from './picture.ts';

/** Images of drafts, in this browser's IndexedDB: the local storage of text is too small for them. A browser that keeps nothing has them until the page is closed. */
const name = 'ringmaster.drafts', store = 'images';

function open(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(store);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error ?? new Error('no database'));
  });
}

async function use<T>(mode: IDBTransactionMode, ask: (s: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  try {
    return await new Promise<T>((done, failed) => {
      const change = db.transaction(store, mode);
      const asked = ask(change.objectStore(store));
      change.oncomplete = () => done(asked.result);
      change.onabort = () => failed(change.error ?? new Error('not stored'));
    });
  } finally {
    db.close();
  }
}

/** Whether they are stored. */
export function storePictures(id: string, pictures: readonly Picture[]): Promise<boolean> {
  return use<unknown>('readwrite', (s) => (pictures.length === 0 ? s.delete(id) : s.put([...pictures], id)) as IDBRequest<unknown>).then(() => true, () => false);
}

export function recallPictures(id: string): Promise<Picture[]> {
  return use<Picture[] | undefined>('readonly', (s) => s.get(id)).then((list) => list ?? [], () => []);
}
