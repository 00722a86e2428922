/** A line of a log of tests. */
export const line = (seq: number): string =>
  `{"seq":${seq},"ts":1767225600000,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"word ${seq}"}}`;
