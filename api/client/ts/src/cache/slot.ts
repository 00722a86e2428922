import type { Index } from '../sync/index.ts';
import { crc32 } from './crc32.ts';

/** The length of a slot in bytes. An index has two of them, written in turn, so that one is whole whenever the other is being written. */
export const slotSize = 64;

/** RMi1: what every slot begins with, the name and the version of the form. */
const magic = 0x524d6931;

/** One entry of an index. The table of spec §10.4 has its bytes. */
export interface Slot extends Index {
  /** From 1: of two whole slots the one with the larger number counts. */
  generation: number;
}

/** A slot that says that nothing is stored. */
export const noSlot: Slot = { generation: 0, epoch: 0, seq: 0, length: 0, sum: 0 };

/** The bytes of a slot. */
export function encodeSlot(s: Slot): Uint8Array {
  const bytes = new Uint8Array(slotSize);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, magic);
  for (const [i, n] of [s.generation, s.epoch, s.seq, s.length].entries()) {
    view.setUint32(8 + 8 * i, Math.floor(n / 2 ** 32));
    view.setUint32(12 + 8 * i, n >>> 0);
  }
  view.setUint32(56, s.sum);
  view.setUint32(60, crc32(bytes.subarray(0, 60)));
  return bytes;
}

/** Reads a slot; undefined where it is not whole: its checksum is wrong, or its numbers are such as no slot can have. */
export function decodeSlot(bytes: Uint8Array): Slot | undefined {
  if (bytes.length < slotSize) {
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, slotSize);
  if (view.getUint32(0) !== magic || view.getUint32(60) !== crc32(bytes.subarray(0, 60))) {
    return undefined;
  }
  const [generation, epoch, seq, length] = [8, 16, 24, 32].map((at) => view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)) as [number, number, number, number];
  if ([generation, epoch, seq, length].some((n) => n === 0 || !Number.isSafeInteger(n))) {
    return undefined;
  }
  return { generation, epoch, seq, length, sum: view.getUint32(56) };
}

/** Finds the slot of an index that counts, and its place: 0 or 1. */
export function newestSlot(index: Uint8Array): { slot: Slot; place: number } | undefined {
  let found: { slot: Slot; place: number } | undefined;
  for (const place of [0, 1]) {
    const slot = decodeSlot(index.subarray(place * slotSize));
    if (slot !== undefined && slot.generation > (found?.slot.generation ?? 0)) {
      found = { slot, place };
    }
  }
  return found;
}
