/** A cache in the browser's own file system, for dedicated workers. */
export { forget, opfs, type OpfsOptions } from './files.ts';
export type { OpfsDirectory, OpfsFile, SyncHandle } from './handles.ts';
