import type { FolderOptions } from './disk.ts';
import type { Entry, Files, Source } from './files.ts';
import { Folder } from './folder.ts';

/** Files that live as long as the program does. */
export class MemoryFiles implements Files {
  readonly #files = new Map<string, { bytes: Uint8Array; used: number }>();
  #clock = 0;

  async write(name: string, at: number, bytes: Uint8Array): Promise<void> {
    const was = this.#files.get(name)?.bytes ?? new Uint8Array();
    const size = Math.max(was.length, at + bytes.length);
    let into = was;
    if (size > was.buffer.byteLength) {
      into = new Uint8Array(new ArrayBuffer(Math.max(size, 2 * was.buffer.byteLength)), 0, was.length);
      into.set(was);
    }
    into = new Uint8Array(into.buffer, 0, size);
    into.set(bytes, at);
    this.#files.set(name, { bytes: into, used: ++this.#clock });
  }

  async cut(name: string, size: number): Promise<void> {
    const file = this.#files.get(name);
    if (file === undefined) {
      throw new Error(`there is no file ${name}`);
    }
    file.bytes = file.bytes.slice(0, size);
  }

  async open(name: string): Promise<Source | undefined> {
    const bytes = this.#files.get(name)?.bytes;
    return bytes && { size: bytes.length, read: async (at, length) => bytes.slice(at, at + length), close: async () => undefined };
  }

  async remove(name: string): Promise<void> {
    this.#files.delete(name);
  }

  async touch(name: string): Promise<void> {
    const file = this.#files.get(name);
    if (file !== undefined) {
      file.used = ++this.#clock;
    }
  }

  async list(): Promise<Entry[]> {
    return [...this.#files].map(([name, { bytes, used }]) => ({ name, size: bytes.length, used }));
  }

  async close(): Promise<void> {
    // it stays for the next who asks
  }
}

/** A cache in memory: what one mirror has read, the next one of the same program need not ask for. */
export async function memory(options: FolderOptions = {}): Promise<Folder> {
  return Folder.on(new MemoryFiles(), options);
}
