// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

import type { WaitOutcome } from './sessions.ts';
import type { Selector } from './stream.ts';

/** WaitAnswer is what has come of a wait. */
export interface WaitAnswer {
  /** What was waited for has come; false: the time is over, or it cannot come any more */
  held: boolean;
  /** So many more sessions were waited for */
  leftOut?: number;
  /** It cannot come any more: a session that was named was deleted */
  never?: boolean;
  /** The sessions that were waited for. With any, and where it held, those of which it holds */
  sessions: WaitedSession[];
}

/** WaitRequest says what a call of wait is to wait for (protocol/spec.md §7.14). */
export interface WaitRequest {
  /** all: until it holds of each session at the same moment; any: of one */
  of?: 'all' | 'any';
  /** Wait for every session that matches, also one that comes to match later; what has matched once stays. {} matches all within reach */
  select?: Selector;
  /** Ids of the sessions to wait for */
  sessions?: string[];
  /** Milliseconds after which the answer comes all the same; 0 only looks */
  timeoutMs?: number;
  /** What is waited for: one of these is enough */
  until: WaitUntil;
}

/** WaitUntil has the conditions of a wait. */
export interface WaitUntil {
  /** The session has ended, or was deleted */
  ended?: boolean;
  /** This prompt is settled. With one session */
  prompt?: string;
  /** A request is open */
  request?: boolean;
  /** Nothing happens unless somebody does something: it is idle and no prompt waits, a request is open, or it has ended, was deleted or is damaged */
  rest?: boolean;
  /** The log has come to this event */
  seq?: number;
  /** The session is in one of these states. One that it leaves within milliseconds may be missed */
  states?: string[];
  /** This turn has ended. With one session. current: the one that runs or is about to begin at the time of the call; where there is none, it holds at once */
  turn?: string;
}

/** WaitedSession is how a session stands that was waited for. */
export interface WaitedSession {
  /** The condition that holds; absent: none does */
  because?: string;
  /** Its newest event, as far as this was looked at */
  cursor?: string;
  /** It was deleted meanwhile */
  deleted?: boolean;
  /** What became of the prompt that was waited for */
  outcome?: WaitOutcome;
  /** The session's id */
  sessionId: string;
  /** Its state (protocol/spec.md §6.1) */
  state?: 'starting' | 'idle' | 'queued' | 'responding' | 'retrying' | 'compacting' | 'running_tool' | 'awaiting_approval' | 'awaiting_input' | 'interrupting' | 'completed' | 'terminated' | 'failed';
  /** The turn that is waited for. Where current was asked for, a further call names this one */
  turn?: string;
}
