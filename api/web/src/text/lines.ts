/** How long a row of a text may be; what is longer goes on in the next one. */
const longest = 1000;

/** Cuts a text into rows that are drawn one by one: its lines, those that are very long in pieces. */
export function rowsOf(text: string): string[] {
  const rows: string[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (line.length <= longest) {
      rows.push(line);
      continue;
    }
    for (let at = 0; at < line.length;) {
      let to = Math.min(line.length, at + longest);
      if (to < line.length && /[\ud800-\udbff]/.test(line.charAt(to - 1))) {
        to--; // no character is cut into halves
      }
      rows.push(line.slice(at, to));
      at = to;
    }
  }
  return rows;
}

/** The rows with a text, letter case aside; no more than most of them. */
export function hitsOf(rows: readonly string[], wanted: string, most: number): number[] {
  const text = wanted.toLowerCase();
  const hits: number[] = [];
  for (let i = 0; text !== '' && i < rows.length && hits.length < most; i++) {
    if (rows[i]!.toLowerCase().includes(text)) {
      hits.push(i);
    }
  }
  return hits;
}
