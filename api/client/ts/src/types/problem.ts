// Generated from api/openapi.json by generate.ts. DO NOT EDIT.

/** Problem is the body of every error: RFC 9457 with a stable code and a hint (protocol/spec.md §11). */
export interface ProblemBody {
  /** request_already_resolved: who answered */
  by?: string;
  /** the stable word that programs look at */
  code: 'invalid_request' | 'unauthorized' | 'forbidden' | 'cwd_not_allowed' | 'not_found' | 'session_not_found' | 'agent_not_found' | 'request_not_found' | 'prompt_not_found' | 'conflict' | 'session_ended' | 'request_already_resolved' | 'uncertain' | 'budget_exhausted' | 'cursor_reset' | 'raw_gone' | 'answer_gone' | 'too_large' | 'unsupported_media_type' | 'misdirected' | 'not_supported' | 'rate_limited' | 'internal' | 'damaged' | 'agent_unavailable' | 'overloaded' | 'read_only' | 'unavailable';
  /** cursor_reset: up to here the log is the one that the cursor is of, where that is known */
  common?: number;
  /** what was wrong with this request */
  detail?: string;
  /** cursor_reset: the log's epoch */
  epoch?: number;
  /** What is wrong with which part of the request */
  errors?: ProblemDetail[];
  /** what to do about it */
  hint?: string;
  /** uncertain, answer_gone: the path that shows what came of the call */
  lookAt?: string;
  /** cursor_reset: its last event's seq */
  newest?: number;
  /** cursor_reset: its first event's seq */
  oldest?: number;
  /** Of createSession: the session that was created all the same, and has failed or did not take the prompt */
  sessionId?: string;
  /** the HTTP status */
  status: number;
  /** the same short text for every occurrence of the code */
  title: string;
  /** "urn:ringmaster:problem:" and the code */
  type: string;
}

/** ProblemDetail is one thing that is wrong with a request. It names the place and never repeats a value. */
export interface ProblemDetail {
  /** Where, such as body.agent or query.limit */
  location?: string;
  /** What is wrong there */
  message: string;
}
