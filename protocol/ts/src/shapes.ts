/** The members of every object of the protocol, in the order of the spec. Each table is held to its type by the compiler, and to openapi.json by a test. */

import type { Budget, Limits } from './budget.ts';
import type {
  ArgumentsAppend, CompactionData, Cut, EntryData, MessageData, PlanData, PlanStep, StatusChange, SummaryAppend, SystemData, TextAppend, TextSet,
  ThinkingData, ToolCallData, ToolResultData,
} from './entries.ts';
import type {
  BudgetMark, ChildSession, Cost, EntryDelta, EntryEnd, EntryMeta, EntryStart, Envelope, Epoch, Metadata, Option, Policy, PolicyRule, Prompt, PromptMoved, PromptQueued,
  PromptRemoved, Question, RequestOpened, RequestResolved, SessionEnd, SessionMeta, SessionStart, Status, TokenUsage, TurnEnd, TurnStart, Usage,
} from './events.ts';
import { closed, known, open, optional, required, type Members, type Shape, type Sums } from './shape.ts';
import * as words from './words.ts';
import type { EntryType, EventType } from './words.ts';

/** T as one object, where it is a sum by entryType. */
type Flat<T> = Omit<T, 'entryType' | 'data'> & { entryType: EntryType; data: EntryData };

export const envelope = closed<Envelope & { type: string }>({ seq: required.natural, ts: required.integer, type: required.string });

export const policyRule = open<PolicyRule>({ tool: optional.string, pattern: optional.string, action: required.word(words.policyActions) });

export const policy = open<Policy>({
  mode: optional.word(words.policyModes), rules: optional.objects(policyRule), deadline: optional.integer, default: optional.word(words.policyActions),
});

export const limits = open<Limits>({
  tokens: optional.integer, costMicros: optional.integer, workMs: optional.integer, turns: optional.integer, toolCalls: optional.integer,
  children: optional.integer,
});

export const budget = open<Budget>({
  session: known.object(limits), tree: known.object(limits), action: optional.word(words.budgetActions), warnAt: optional.integer,
});

export const metadata = open<Metadata>({
  model: optional.string, cwd: optional.string, gitBranch: optional.string, gitCommit: optional.string, title: optional.string, labels: known.map,
  parentSessionId: optional.string, subAgent: optional.boolean, spawned: optional.boolean, mcp: optional.boolean, owner: optional.string,
  via: optional.string, policy: known.object(policy), budget: known.object(budget),
});

export const prompt = open<Prompt>({
  text: required.string, images: optional.strings, streamingBehavior: optional.word(words.behaviors), promptId: optional.string, clientId: optional.string,
});

export const option = open<Option>({ id: required.string, label: optional.string, description: optional.string });

export const question = open<Question>({
  text: required.string, header: optional.string, options: optional.objects(option), multiple: optional.boolean, freeText: optional.boolean,
  prefill: optional.string,
});

export const usage = open<Usage>({
  inputTokens: required.integer, cachedInputTokens: required.integer, outputTokens: required.integer, reasoningOutputTokens: optional.integer,
  totalTokens: required.integer,
});

export const cost = open<Cost>({ input: required.number, output: required.number, cacheRead: required.number, total: required.number, estimated: optional.boolean });

const cut: Members<Cut> = { truncated: optional.boolean, bytes: optional.integer };

const messageData = open<MessageData>({ role: required.string, text: required.string, images: optional.strings, ...cut });

export const planStep = open<PlanStep>({ text: required.string, status: optional.string });

/** The data of each entry type. */
export const dataShapes: Readonly<Record<EntryType, Shape>> = {
  user_message: messageData,
  assistant_message: messageData,
  thinking: open<ThinkingData>({ text: required.string, summary: optional.strings, ...cut }),
  tool_call: open<ToolCallData>({
    toolName: required.string, callId: required.string, arguments: optional.string, command: optional.string, cwd: optional.string,
    status: required.word(words.toolStatuses), output: optional.string, exitCode: known.integer, durationMs: known.integer, diff: optional.string, ...cut,
  }),
  tool_result: open<ToolResultData>({ callId: required.string, output: required.string, isError: optional.boolean, ...cut }),
  plan: open<PlanData>({ text: optional.string, steps: optional.objects(planStep) }),
  compaction: open<CompactionData>({ summary: required.string, trigger: optional.string, tokensBefore: optional.integer, ...cut }),
  system: open<SystemData>({ text: required.string, level: optional.string, kind: optional.string, native: known.any, ...cut }),
};

/** Each delta. */
export const deltaShapes: Readonly<Record<words.DeltaOp, Shape>> = {
  text_append: open<TextAppend>({ op: required.word(), text: required.string, contentIndex: known.integer }),
  text_set: open<TextSet>({ op: required.word(), text: required.string }),
  arguments_append: open<ArgumentsAppend>({ op: required.word(), text: required.string }),
  status_change: open<StatusChange>({
    op: required.word(), status: required.word(words.toolStatuses), output: optional.string, exitCode: known.integer,
  }),
  summary_append: open<SummaryAppend>({ op: required.word(), summaryIndex: required.integer, text: required.string }),
};

// Events that parts of a state begin with.

export const childSession: Members<ChildSession> = {
  childSessionId: required.string, entryId: optional.string, title: optional.string, nativeSessionId: optional.string, turnId: optional.string,
  turnStatus: optional.word(words.turnStatuses), cause: optional.word(words.turnCauses), ended: optional.word(words.endReasons),
};

export const requestOpened: Members<RequestOpened> = {
  requestId: required.string, kind: required.word(words.requestKinds), turnId: optional.string, entryId: optional.string, sessionId: optional.string,
  toolName: optional.string, toolKind: optional.word(words.toolKinds), subject: optional.string, cwd: optional.string, title: required.string,
  text: optional.string, diff: optional.string, diffTruncated: optional.boolean, diffBytes: optional.integer, options: optional.objects(option),
  questions: optional.objects(question), callerId: optional.string, arguments: optional.string, deadline: optional.integer, default: optional.word(words.policyActions),
  guarded: optional.boolean,
};

export const promptQueued: Members<PromptQueued> = {
  promptId: required.string, text: required.string, images: optional.strings, streamingBehavior: optional.word(words.behaviors),
  clientId: optional.string, idempotencyKey: optional.string, origin: optional.string, notifySessionId: optional.string,
};

/** What each event says itself, beside the envelope. */
export const payloadShapes = {
  session_start: closed<SessionStart>({ sessionId: required.string, agentBackend: required.string, metadata: required.object(metadata) }),
  session_end: closed<SessionEnd>({ reason: required.word(words.endReasons), error: optional.string, hint: optional.string }),
  session_meta: closed<SessionMeta>({
    title: known.string, titleGiven: optional.boolean, model: known.string, mode: known.string, pendingModel: known.string, pendingMode: known.string,
    nativeSessionId: known.string, agentVersion: known.string, labels: known.map, capabilities: optional.strings, policy: known.object(policy),
    budget: known.object(budget),
  }),
  child_session: closed<ChildSession>(childSession),
  epoch: closed<Epoch>({ epoch: required.natural, reason: required.string }),
  turn_start: closed<TurnStart>({ turnId: required.string, prompt: known.object(prompt) }),
  turn_end: closed<TurnEnd>({
    turnId: required.string, status: required.word(words.turnStatuses), cause: optional.word(words.turnCauses), error: optional.string, hint: optional.string,
  }),
  entry_start: closed<Flat<EntryStart>>({
    turnId: optional.string, entryId: required.string, entryType: required.word(words.entryTypes), data: required.data,
    persistentId: optional.string, round: optional.integer,
  }),
  entry_delta: closed<EntryDelta>({ entryId: required.string, delta: required.delta }),
  entry_end: closed<Flat<EntryEnd>>({
    turnId: optional.string, entryId: required.string, entryType: required.word(words.entryTypes), data: required.data,
    persistentId: optional.string, incomplete: optional.boolean, reason: optional.string,
  }),
  entry_meta: closed<EntryMeta>({ entryId: required.string, persistentId: required.string }),
  request_opened: closed<RequestOpened>(requestOpened),
  request_resolved: closed<RequestResolved>({
    requestId: required.string, outcome: required.word(words.outcomes), option: optional.string, answers: optional.lists, message: optional.string,
    by: required.string, rule: optional.integer, mode: optional.word(words.policyModes),
  }),
  prompt_queued: closed<PromptQueued>(promptQueued),
  prompt_moved: closed<PromptMoved>({ promptId: required.string, before: optional.string }),
  prompt_removed: closed<PromptRemoved>({ promptId: required.string, reason: required.word(words.removeReasons), error: optional.string }),
  token_usage: closed<TokenUsage>({
    turnId: optional.string, usage: required.object(usage), sessionTotal: known.object(usage), cost: known.object(cost), model: optional.string,
  }),
  status: closed<Status>({
    state: required.word(words.states), agentStatus: required.word(words.agentStatuses), toolName: optional.string, queuedPrompts: optional.integer,
    stalled: optional.boolean, retryAt: optional.integer,
  }),
  budget: closed<BudgetMark>({
    scope: required.word(words.budgetScopes), of: optional.string, limit: required.word(words.budgetLimits), state: required.word(words.budgetStates),
    spent: required.integer, max: required.integer, action: optional.word(words.budgetActions),
  }),
} satisfies Record<EventType, Shape>;

const payloads = new Map<string, Shape>(Object.entries(payloadShapes));
const deltas = new Map<string, Shape>(Object.entries(deltaShapes));
const datas = new Map<string, Shape>(Object.entries(dataShapes));

/** What an event of a type says; undefined for a type that this version does not know. */
export function payloadShape(type: string): Shape | undefined {
  return payloads.get(type);
}

/** What an op or an entry type stands for. */
export const sums: Sums = { delta: (op) => deltas.get(op), data: (entryType) => datas.get(entryType) };
