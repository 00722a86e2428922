import { lexer, type Token } from 'marked';

/** How deep blocks and emphases may lie in each other; what is deeper is shown as it was written. */
const deepest = 16;

/** Cuts Markdown into tokens, of a bounded depth. A text that the lexer cannot take, such as a thousand quotes in each other, is one token of plain text. */
export function blocksOf(text: string): Token[] {
  try {
    return shallow(lexer(text, { gfm: true }), deepest);
  } catch {
    return [{ type: 'plain', raw: text }];
  }
}

function shallow(tokens: Token[], depth: number): Token[] {
  return tokens.map((token) => {
    const t = token as Token & { tokens?: Token[]; items?: Token[] };
    const below = t.tokens ?? t.items;
    if (below === undefined || below.length === 0) {
      return token;
    }
    if (depth === 0) {
      return { type: 'plain', raw: token.raw };
    }
    return { ...token, ...(t.tokens === undefined ? {} : { tokens: shallow(t.tokens, depth - 1) }), ...(t.items === undefined ? {} : { items: shallow(t.items, depth - 1) }) } as Token;
  });
}
