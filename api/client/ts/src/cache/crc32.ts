/** CRC-32 as Ethernet, gzip and PNG have it (spec §10.4), eight bytes at a time: 256 numbers for each place of a byte in eight. */
const table = makeTable();

/** The first byte of a number is its lowest, as the sum has it. */
const isLittle = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

function makeTable(): Int32Array {
  const all = new Int32Array(8 * 256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) {
      c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    }
    all[n] = c;
  }
  for (let n = 256; n < all.length; n++) {
    const c = all[n - 256]!;
    all[n] = (c >>> 8) ^ all[c & 0xff]!;
  }
  return all;
}

/** The sum of bytes that follow those of which so is the sum; 0 where none are before them. */
export function crc32(bytes: Uint8Array, so = 0): number {
  const t = table;
  let c = ~so;
  let i = 0;
  if (isLittle && bytes.length >= 16) {
    for (; (bytes.byteOffset + i) % 4 !== 0; i++) {
      c = (c >>> 8) ^ t[(c ^ bytes[i]!) & 0xff]!;
    }
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + i, (bytes.length - i) >>> 2);
    const pairs = words.length & ~1;
    for (let w = 0; w < pairs; w += 2) {
      const a = words[w]! ^ c, b = words[w + 1]!;
      c = t[0x700 + (a & 0xff)]! ^ t[0x600 + ((a >>> 8) & 0xff)]! ^ t[0x500 + ((a >>> 16) & 0xff)]! ^ t[0x400 + (a >>> 24)]!
        ^ t[0x300 + (b & 0xff)]! ^ t[0x200 + ((b >>> 8) & 0xff)]! ^ t[0x100 + ((b >>> 16) & 0xff)]! ^ t[b >>> 24]!;
    }
    i += 4 * pairs;
  }
  for (; i < bytes.length; i++) {
    c = (c >>> 8) ^ t[(c ^ bytes[i]!) & 0xff]!;
  }
  return ~c >>> 0;
}
