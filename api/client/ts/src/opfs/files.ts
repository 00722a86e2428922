import { CacheError, Folder, type Entry, type Files, type FolderOptions, type Source } from '../cache/index.ts';
import type { OpfsDirectory, OpfsFile, SyncHandle } from './handles.ts';

/** Options of opfs. */
export interface OpfsOptions extends FolderOptions {
  /** Where the folder is made; absent: the origin's file system, navigator.storage.getDirectory(). */
  root?: OpfsDirectory;
}

/**
 * Opens a cache in the browser's own file system, in the folder of a principal: a name for whom the token belongs to, such as a hash of its id. It works in dedicated workers, which
 * alone have files that are open for reading and writing. The error is a CacheError with the problem locked where another tab has the folder.
 */
export async function opfs(principal: string, options: OpfsOptions = {}): Promise<Folder> {
  const root = options.root ?? (await originsRoot());
  const dir = await root.getDirectoryHandle(principal, { create: true });
  const file = await dir.getFileHandle('lock', { create: true });
  const lock = await openHandle(file, `the folder of ${principal} is in use by another tab`);
  try {
    return await Folder.on(new OpfsFiles(await dir.getDirectoryHandle('sessions', { create: true }), lock), options);
  } catch (problem) {
    lock.close();
    throw problem;
  }
}

/** Takes away all that is stored of a principal. No cache of it may be open. */
export async function forget(principal: string, options: Pick<OpfsOptions, 'root'> = {}): Promise<void> {
  const root = options.root ?? (await originsRoot());
  await root.removeEntry(principal, { recursive: true }).catch((problem: unknown) => {
    if (!isNamed(problem, 'NotFoundError')) {
      throw problem;
    }
  });
}

async function originsRoot(): Promise<OpfsDirectory> {
  return (await navigator.storage.getDirectory()) as unknown as OpfsDirectory;
}

/** How many handles are kept open: to open one takes longer than to write. */
const mostHandles = 64;

/** A folder of OPFS. A file has one handle at a time, so that calls take turns. Those that were used last stay open. */
export class OpfsFiles implements Files {
  readonly #dir: OpfsDirectory;
  readonly #lock: SyncHandle;
  readonly #handles = new Map<string, SyncHandle>(); // in the order of their last use
  #turn: Promise<unknown> = Promise.resolve();

  constructor(dir: OpfsDirectory, lock: SyncHandle) {
    this.#dir = dir;
    this.#lock = lock;
  }

  write(name: string, at: number, bytes: Uint8Array, flush: boolean): Promise<void> {
    return this.#with(name, true, (handle) => {
      for (let done = 0; done < bytes.length; ) {
        const n = handle.write(bytes.subarray(done), { at: at + done });
        if (n <= 0) {
          throw new Error(`${name}: ${bytes.length - done} bytes were not written`);
        }
        done += n;
      }
      if (flush) {
        handle.flush();
      }
    });
  }

  cut(name: string, size: number): Promise<void> {
    return this.#with(name, false, (handle) => handle.truncate(size));
  }

  async open(name: string): Promise<Source | undefined> {
    const size = await this.#inTurn(async () => ((await this.#has(name)) ? this.#use(name, false, (handle) => handle.getSize()) : undefined));
    if (size === undefined) {
      return undefined;
    }
    const read = (at: number, length: number): Promise<Uint8Array> =>
      this.#with(name, false, (handle) => {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - at)));
        return bytes.subarray(0, handle.read(bytes, { at }));
      });
    return { size, read, close: async () => undefined };
  }

  remove(name: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#shut(name);
      await this.#dir.removeEntry(name).catch((problem: unknown) => {
        if (!isNamed(problem, 'NotFoundError')) {
          throw problem;
        }
      });
    });
  }

  /** Writes the file's first byte over itself: a browser has no other way to say that a file was used. */
  touch(name: string): Promise<void> {
    return this.#inTurn(async () => {
      if (await this.#has(name)) {
        await this.#use(name, false, (handle) => {
          const byte = new Uint8Array(1);
          if (handle.read(byte, { at: 0 }) === 1) {
            handle.write(byte, { at: 0 });
          }
        });
      }
    });
  }

  list(): Promise<Entry[]> {
    return this.#inTurn(async () => {
      const list: Entry[] = [];
      this.#shutAll(); // sizes and times are those of the disk then
      for await (const found of this.#dir.values()) {
        if ('getFile' in found && !found.name.startsWith('.')) {
          const { size, lastModified } = await found.getFile();
          list.push({ name: found.name, size, used: lastModified });
        }
      }
      return list;
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      this.#shutAll();
      this.#lock.close();
    });
  }

  #with<T>(name: string, create: boolean, use: (handle: SyncHandle) => T): Promise<T> {
    return this.#inTurn(() => this.#use(name, create, use));
  }

  /** Uses the handle of a file, within a turn. */
  async #use<T>(name: string, create: boolean, use: (handle: SyncHandle) => T): Promise<T> {
    const handle = this.#handles.get(name) ?? (await openHandle(await this.#dir.getFileHandle(name, { create }), `${name} is open elsewhere`));
    this.#handles.delete(name);
    this.#handles.set(name, handle);
    if (this.#handles.size > mostHandles) {
      this.#shut(this.#handles.keys().next().value!);
    }
    return use(handle);
  }

  #shut(name: string): void {
    this.#handles.get(name)?.close();
    this.#handles.delete(name);
  }

  #shutAll(): void {
    for (const name of [...this.#handles.keys()]) {
      this.#shut(name);
    }
  }

  async #has(name: string): Promise<boolean> {
    if (this.#handles.has(name)) {
      return true;
    }
    try {
      await this.#dir.getFileHandle(name);
      return true;
    } catch (problem) {
      if (isNamed(problem, 'NotFoundError')) {
        return false;
      }
      throw problem;
    }
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

async function openHandle(file: OpfsFile, busy: string): Promise<SyncHandle> {
  try {
    return await file.createSyncAccessHandle();
  } catch (problem) {
    throw isNamed(problem, 'NoModificationAllowedError') ? new CacheError('locked', busy, problem) : problem;
  }
}

function isNamed(problem: unknown, name: string): boolean {
  return problem instanceof Error && problem.name === name;
}
