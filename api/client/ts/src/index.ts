/** Everything that a program can do with a Ringmaster daemon. */
export * from './cache/index.ts';
