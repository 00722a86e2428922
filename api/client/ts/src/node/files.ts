import { mkdir, open, readdir, rm, stat, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Folder, type Entry, type Files, type FolderOptions, type Source } from '../cache/index.ts';
import { lock } from './lock.ts';

/** Opens a cache on a disk, in a folder that is made with mode 0700 where there is none. The error is a CacheError with the problem locked where somebody else writes it. */
export async function files(dir: string, options: FolderOptions = {}): Promise<Folder> {
  const sessions = join(dir, 'sessions');
  await mkdir(sessions, { recursive: true, mode: 0o700 });
  const unlock = await lock(dir);
  try {
    return await Folder.on(new DiskFiles(sessions, unlock), options);
  } catch (problem) {
    await unlock();
    throw problem;
  }
}

/** A folder of the operating system. A file is open only for as long as a call takes, so that a client of many sessions holds no descriptors. */
export class DiskFiles implements Files {
  readonly #dir: string;
  readonly #unlock: () => Promise<void>;

  constructor(dir: string, unlock: () => Promise<void>) {
    this.#dir = dir;
    this.#unlock = unlock;
  }

  async write(name: string, at: number, bytes: Uint8Array, flush: boolean): Promise<void> {
    const file = await this.#openForWriting(name);
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
        done += bytesWritten;
      }
      if (flush) {
        await file.sync();
      }
    } finally {
      await file.close();
    }
  }

  /** Opens a file to write at any place of it, and makes it where there is none: no flag of open has both. */
  async #openForWriting(name: string) {
    const path = join(this.#dir, name);
    try {
      return await open(path, 'r+');
    } catch (problem) {
      if (!isMissing(problem)) {
        throw problem;
      }
      return open(path, 'wx+', 0o600);
    }
  }

  async cut(name: string, size: number): Promise<void> {
    await truncate(join(this.#dir, name), size);
  }

  async open(name: string): Promise<Source | undefined> {
    try {
      const file = await open(join(this.#dir, name), 'r');
      const { size } = await file.stat();
      return { size, read: (at, length) => readAt(file, at, Math.max(0, Math.min(length, size - at))), close: () => file.close() };
    } catch (problem) {
      if (isMissing(problem)) {
        return undefined;
      }
      throw problem;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#dir, name), { force: true });
  }

  async touch(name: string): Promise<void> {
    const path = join(this.#dir, name);
    const now = new Date();
    await utimes(path, now, now).catch((problem: unknown) => {
      if (!isMissing(problem)) {
        throw problem;
      }
    });
  }

  async list(): Promise<Entry[]> {
    const list: Entry[] = [];
    for (const found of await readdir(this.#dir, { withFileTypes: true })) {
      if (!found.isFile() || found.name.startsWith('.')) {
        continue; // not ours
      }
      const s = await stat(join(this.#dir, found.name)).catch(() => undefined); // gone since
      if (s !== undefined) {
        list.push({ name: found.name, size: s.size, used: s.mtimeMs });
      }
    }
    return list;
  }

  async close(): Promise<void> {
    await this.#unlock();
  }
}

async function readAt(file: Awaited<ReturnType<typeof open>>, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) {
      break;
    }
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

function isMissing(problem: unknown): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === 'ENOENT';
}
