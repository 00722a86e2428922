import { decodeEvent, LineReader, LineError, maxEvent } from 'ringmaster-protocol';
import type { Checkpoint, File } from '../sync/index.ts';
import { crc32 } from './crc32.ts';
import { CacheError } from './errors.ts';
import { pieces, type Source } from './files.ts';
import { decodeSlot, slotSize } from './slot.ts';

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

/** Where a stored state stands; undefined: the file is not as it was written. */
export async function checkpointOf(state: Source): Promise<Checkpoint | undefined> {
  const head = decodeSlot(await state.read(0, slotSize));
  if (head === undefined) {
    return undefined;
  }
  let sum = 0;
  for await (const bytes of pieces(state, slotSize, state.size)) {
    sum = crc32(bytes, sum);
  }
  return sum === head.sum ? { epoch: head.epoch, seq: head.seq, length: head.length } : undefined;
}

/** The bytes of a stored state. */
export async function stateOf(state: Source): Promise<Uint8Array> {
  const bytes = await state.read(0, state.size);
  if (decodeSlot(bytes)?.sum !== crc32(bytes.subarray(slotSize))) {
    throw new CacheError('unreadable', 'the checkpoint has another checksum');
  }
  return bytes.subarray(slotSize);
}
