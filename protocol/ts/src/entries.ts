/** What entries hold (spec §4.4–4.6). Every object may have further members of a newer version; they are kept. */

import type { EntryType, ToolStatus, UnknownWord } from './words.ts';

/** Marks content that was longer than the daemon's limit, and was cut when it came in. */
export interface Cut {
  /** The content is the beginning of what the agent gave. */
  truncated?: boolean;
  /** The length of the whole in bytes, when truncated. */
  bytes?: number;
}

/** Content of user_message and assistant_message. */
export interface MessageData extends Cut {
  /** user or assistant. */
  role: string;
  text: string;
  /** References sha256:HEX;MEDIATYPE; the bytes are at GET /sessions/{id}/images/{sha256}. */
  images?: string[];
}

/** Content of thinking: the reasoning, or else its summaries. */
export interface ThinkingData extends Cut {
  text: string;
  summary?: string[];
}

/** Content of tool_call: everything that the agent says about one call. */
export interface ToolCallData extends Cut {
  toolName: string;
  /** The agent's id of the call. */
  callId: string;
  /** JSON text as the model wrote it; may be incomplete or invalid. */
  arguments?: string;
  command?: string;
  cwd?: string;
  status: ToolStatus;
  output?: string;
  /** Absent: not known. 0 is a value. */
  exitCode?: number;
  /** Milliseconds; absent: not known. */
  durationMs?: number;
  /** A unified diff of what the call changed, or would change (spec §4.5). */
  diff?: string;
}

/** Content of tool_result, of agents that have a separate message for it. */
export interface ToolResultData extends Cut {
  callId: string;
  output: string;
  isError?: boolean;
}

/** Content of plan. */
export interface PlanData {
  text?: string;
  steps?: PlanStep[];
}

export interface PlanStep {
  text: string;
  /** pending, in_progress or completed: the agent's own word. */
  status?: string;
}

/** Content of compaction. */
export interface CompactionData extends Cut {
  summary: string;
  /** manual, threshold, overflow: the agent's own word. */
  trigger?: string;
  tokensBefore?: number;
}

/** Content of system: a notice of the agent or of the daemon. */
export interface SystemData extends Cut {
  text: string;
  /** info, warning or error. */
  level?: string;
  /** A stable word for machines, such as agent_lost. */
  kind?: string;
  /** A native event that has no canonical form, as any JSON value. */
  native?: unknown;
}

/** Content of an entry type that this version does not know. */
export interface UnknownData {
  [member: string]: unknown;
}

/** Which data an entry type has. */
export interface EntryDataByType {
  user_message: MessageData;
  assistant_message: MessageData;
  thinking: ThinkingData;
  tool_call: ToolCallData;
  tool_result: ToolResultData;
  plan: PlanData;
  compaction: CompactionData;
  system: SystemData;
}

export type EntryData = EntryDataByType[EntryType] | UnknownData;

/** An entry's type with the data that belongs to it: a switch over entryType narrows data. */
export type EntryContent =
  | { [T in EntryType]: { entryType: T; data: EntryDataByType[T] } }[EntryType]
  | { entryType: UnknownWord; data: UnknownData };

/** Appends to the entry's text; of a tool call or result: to output; of a compaction: to summary. */
export interface TextAppend {
  op: 'text_append';
  text: string;
  /** Informative. */
  contentIndex?: number;
}

/** Replaces the text that text_append appends to. */
export interface TextSet {
  op: 'text_set';
  text: string;
}

/** Appends to the arguments of a tool call. */
export interface ArgumentsAppend {
  op: 'arguments_append';
  text: string;
}

/** Moves a tool call to another phase; output, where it is there, is appended. */
export interface StatusChange {
  op: 'status_change';
  status: ToolStatus;
  output?: string;
  exitCode?: number;
}

/** Appends to one part of the summary of a thinking entry. */
export interface SummaryAppend {
  op: 'summary_append';
  /** The part, from 0. */
  summaryIndex: number;
  text: string;
}

/** A delta of a newer version; it changes nothing. */
export interface UnknownDelta {
  op: UnknownWord;
}

export type Delta = TextAppend | TextSet | ArgumentsAppend | StatusChange | SummaryAppend | UnknownDelta;
