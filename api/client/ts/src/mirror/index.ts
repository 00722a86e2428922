export type { Change } from './change.ts';
export { Mirror, type MirrorOptions } from './mirror.ts';
export type { MirrorCache, MirrorCachedSession } from './session.ts';
