/** Sets of words that the protocol names. Each may grow (spec §3.2): a client shows a word that it does not know, or leaves it out, and goes on. */

/** One of the words W, or one of a newer version. Editors complete the known ones. */
export type Open<W extends string> = W | (string & {});

/**
 * Stands in types for a word that this version does not know; the value is that word, as it came. So a switch over event types, entry types or ops narrows, and its
 * default has what a newer version may send.
 */
export type UnknownWord = '(of a newer version)';

/** The event types of the log, in the order of spec §4. */
export const eventTypes = [
  'session_start', 'session_end', 'session_meta', 'child_session', 'epoch',
  'turn_start', 'turn_end',
  'entry_start', 'entry_delta', 'entry_end', 'entry_meta',
  'request_opened', 'request_resolved', 'prompt_queued', 'prompt_moved', 'prompt_removed',
  'token_usage', 'status', 'budget',
] as const;
export type EventType = (typeof eventTypes)[number];

/** What an entry is (spec §4.4). */
export const entryTypes = [
  'user_message', 'assistant_message', 'thinking', 'tool_call', 'tool_result', 'plan', 'compaction', 'system',
] as const;
export type EntryType = (typeof entryTypes)[number];

/** What a delta does to an open entry (spec §4.6). */
export const deltaOps = ['text_append', 'text_set', 'arguments_append', 'status_change', 'summary_append'] as const;
export type DeltaOp = (typeof deltaOps)[number];

/** What a session does (spec §6.1). */
export const states = [
  'starting', 'idle', 'queued', 'responding', 'retrying', 'compacting', 'running_tool', 'awaiting_approval', 'awaiting_input', 'interrupting',
  'completed', 'terminated', 'failed',
] as const;
export type State = Open<(typeof states)[number]>;

/** States in which no agent is attached and none will be, unless the session is revived. */
export function isEnded(state: State): boolean {
  return state === 'completed' || state === 'terminated' || state === 'failed';
}

/** The coarse projection of the state, for display (spec §6.1). */
export const agentStatuses = ['idle', 'queued', 'responding', 'running_tool'] as const;
export type AgentStatus = Open<(typeof agentStatuses)[number]>;

/** The phases of a tool call; pending: its arguments are still being written. */
export const toolStatuses = ['pending', 'awaiting_approval', 'running', 'completed', 'error'] as const;
export type ToolStatus = Open<(typeof toolStatuses)[number]>;

/** How a turn ended (spec §4.2). */
export const turnStatuses = ['completed', 'interrupted', 'error'] as const;
export type TurnStatus = Open<(typeof turnStatuses)[number]>;

/** Why a turn has not completed (spec §4.2). */
export const turnCauses = ['user', 'parent', 'daemon', 'agent', 'lost', 'budget'] as const;
export type TurnCause = Open<(typeof turnCauses)[number]>;

/** Why a session ended (spec §4.1). */
export const endReasons = ['completed', 'terminated', 'error'] as const;
export type EndReason = Open<(typeof endReasons)[number]>;

/** What a prompt does while a turn runs (spec §4.9). */
export const behaviors = ['steer', 'followUp'] as const;
export type Behavior = Open<(typeof behaviors)[number]>;

/** What an agent asks for (spec §4.8). */
export const requestKinds = ['approval', 'question', 'elicitation', 'caller_tool'] as const;
export type RequestKind = Open<(typeof requestKinds)[number]>;

/** How a request was resolved (spec §4.8). */
export const outcomes = ['allowed', 'denied', 'answered', 'failed', 'cancelled', 'expired'] as const;
export type Outcome = Open<(typeof outcomes)[number]>;

/** What a tool does (spec §4.8). Absent counts as other. */
export const toolKinds = ['read', 'search', 'edit', 'execute', 'fetch', 'other'] as const;
export type ToolKind = Open<(typeof toolKinds)[number]>;

/** What a policy does with approvals that no rule answers (spec §4.10). */
export const policyModes = ['ask', 'allow_reads', 'allow_all', 'deny_all'] as const;
export type PolicyMode = Open<(typeof policyModes)[number]>;

/** What a rule of a policy does with an approval (spec §4.10). */
export const policyActions = ['allow', 'deny', 'deny_stop', 'ask'] as const;
export type PolicyAction = Open<(typeof policyActions)[number]>;

/** What is done when a limit of a budget is reached (spec §4.12). */
export const budgetActions = ['warn', 'pause', 'interrupt', 'end'] as const;
export type BudgetAction = Open<(typeof budgetActions)[number]>;

/** Whose use a limit bounds (spec §4.12). */
export const budgetScopes = ['session', 'tree', 'owner'] as const;
export type BudgetScope = Open<(typeof budgetScopes)[number]>;

/** What a budget bounds (spec §4.12). */
export const budgetLimits = ['tokens', 'costMicros', 'workMs', 'turns', 'toolCalls', 'children'] as const;
export type BudgetLimit = Open<(typeof budgetLimits)[number]>;

/** Where what is used stands to its limit (spec §4.12). */
export const budgetStates = ['warned', 'reached', 'lifted'] as const;
export type BudgetState = Open<(typeof budgetStates)[number]>;

/** Why a prompt left the queue (spec §4.9). */
export const removeReasons = ['dispatched', 'cancelled'] as const;
export type RemoveReason = Open<(typeof removeReasons)[number]>;
