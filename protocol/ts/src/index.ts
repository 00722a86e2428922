/** The session protocol of Ringmaster, version 1: what the log of a session says, how it is read, and the state that follows from it. */

export * from './words.ts';
export type * from './entries.ts';
export type * from './budget.ts';
export type * from './events.ts';
export type * from './state.ts';
export type { DamageSignal, Heartbeat, Overflow, Reset, Signal } from './signals.ts';
export { CursorError, EventSyntaxError, FrameError, LineError, type FrameProblem, type LineProblem } from './errors.ts';
export { formatCursor, parseCursor, parseMergedId, type Cursor } from './cursor.ts';
export { ExactNumber, maxDepth, maxEvent, maxMembers } from './json.ts';
export { decodeEvent, decodeMessage, decodeState, encodeEvent, encodeState, isSignal, recallState, type Message } from './codec.ts';
export { LineReader, type Line } from './ndjson.ts';
export { SSEReader, type Frame } from './sse.ts';
export { readLog, readStream, type Body, type ByteStream, type LogLine, type StreamFrame } from './read.ts';
export { Fold, foldVersion, type LiveState } from './fold.ts';
export { textOf } from './foldentry.ts';
export { said } from './said.ts';
export { Chunks, type Chunk, type ChunkKind } from './chunks.ts';
