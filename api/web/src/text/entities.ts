const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', hellip: '…', mdash: '—', ndash: '–', rarr: '→', larr: '←', times: '×' };

/** Reads the character references that Markdown has from HTML. The result is text, and stays text. */
export function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) {
      return named[name] ?? whole;
    }
    const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
  });
}
