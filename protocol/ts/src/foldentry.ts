import type { Delta, EntryData, ThinkingData, ToolCallData } from './entries.ts';
import type { EventOf } from './events.ts';
import type { EntryState } from './state.ts';

/** The member of an entry's data that text_append and text_set change; undefined where the type has none. */
export function textMember(entryType: string): 'text' | 'output' | 'summary' | undefined {
  switch (entryType) {
    case 'user_message':
    case 'assistant_message':
    case 'thinking':
    case 'plan':
    case 'system':
      return 'text';
    case 'tool_call':
    case 'tool_result':
      return 'output';
    case 'compaction':
      return 'summary';
  }
  return undefined;
}

/** The main text of an entry, the one that is cut when it is too long (spec §4.5). */
export function textOf(entry: { entryType: string; data: EntryData }): string {
  const member = textMember(entry.entryType);
  return member === undefined ? '' : ((entry.data as Texts)[member] ?? '');
}

/** The texts that data may have. */
type Texts = { [M in 'text' | 'output' | 'summary']?: string };

/** Gives an entry its whole data. The copy is as deep as deltas reach, so that they do not change the event that it came with. */
export function setContent(x: EntryState, event: EventOf<'entry_start'> | EventOf<'entry_end'>): void {
  x.entryType = event.entryType;
  x.data = { ...event.data };
  if (x.entryType === 'thinking' && x.data.summary !== undefined) {
    x.data.summary = [...x.data.summary];
  }
  if (event.persistentId) {
    x.persistentId = event.persistentId;
  }
}

/** Changes an open entry. A delta that does not fit the entry's type changes nothing (spec §4.6). */
export function applyDelta(x: EntryState, delta: Delta): void {
  const member = textMember(x.entryType);
  const texts = x.data as Texts;
  switch (delta.op) {
    case 'text_append':
      if (member !== undefined) {
        texts[member] = (texts[member] ?? '') + delta.text;
      }
      break;
    case 'text_set':
      if (member !== undefined) {
        texts[member] = delta.text;
      }
      break;
    case 'arguments_append':
      if (x.entryType === 'tool_call') {
        x.data.arguments = (x.data.arguments ?? '') + delta.text;
      }
      break;
    case 'status_change':
      if (x.entryType === 'tool_call') {
        changeStatus(x.data, delta);
      }
      break;
    case 'summary_append':
      if (x.entryType === 'thinking') {
        appendSummary(x.data, delta.summaryIndex, delta.text);
      }
      break;
  }
}

function changeStatus(call: ToolCallData, delta: Extract<Delta, { op: 'status_change' }>): void {
  call.status = delta.status;
  if (delta.output) {
    call.output = (call.output ?? '') + delta.output;
  }
  if (delta.exitCode !== undefined) {
    call.exitCode = delta.exitCode;
  }
}

/** Bounds the summary parts of one entry; a delta for a part beyond it changes nothing. */
const maxSummaries = 1024;

function appendSummary(thinking: ThinkingData, part: number, text: string): void {
  if (part < 0 || part >= maxSummaries) {
    return;
  }
  const summary = (thinking.summary ??= []);
  while (summary.length <= part) {
    summary.push('');
  }
  summary[part] += text;
}
