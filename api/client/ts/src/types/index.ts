// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

/** What the daemon's API takes and gives. */
export type * from './problem.ts';
export type * from './sessions.ts';
export type * from './session.ts';
export type * from './stream.ts';
export type * from './wait.ts';
export type * from './webhooks.ts';
export type * from './nodes.ts';
export type * from './daemon.ts';
