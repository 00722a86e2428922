import { CursorError } from './errors.ts';

/** A position in a log: everything up to and including seq was read, in the log of that epoch (spec §2.2). */
export interface Cursor {
  /** From 1. */
  epoch: number;
  /** 0 is the position before the first event, which is good in every epoch. */
  seq: number;
}

/** The cursor's text: SEQ in epoch 1, EPOCH.SEQ later. */
export function formatCursor(cursor: Cursor): string {
  return cursor.epoch > 1 ? `${cursor.epoch}.${cursor.seq}` : `${cursor.seq}`;
}

/** Reads the text of a cursor. One cursor has one text, and anything else is a CursorError. */
export function parseCursor(text: string): Cursor {
  const dot = text.indexOf('.');
  const epoch = dot < 0 ? 1 : decimal(text.slice(0, dot));
  const seq = decimal(text.slice(dot + 1));
  if (epoch === undefined || epoch === 0 || seq === undefined) {
    throw new CursorError(text, 'want SEQ or EPOCH.SEQ');
  }
  if (dot >= 0 && epoch === 1) {
    throw new CursorError(text, 'in epoch 1 the cursor is the bare number');
  }
  return { epoch, seq };
}

/** Reads the id of a frame of a merged stream (spec §7.13): the session's id, a slash and the cursor. */
export function parseMergedId(id: string): { sessionId: string; cursor: Cursor } {
  const slash = id.lastIndexOf('/');
  if (slash < 1) {
    throw new CursorError(id, 'want SESSION/CURSOR');
  }
  return { sessionId: id.slice(0, slash), cursor: parseCursor(id.slice(slash + 1)) };
}

/** Reads a number as it is written, and no other way. */
function decimal(text: string): number | undefined {
  const n = Number(text);
  return /^(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(n) ? n : undefined;
}
