/** A folder of files, as far as a cache needs one. */
export interface Files {
  /** Writes bytes into a file, which it makes if there is none. With flush they survive a loss of power when it returns. */
  write(name: string, at: number, bytes: Uint8Array, flush: boolean): Promise<void>;
  /** Shortens a file; it fails where there is none. */
  cut(name: string, size: number): Promise<void>;
  /** Opens a file for reading; undefined where there is none. */
  open(name: string): Promise<Source | undefined>;
  /** Takes a file away; it is no error where there is none. */
  remove(name: string): Promise<void>;
  /** Notes that a file is used now; it is no error where there is none. */
  touch(name: string): Promise<void>;
  /** Gives all files, in any order. */
  list(): Promise<Entry[]>;
  /** Lets go of the folder. */
  close(): Promise<void>;
}

/** A file that is being read. */
export interface Source {
  readonly size: number;
  /** Gives the bytes from at on: as many as were asked for, or all that there are. */
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A file of a folder. */
export interface Entry {
  name: string;
  /** Bytes. */
  size: number;
  /** Unix milliseconds of the last use. */
  used: number;
}

/** Looks into a file; undefined where there is none. */
export async function reading<T>(files: Files, name: string, look: (source: Source) => Promise<T>): Promise<T | undefined> {
  const source = await files.open(name);
  if (source === undefined) {
    return undefined;
  }
  try {
    return await look(source);
  } finally {
    await source.close();
  }
}

/** How much is read at once. */
const piece = 256 << 10;

/** Goes through a part of a file. */
export async function* pieces(source: Source, from: number, to: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = from; at < to; ) {
    const bytes = await source.read(at, Math.min(piece, to - at));
    if (bytes.length === 0) {
      return;
    }
    at += bytes.length;
    yield bytes;
  }
}
