import type { Delta, EntryData, PlanData, SystemData, ThinkingData } from './entries.ts';
import type { EventOf, LogEvent } from './events.ts';
import { textOf } from './foldentry.ts';
import { entryTypes } from './words.ts';
import { stringify } from './wire.ts';

/** How a terminal shows a part (spec §9): raw is everything that is no answer, thinking or tool, and may be left out. */
export type ChunkKind = 'answer' | 'thinking' | 'tool' | 'raw';

/** One change of one part on a terminal (spec §9). */
export interface Chunk {
  kind: ChunkKind;
  /** What it does to the text of its part. */
  op: 'append' | 'set';
  /** The entry's id. */
  partId: string;
  turnId?: string;
  toolName?: string;
  text: string;
  /** Nothing more will come for this part. */
  complete?: boolean;
}

/** A part that has begun and not ended. */
interface OpenPart {
  head: Omit<Chunk, 'op' | 'text'>;
  /** The summary part that is shown, from 1; 0: none yet. */
  summary: number;
  /** The part has a text of its own. */
  text: boolean;
}

/**
 * Turns the events of one session into chunks: at most one for each event. It remembers the open parts and the call ids of the running turn. An entry whose start
 * was not seen gives its whole chunk at its end; a tool_result gives none where the tool_call shows the output.
 */
export class Chunks {
  readonly #open = new Map<string, OpenPart>();
  readonly #calls = new Set<string>();

  /** Takes the next event and gives its chunk, if it has one. */
  chunk(e: LogEvent): Chunk | undefined {
    switch (e.type) {
      case 'turn_start':
      case 'turn_end':
        this.#calls.clear();
        return undefined;
      case 'entry_start': {
        if (this.#isShown(e)) {
          return undefined;
        }
        const head = headOf(e);
        const text = wholeText(e);
        if (isKnown(e.entryType)) {
          this.#open.set(e.entryId, { head, summary: 0, text: text !== '' });
        }
        return { ...head, op: 'set', text };
      }
      case 'entry_delta': {
        const part = this.#open.get(e.entryId);
        return part === undefined ? undefined : change(part, e.delta);
      }
      case 'entry_end':
        this.#open.delete(e.entryId);
        return this.#isShown(e) ? undefined : { ...headOf(e), op: 'set', text: wholeText(e), complete: true };
    }
    return undefined;
  }

  /** Remembers tool calls, and says that a result's call is one of them. */
  #isShown(e: EventOf<'entry_start'> | EventOf<'entry_end'>): boolean {
    if (e.entryType === 'tool_call' && e.data.callId !== '') {
      this.#calls.add(e.data.callId);
    }
    return e.entryType === 'tool_result' && this.#calls.has(e.data.callId);
  }
}

function change(part: OpenPart, delta: Delta): Chunk | undefined {
  const chunk: Chunk = { ...part.head, op: 'append', text: '' };
  switch (delta.op) {
    case 'text_append':
      chunk.text = delta.text;
      if (part.summary > 0 && !part.text) { // the thinking itself replaces its summaries
        chunk.op = 'set';
      }
      part.text ||= delta.text !== '';
      break;
    case 'text_set':
      part.text = true;
      return { ...chunk, op: 'set', text: delta.text };
    case 'status_change':
      chunk.text = delta.output ?? '';
      break;
    case 'summary_append':
      if (part.text || delta.text === '') {
        break;
      }
      chunk.text = part.summary > 0 && delta.summaryIndex >= part.summary ? `\n\n${delta.text}` : delta.text;
      part.summary = Math.max(delta.summaryIndex, 0) + 1;
      break;
  }
  return chunk.text === '' ? undefined : chunk;
}

function headOf(e: EventOf<'entry_start'> | EventOf<'entry_end'>): OpenPart['head'] {
  return {
    kind: kindOf(e.entryType),
    partId: e.entryId,
    ...(e.turnId ? { turnId: e.turnId } : {}),
    ...(e.entryType === 'tool_call' && e.data.toolName !== '' ? { toolName: e.data.toolName } : {}),
  };
}

function kindOf(entryType: string): ChunkKind {
  switch (entryType) {
    case 'assistant_message':
      return 'answer';
    case 'thinking':
      return 'thinking';
    case 'tool_call':
    case 'tool_result':
      return 'tool';
  }
  return 'raw';
}

function isKnown(entryType: string): boolean {
  return (entryTypes as readonly string[]).includes(entryType);
}

/** The whole text of an entry as a terminal shows it. */
function wholeText(e: { entryType: string; data: EntryData }): string {
  switch (e.entryType) {
    case 'thinking': {
      const { text, summary } = e.data as ThinkingData;
      return text !== '' ? text : (summary ?? []).join('\n\n');
    }
    case 'plan':
      return planText(e.data as PlanData);
    case 'system': {
      const { text, native } = e.data as SystemData;
      return text === '' && native !== undefined ? stringify(native) : text;
    }
  }
  if (isKnown(e.entryType)) {
    return textOf(e);
  }
  return Object.keys(e.data).length === 0 ? '' : stringify(e.data);
}

function planText(plan: PlanData): string {
  let text = plan.text ?? '';
  for (const step of plan.steps ?? []) {
    text += (text === '' ? '' : '\n') + (step.status ? `[${step.status}] ` : '') + step.text;
  }
  return text;
}
