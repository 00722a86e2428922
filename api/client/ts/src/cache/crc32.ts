/** CRC-32 as Ethernet, gzip and PNG have it (spec §10.4), four bytes at a time. */
const tables = makeTables();

function makeTables(): Int32Array[] {
  const first = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) {
      c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    }
    first[n] = c;
  }
  const all = [first];
  for (let k = 1; k < 4; k++) {
    const before = all[k - 1]!;
    all.push(before.map((c) => (c >>> 8) ^ first[c & 0xff]!));
  }
  return all;
}

/** The sum of bytes that follow those of which so is the sum; 0 where none are before them. */
export function crc32(bytes: Uint8Array, so = 0): number {
  const [t0, t1, t2, t3] = tables as [Int32Array, Int32Array, Int32Array, Int32Array];
  let c = ~so;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    c ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    c = t3[c & 0xff]! ^ t2[(c >>> 8) & 0xff]! ^ t1[(c >>> 16) & 0xff]! ^ t0[c >>> 24]!;
  }
  for (; i < bytes.length; i++) {
    c = (c >>> 8) ^ t0[(c ^ bytes[i]!) & 0xff]!;
  }
  return ~c >>> 0;
}
