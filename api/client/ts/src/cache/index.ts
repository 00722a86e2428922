export { CacheError, type CacheProblem } from './errors.ts';
export type { FolderOptions } from './disk.ts';
export type { Entry, Files, Source } from './files.ts';
export { Folder } from './folder.ts';
export type { Glance } from './glance.ts';
export { memory } from './memory.ts';
export type { CachedLine, CachedSession } from './session.ts';
