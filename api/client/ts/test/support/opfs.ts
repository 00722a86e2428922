import type { OpfsDirectory, OpfsFile, SyncHandle } from '../../src/opfs/index.ts';

/**
 * A browser's file system with the traits that were measured in Chromium: a file has one handle at a time, whoever asks; the second one is refused with NoModificationAllowedError; and a
 * file that is open cannot be taken away.
 */
export class FakeDirectory implements OpfsDirectory {
  readonly kind = 'directory';
  readonly name: string;
  readonly entries = new Map<string, FakeDirectory | FakeFile>();

  constructor(name = '') {
    this.name = name;
  }

  async getDirectoryHandle(name: string, options: { create?: boolean } = {}): Promise<FakeDirectory> {
    return this.#get(name, options.create ?? false, () => new FakeDirectory(name)) as FakeDirectory;
  }

  async getFileHandle(name: string, options: { create?: boolean } = {}): Promise<FakeFile> {
    return this.#get(name, options.create ?? false, () => new FakeFile(name)) as FakeFile;
  }

  async removeEntry(name: string): Promise<void> {
    const entry = this.entries.get(name);
    if (entry === undefined) {
      throw new DOMException(`no ${name}`, 'NotFoundError');
    }
    if (entry.isOpen) {
      throw new DOMException(`${name} is open`, 'NoModificationAllowedError');
    }
    this.entries.delete(name);
  }

  async *values(): AsyncGenerator<FakeDirectory | FakeFile, undefined> {
    yield* [...this.entries.values()];
    return undefined;
  }

  get isOpen(): boolean {
    return [...this.entries.values()].some((entry) => entry.isOpen);
  }

  /** How many handles are open. */
  get handles(): number {
    return [...this.entries.values()].reduce((n, entry) => n + entry.handles, 0);
  }

  #get(name: string, create: boolean, make: () => FakeDirectory | FakeFile): FakeDirectory | FakeFile {
    let entry = this.entries.get(name);
    if (entry === undefined) {
      if (!create) {
        throw new DOMException(`no ${name}`, 'NotFoundError');
      }
      entry = make();
      this.entries.set(name, entry);
    }
    return entry;
  }
}

let clock = 0;

export class FakeFile implements OpfsFile {
  readonly kind = 'file';
  readonly name: string;
  bytes = new Uint8Array();
  isOpen = false;
  #lastModified = ++clock;

  constructor(name: string) {
    this.name = name;
  }

  get handles(): number {
    return this.isOpen ? 1 : 0;
  }

  async getFile(): Promise<{ size: number; lastModified: number }> {
    return { size: this.bytes.length, lastModified: this.#lastModified };
  }

  async createSyncAccessHandle(): Promise<SyncHandle> {
    if (this.isOpen) {
      throw new DOMException('Access Handles cannot be created if there is another open Access Handle', 'NoModificationAllowedError');
    }
    this.isOpen = true;
    const alive = (): void => {
      if (!this.isOpen) {
        throw new DOMException('the handle is closed', 'InvalidStateError');
      }
    };
    return {
      read: (into, { at = 0 } = {}) => {
        alive();
        const part = this.bytes.subarray(at, at + into.length);
        into.set(part);
        return part.length;
      },
      write: (part, { at = 0 } = {}) => {
        alive();
        const grown = new Uint8Array(Math.max(this.bytes.length, at + part.length));
        grown.set(this.bytes);
        grown.set(part, at);
        this.bytes = grown;
        this.#lastModified = ++clock;
        return part.length;
      },
      truncate: (size) => {
        alive();
        const cut = new Uint8Array(size);
        cut.set(this.bytes.subarray(0, size));
        this.bytes = cut;
      },
      getSize: () => this.bytes.length,
      flush: alive,
      close: () => {
        this.isOpen = false;
      },
    };
  }
}
