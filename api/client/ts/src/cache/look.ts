import { decodeEvent, foldVersion, LineReader, LineError, maxEvent, type Cursor } from 'ringmaster-protocol';
import { isOf, type Checkpoint, type File } from '../sync/input.ts';
import { crc32 } from './crc32.ts';
import { CacheError } from './errors.ts';
import { pieces, type Source } from './files.ts';
import { decodeSlot, slotSize, type Slot } from './slot.ts';

const newline = 0x0a;

/** Measures the first length bytes of a file of lines, and decides nothing. */
export async function measure(lines: Source, length: number): Promise<File> {
  let sum = 0, at = 0;
  let begin = 0, end = 0; // of the last line that has a newline, with it
  for await (const bytes of pieces(lines, 0, length)) {
    sum = crc32(bytes, sum);
    const last = bytes.lastIndexOf(newline);
    if (last >= 0) {
      const before = last === 0 ? -1 : bytes.lastIndexOf(newline, last - 1);
      begin = before >= 0 ? at + before + 1 : end;
      end = at + last + 1;
    }
    at += bytes.length;
  }
  const file: File = { length: lines.size, whole: end === length, seq: 0, sum };
  if (file.whole && end - begin <= maxEvent + 1) {
    file.seq = seqOf(await lines.read(begin, end - begin));
  }
  return file;
}

/** The number of a line with its newline; 0: it is no event. */
function seqOf(bytes: Uint8Array): number {
  const [line] = new LineReader().push(bytes);
  if (line === undefined || line instanceof LineError) {
    return 0;
  }
  try {
    return decodeEvent(line.text).seq;
  } catch {
    return 0;
  }
}

/**
 * Measures the lines up to the one with a number; undefined: it is not there, or the lines are not those that their index speaks of. All of them are read once more: a bit that has turned over since
 * the session was opened would get a checksum that is right.
 */
export async function beginningOf(lines: Source, { length: whole, sum: wholeSum }: Slot, seq: number): Promise<{ length: number; sum: number } | undefined> {
  let at = 0, sum = 0; // of what was read
  let begin = 0, number = 0; // of the line that is being read: where it begins, and its place
  let wanted = 0; // the place of the line with the number; below 1: the lines begin behind it
  let found: { length: number; sum: number } | undefined;
  for await (const bytes of pieces(lines, 0, whole)) {
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from) + 1 || bytes.length;
      sum = crc32(bytes.subarray(from, end), sum);
      at += end - from;
      from = end;
      if (bytes[end - 1] !== newline) {
        continue;
      }
      if (++number === 1) {
        wanted = 1 + seq - seqOf(await lines.read(0, at));
      }
      if (number === wanted && seqOf(await lines.read(begin, at - begin)) === seq) {
        found = { length: at, sum };
      }
      begin = at;
    }
  }
  return at === whole && sum === wholeSum ? found : undefined;
}

/** Where a stored state stands; undefined: the file is not as it was written, or another fold has made it. */
export async function checkpointOf(state: Source): Promise<Checkpoint | undefined> {
  const head = decodeSlot(await state.read(0, slotSize));
  if (head?.generation !== foldVersion) {
    return undefined;
  }
  let sum = 0;
  for await (const bytes of pieces(state, slotSize, state.size)) {
    sum = crc32(bytes, sum);
  }
  return sum === head.sum ? { epoch: head.epoch, seq: head.seq, length: head.length, size: state.size - slotSize } : undefined;
}

/** Where the state stands that is stored beside lines of which the index is known, and its bytes; undefined: there is none that is of these lines. */
export async function standing(state: Source, index: Slot): Promise<{ at: Cursor; bytes: Uint8Array } | undefined> {
  const bytes = await state.read(0, state.size);
  const head = decodeSlot(bytes);
  if (head?.generation !== foldVersion || !isOf({ ...head, size: 0 }, index) || head.sum !== crc32(bytes.subarray(slotSize))) {
    return undefined;
  }
  return { at: { epoch: head.epoch, seq: head.seq }, bytes: bytes.subarray(slotSize) };
}

/** The bytes of a stored state. */
export async function stateOf(state: Source): Promise<Uint8Array> {
  const bytes = await state.read(0, state.size);
  const head = decodeSlot(bytes);
  if (head?.generation !== foldVersion || head.sum !== crc32(bytes.subarray(slotSize))) {
    throw new CacheError('unreadable', 'the checkpoint has another checksum');
  }
  return bytes.subarray(slotSize);
}
