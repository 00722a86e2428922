import type { Cursor } from 'ringmaster-protocol';
import type { Open } from '../sync/index.ts';
import { Disk, linesSuffix, stateSuffix, type FolderOptions } from './disk.ts';
import { reading, type Files } from './files.ts';
import { glance, slotOf, type Glance } from './glance.ts';
import { standing } from './look.ts';
import { CachedSession } from './session.ts';

/**
 * The cache of one principal in the form of spec §10.4: the log's bytes, an index of two slots with a checksum, and a state as a hint. What one token has read, another must not show.
 *
 * Whatever the end of a process leaves, at any byte, the next open finds a prefix of what was stored, or nothing. The same holds after a loss of power, with or without flush: the
 * checksum tells lines that did not reach the disk.
 */
export class Folder {
  readonly #disk: Disk;

  private constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Takes a folder of files, which belongs to nobody else meanwhile: memory, files (ringmaster-client/node) and opfs (ringmaster-client/opfs) make one. */
  static async on(files: Files, options: FolderOptions = {}): Promise<Folder> {
    const disk = new Disk(files, options);
    await disk.look();
    return new Folder(disk);
  }

  /** How many bytes the files have. */
  get size(): number {
    return this.#disk.size;
  }

  /** The ids of the sessions of which something is stored, in order. */
  sessions(): string[] {
    const names = [...this.#disk.sizes.keys()].filter((name) => name.endsWith(linesSuffix));
    return names.map((name) => name.slice(0, -linesSuffix.length)).filter(isSessionId).sort();
  }

  /** Something is stored of a session. */
  has(id: string): boolean {
    return this.#disk.sizes.has(id + linesSuffix);
  }

  /** Opens a session and looks at what is stored of it, which is the input for the machine. A session is open once at a time. */
  async open(id: string): Promise<{ session: CachedSession; found: Open }> {
    this.#checkFree(id);
    this.#disk.open.add(id);
    const session = new CachedSession(this.#disk, id, () => this.#disk.open.delete(id));
    try {
      const found = await session.look();
      await this.#disk.files.touch(id + linesSuffix);
      return { session, found };
    } catch (problem) {
      session.close();
      throw problem;
    }
  }

  /** Looks at what is stored of a session, whether it is open or not, and does not count as a use of it; undefined: nothing is stored. */
  async glance(id: string): Promise<Glance | undefined> {
    return isSessionId(id) ? glance(this.#disk.files, id) : undefined;
  }

  /**
   * Gives the state that is stored of a session, with its position, for a reader who is not to wait until open has gone through all lines. It has a checksum of its own, and stands for a beginning of the log that the
   * index speaks of; whether the lines are still what they were is not known yet. undefined: there is none.
   */
  async storedState(id: string): Promise<{ at: Cursor; state: string } | undefined> {
    if (!this.#disk.sizes.has(id + stateSuffix)) {
      return undefined;
    }
    const index = await slotOf(this.#disk.files, id);
    const found = index === undefined ? undefined : await reading(this.#disk.files, id + stateSuffix, (source) => standing(source, index));
    return found === undefined ? undefined : { at: found.at, state: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found.bytes) };
  }

  /** Takes away what is stored of a session that is not open. */
  async remove(id: string): Promise<void> {
    this.#checkFree(id);
    await this.#disk.removeSession(id);
  }

  /** Takes away the sessions that were not open for longest, until some room is free. */
  async evict(): Promise<void> {
    await this.#disk.evict();
  }

  /** Lets go of the folder. Sessions that are open must not be used any more. */
  async close(): Promise<void> {
    await this.#disk.files.close();
  }

  #checkFree(id: string): void {
    if (!isSessionId(id) || this.#disk.open.has(id)) {
      throw new Error(`cache: session ${JSON.stringify(id.slice(0, 64))} is open already, or no session`);
    }
  }
}

/** Says that a text is the id of a session, and so may be the name of a file: a UUID in lower case. */
function isSessionId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
