// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

import type { Delta, LogEvent, Option, Question } from 'ringmaster-protocol';
import type { SessionSummary } from './sessions.ts';

/** SessionEvent is one item of the six-field view (protocol/spec.md §8). Absent members are empty ones. */
export interface Item {
  /** Of a tool_call and tool_result: a JSON string, one line of what the tool is called with. Of a caller_tool_request: an object. */
  arguments?: string;
  /** of a request of another session that this one shows: the session that asks */
  asker?: string;
  /** of a request_resolved */
  by?: string;
  /** of a text that is truncated: the length of the whole */
  bytes?: number;
  /** of tool_call and tool_result */
  call_id?: string;
  /** of a child: the session that works for this one */
  child_session_id?: string;
  /** of a request: Unix ms, until when an answer counts */
  deadline?: number;
  /** the entry that it belongs to */
  entry_id?: string;
  /** of delta and message: seq of the entry's start, its place among the items */
  entry_seq?: number;
  /** seq - 1 when polled; 0 when pushed */
  index: number;
  /** of a tool_result: the tool failed, or its end was not seen */
  is_error?: boolean;
  /** of a request: what is asked for */
  kind?: 'approval' | 'question' | 'elicitation' | 'caller_tool';
  /** of a request: the answers to choose from */
  options?: Option[];
  /** of a completion, and of an error that ends a turn */
  outcome?: string;
  /** the prompt that made the turn; of a prompt item, the prompt itself */
  prompt_id?: string;
  /** of a request: what is asked */
  questions?: Question[];
  /** of an outcome that is not completed */
  reason?: 'user' | 'parent' | 'daemon' | 'agent' | 'lost' | 'budget';
  /** of request, request_resolved and caller_tool_request */
  request_id?: string;
  /** assistant of delta, message and completion; user of prompt */
  role?: string;
  /** of the event */
  seq?: number;
  /** set when pushed and for polls over several sessions */
  session_id?: string;
  /** of a status */
  state?: 'starting' | 'idle' | 'queued' | 'responding' | 'retrying' | 'compacting' | 'running_tool' | 'awaiting_approval' | 'awaiting_input' | 'interrupting' | 'completed' | 'terminated' | 'failed';
  /** of a request: what the tool works on */
  subject?: string;
  /** for people, and of a message the answer itself */
  text?: string;
  /** of a caller_tool_request: as its caller has named it */
  tool?: string;
  /** of a request: what the tool does */
  tool_kind?: 'read' | 'search' | 'edit' | 'execute' | 'fetch' | 'other';
  /** the tool, as the agent calls it */
  tool_name?: string;
  /** the text is a beginning; Bytes is the length of the whole */
  truncated?: boolean;
  /** of the event, Unix ms */
  ts?: number;
  /** the turn that it belongs to */
  turn_id?: string;
  /** what it is */
  type: string;
}

/** An event of one session of a merged stream, in NDJSON: the log's line stands in it as it is. */
export interface MergedEvent {
  /** The position of the event */
  cursor: string;
  /** The event */
  event: LogEvent;
  /** The session */
  sessionId: string;
  /** Which case of the union this is: always event */
  type: 'event';
}

/** What one line of a merged stream says: an event with its session, or a signal (protocol/spec.md §7.13). Readers ignore types that they do not know. */
export type MergedLine = SessionDamageMessage | MergedEvent | StreamHeartbeatMessage | SessionItemMessage | SessionOverMessage | SessionOverflowMessage | SessionRefusedMessage | SessionResetMessage | RosterCompleteMessage | SessionChangedMessage | SessionGoneMessage;

/** What one frame of a merged stream says: an event, whose session is in the frame's id, or a signal (protocol/spec.md §7.13). Readers ignore types that they do not know. */
export type MergedMessage = LogEvent | SessionDamageMessage | StreamHeartbeatMessage | SessionItemMessage | SessionOverMessage | SessionOverflowMessage | SessionRefusedMessage | SessionResetMessage | RosterCompleteMessage | SessionChangedMessage | SessionGoneMessage;

/** Every session that was there at the start was told of. */
export interface RosterCompleteMessage {
  /** For a later stream's revision */
  revision: string;
  /** Which case of the union this is: always roster_complete */
  type: 'roster_complete';
}

/** Selector says which sessions are meant. All members that are there must match. */
export interface Selector {
  /** true: not ended; false: ended */
  active?: boolean;
  /** Of this agent */
  agent?: string;
  /** Of this working directory */
  cwd?: string;
  /** With all of these labels */
  labels?: Record<string, string>;
  /** Of this owner */
  owner?: string;
  /** That work for this session */
  parent?: string;
  /** In one of these states */
  states?: string[];
  /** That work for this session, directly or for one that does */
  under?: string;
}

/** A session as it is now. */
export interface SessionChangedMessage {
  /** As in lists */
  session: SessionSummary;
  /** Which case of the union this is: always session */
  type: 'session';
}

/** The session's log ends here because what follows cannot be read (protocol/spec.md §7.12). */
export interface SessionDamageMessage {
  /** In the session's folder */
  file: string;
  /** What to do about it */
  hint?: string;
  /** Bytes of the file that are good */
  offset?: number;
  /** What is wrong, for people */
  problem: string;
  /** The first event that cannot be read; absent: not known */
  seq?: number;
  /** The session */
  sessionId: string;
  /** Which case of the union this is: always damage */
  type: 'damage';
}

/** The session is followed no more. */
export interface SessionGoneMessage {
  /** not_found: there is no such session within reach, or none any more. deselected: it does not match any more; its cursor stays good */
  reason: 'not_found' | 'deselected';
  /** The session */
  sessionId: string;
  /** Which case of the union this is: always session_gone */
  type: 'session_gone';
}

/** A six-field item (protocol/spec.md §8), in the view items. */
export interface SessionItemMessage {
  /** The position of the event that it is of */
  cursor: string;
  /** The item */
  item: Item;
  /** The session */
  sessionId: string;
  /** Which case of the union this is: always item */
  type: 'item';
}

/** The session has ended, and everything was sent. */
export interface SessionOverMessage {
  /** The position of its last event */
  cursor: string;
  /** The session */
  sessionId: string;
  /** Which case of the union this is: always over */
  type: 'over';
}

/** A part of a text beyond what the log keeps of it (protocol/spec.md §7.18), in the view full. It has no number and is not in the log. */
export interface SessionOverflowMessage {
  /** text_append or arguments_append: what comes next */
  delta: Delta;
  /** the open entry whose text it is */
  entryId: string;
  /** how many bytes of the same text came before: of what is kept, and of what has overflowed */
  offset: number;
  /** The session */
  sessionId: string;
  /** Unix milliseconds */
  ts: number;
  /** Which case of the union this is: always overflow */
  type: 'overflow';
}

/** The session cannot be read now. It is tried again. */
export interface SessionRefusedMessage {
  /** Why, for programs */
  code: string;
  /** Why, for people */
  detail: string;
  /** What to do about it */
  hint?: string;
  /** The session */
  sessionId: string;
  /** Which case of the union this is: always refused */
  type: 'refused';
}

/** The cursor is not of this session's log: what the client holds of it is void. It follows from its oldest event. */
export interface SessionResetMessage {
  /** Up to here the log is the one that the cursor is of, where that is known */
  common?: number;
  /** The log's epoch */
  epoch: number;
  /** Its last event */
  newest: number;
  /** Its first event */
  oldest: number;
  /** The session */
  sessionId: string;
  /** Which case of the union this is: always reset */
  type: 'reset';
}

/** The connection lives, and the sessions that have moved were sent so far. */
export interface StreamHeartbeatMessage {
  /** Session id to cursor */
  at?: Record<string, string>;
  /** Unix milliseconds */
  ts: number;
  /** Which case of the union this is: always heartbeat */
  type: 'heartbeat';
}

/** StreamRequest says what one connection shall tell of many sessions (protocol/spec.md §7.13). A session is followed where its id is in Sessions or where it matches Select. */
export interface StreamRequest {
  /** Where sessions without a cursor begin that are there when the stream begins; later ones begin with their first event */
  begin?: 'oldest' | 'newest';
  /** Of a roster that the client has: only what has changed since, where that is known */
  revision?: string;
  /** Send the summaries of the sessions that are followed, and each change of them; without sessions and select, of all within reach, and no events */
  roster?: boolean;
  /** Follow every session that matches, also one that comes to match later. {} matches all within reach */
  select?: Selector;
  /** Session id to cursor: what follows the cursor is sent. An empty cursor: everything. Also for sessions that Select matches: where they go on */
  sessions?: Record<string, string>;
  /** full: every event. settled: no deltas. status: what begins, ends, waits and is asked. items: six-field items in place of events */
  view?: 'full' | 'settled' | 'status' | 'items';
}
