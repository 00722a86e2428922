import type { EntryState } from 'ringmaster-protocol';

/** What of an entry is read when somebody searches. */
export function textOf(x: EntryState): string {
  switch (x.entryType) {
    case 'user_message':
    case 'assistant_message':
    case 'system':
      return x.data.text;
    case 'thinking':
      return x.data.text || (x.data.summary ?? []).join('\n');
    case 'tool_call':
      return [x.data.toolName, x.data.command ?? x.data.arguments ?? '', x.data.diff ?? '', x.data.output ?? ''].join('\n');
    case 'tool_result':
      return x.data.output;
    case 'plan':
      return [x.data.text ?? '', ...(x.data.steps ?? []).map((s) => s.text)].join('\n');
    case 'compaction':
      return x.data.summary;
    default:
      return '';
  }
}

/** An entry in which something was found, with the words around it. */
export interface Hit {
  entryId: string;
  before: string;
  found: string;
  after: string;
}

/** The entries with a text, letter case aside, in their order; no more than the newest most of them. */
export function hitsIn(entries: readonly EntryState[], wanted: string, most: number): Hit[] {
  const text = wanted.trim().toLowerCase();
  const hits: Hit[] = [];
  for (let i = entries.length - 1; text !== '' && i >= 0 && hits.length < most; i--) {
    const whole = textOf(entries[i]!);
    const at = whole.toLowerCase().indexOf(text);
    if (at >= 0) {
      const from = Math.max(0, at - 24);
      hits.push({
        entryId: entries[i]!.entryId, before: (from > 0 ? '…' : '') + whole.slice(from, at).replace(/\s+/g, ' '), found: whole.slice(at, at + text.length), after: whole.slice(at + text.length, at + text.length + 80).replace(/\s+/g, ' '),
      });
    }
  }
  return hits.reverse();
}

/** How well words fit a name: every word must be in it, and beginnings count more; undefined: they do not fit. */
export function fit(name: string, words: string): number | undefined {
  const text = name.toLowerCase();
  let sum = 0;
  for (const word of words.toLowerCase().split(/\s+/).filter((w) => w !== '')) {
    const at = text.indexOf(word);
    if (at < 0) {
      return undefined;
    }
    sum += at === 0 ? 3 : /\W/.test(text.charAt(at - 1)) ? 2 : 1;
  }
  return sum;
}
