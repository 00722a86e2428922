/** The members of a state, in the order in which the daemon writes them (spec §10.1). */

import type { EntryData } from './entries.ts';
import { closed, known, optional, required, type Shape } from './shape.ts';
import { budget, childSession, cost, metadata, payloadShapes, policy, prompt, promptQueued, requestOpened, usage } from './shapes.ts';
import type { ChildState, Damage, EntryState, QueuedPrompt, RequestState, SessionState, Spent, StatePart, TurnState, UsageTotals } from './state.ts';
import * as words from './words.ts';
import type { EntryType } from './words.ts';

export const turnState = closed<TurnState>({
  turnId: required.string, status: optional.word(words.turnStatuses), cause: optional.word(words.turnCauses), error: optional.string, hint: optional.string,
  prompt: known.object(prompt), startSeq: required.natural, startTs: required.integer, endSeq: optional.natural, endTs: optional.integer,
  entries: optional.strings, usage: known.object(usage),
});

export const entryState: Shape<EntryState> = closed<Omit<EntryState, 'entryType' | 'data'> & { entryType: EntryType; data: EntryData }>({
  entryId: required.string, entryType: required.word(words.entryTypes), turnId: optional.string, round: optional.integer,
  persistentId: optional.string, open: optional.boolean, incomplete: optional.boolean, reason: optional.string, startSeq: required.natural,
  startTs: required.integer, endSeq: optional.natural, endTs: optional.integer, data: required.data,
}) as Shape<EntryState>;

export const requestState = closed<RequestState>({
  ...requestOpened, openedSeq: required.natural, openedTs: required.integer, resolved: known.object(payloadShapes.request_resolved),
  resolvedSeq: optional.natural, resolvedTs: optional.integer,
});

export const queuedPrompt = closed<QueuedPrompt>({ ...promptQueued, seq: required.natural, ts: required.integer });

export const childState = closed<ChildState>({ ...childSession, seq: required.natural, ts: required.integer });

export const usageTotals = closed<UsageTotals>({ sum: required.object(usage), reported: known.object(usage), cost: known.object(cost) });

export const spent = closed<Spent>({
  totalTokens: required.integer, inputTokens: required.integer, cachedInputTokens: required.integer, outputTokens: required.integer,
  reasoningOutputTokens: optional.integer, costMicros: required.integer, estimatedMicros: optional.integer, turns: required.integer,
  toolCalls: required.integer, children: required.integer, workMs: required.integer, workingSince: optional.integer,
});

export const damage = closed<Damage>({
  file: required.string, offset: optional.integer, seq: optional.natural, problem: required.string, hint: optional.string,
});

const told = closed<StatePart['told']>({ turns: required.natural, entries: required.natural, requests: required.natural });

export const statePart = closed<StatePart>({ from: required.natural, oldest: required.natural, told: required.object(told) });

export const sessionState = closed<SessionState>({
  sessionId: required.string, agentBackend: required.string, metadata: required.object(metadata), title: optional.string, model: optional.string,
  mode: optional.string, pendingModel: optional.string, pendingMode: optional.string, nativeSessionId: optional.string, agentVersion: optional.string,
  labels: known.map, capabilities: optional.strings, policy: known.object(policy), budget: known.object(budget), epoch: required.natural, seq: required.natural, ts: required.integer,
  status: known.object(payloadShapes.status), end: known.object(payloadShapes.session_end), turns: optional.objects(turnState),
  entries: optional.objects(entryState), requests: optional.objects(requestState), queue: optional.objects(queuedPrompt),
  children: optional.objects(childState), usage: required.object(usageTotals), spent: known.object(spent), marks: optional.objects(payloadShapes.budget), damage: known.object(damage),
  part: known.object(statePart),
});
