/** The sync machine: how a client keeps one session (spec §10.5), as inputs and effects. */
export { backoff } from './backoff.ts';
export type { CacheEffect, ConnectionEffect, Effect, Notice, Read, Rewind, Save, Store, ViewEffect } from './effect.ts';
export { saveEvery } from './hint.ts';
export type { Answer, Checkpoint, File, FrameInput, Index, Input, Open, ResetInput } from './input.ts';
export { storeBytes } from './kept.ts';
export { Machine, type Phase } from './machine.ts';
