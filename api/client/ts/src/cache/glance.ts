import { indexSuffix, linesSuffix } from './disk.ts';
import { reading, type Files } from './files.ts';
import { newestSlot, slotSize, type Slot } from './slot.ts';

/**
 * What is stored of a session at one moment, for who reads beside the one who keeps it: a search, a look at the past. The lines are those that the index spoke of then. Whether they are as they were
 * written is looked at by open alone, which reads all of them for it.
 */
export interface Glance {
  /** Of the log. */
  readonly epoch: number;
  /** Of the last line. */
  readonly seq: number;
  /** Of all lines with their newlines, in bytes. */
  readonly length: number;
  /** Gives bytes of the lines: as many as were asked for, or fewer where the session was dropped meanwhile. */
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Looks at what is stored of a session; undefined: nothing is. */
export async function glance(files: Files, id: string): Promise<Glance | undefined> {
  const slot = await slotOf(files, id);
  const lines = slot === undefined ? undefined : await files.open(id + linesSuffix);
  if (slot === undefined || lines === undefined) {
    return undefined;
  }
  const { epoch, seq, length } = slot;
  return { epoch, seq, length, read: (at, most) => lines.read(at, Math.max(0, Math.min(most, length - at))), close: () => lines.close() };
}

/** What the index of a session says; undefined: there is none. */
export async function slotOf(files: Files, id: string): Promise<Slot | undefined> {
  const index = await reading(files, id + indexSuffix, (source) => source.read(0, 2 * slotSize));
  return index === undefined ? undefined : newestSlot(index)?.slot;
}
