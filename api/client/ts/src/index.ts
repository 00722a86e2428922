/** Everything that a program can do with a Ringmaster daemon: requests, logs across lost connections, mirrors of many sessions, and caches of what was read. */
export { Client, type InboxQuery, type McpRequest, type SessionQuery, type StreamWish } from './client.ts';
export { Webhooks } from './webhooks.ts';
export { Session, type LogBody, type RawOptions } from './session.ts';
export { Problem, UnexpectedAnswer, Unreachable } from './errors.ts';
export type { FollowOptions, Update } from './follow.ts';
export type { Line, LogOptions } from './log.ts';
export type { MergedEventItem, MergedSignal, StreamItem } from './stream.ts';
export type { CallOptions, ClientOptions, Fetch, KeyOptions } from './wire.ts';
export type * from './types/index.ts';
export * from './mirror/index.ts';
export * from './cache/index.ts';
export type { Notice } from './sync/index.ts';
