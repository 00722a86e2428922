/** What of the browser's file system is used here. Types of their own: the names of the standard are not in every library of TypeScript. */

export interface OpfsDirectory {
  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<OpfsDirectory>;
  getFileHandle(name: string, options?: { create?: boolean }): Promise<OpfsFile>;
  removeEntry(name: string, options?: { recursive?: boolean }): Promise<void>;
  values(): AsyncIterableIterator<OpfsDirectory | OpfsFile>;
}

export interface OpfsFile {
  readonly kind: 'file';
  readonly name: string;
  getFile(): Promise<{ readonly size: number; readonly lastModified: number }>;
  createSyncAccessHandle(): Promise<SyncHandle>;
}

/** A file that is open, which one worker of all can have at a time. */
export interface SyncHandle {
  read(into: Uint8Array, options?: { at?: number }): number;
  write(bytes: Uint8Array, options?: { at?: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}
