import type { SessionChange } from 'ringmaster-client';
import type { Policy, PolicyAction, PolicyMode } from 'ringmaster-protocol';

/** A policy as a form has it: everything is a text, and empty is absent. */
export interface Rules {
  mode: string;
  /** Milliseconds. */
  deadline: string;
  byDefault: string;
  list: readonly Rule[];
}

export interface Rule {
  action: string;
  tool: string;
  pattern: string;
}

export function rulesOf(p: Policy | undefined): Rules {
  return {
    mode: p?.mode ?? '', deadline: p?.deadline === undefined ? '' : String(p.deadline), byDefault: p?.default ?? '',
    list: (p?.rules ?? []).map((r) => ({ action: r.action, tool: r.tool ?? '', pattern: r.pattern ?? '' })),
  };
}

/** The change that makes a session's policy these rules; every member is named, so that none of the one before is left. */
export function changeOf(r: Rules): NonNullable<SessionChange['policy']> | null {
  if (r.mode === '' && r.deadline === '' && r.list.length === 0) {
    return null; // a default alone answers nothing
  }
  return {
    mode: r.mode === '' ? null : (r.mode as PolicyMode),
    deadline: r.deadline === '' ? null : Number(r.deadline),
    default: r.deadline === '' || r.byDefault === '' ? null : (r.byDefault as PolicyAction),
    rules: r.list.length === 0 ? null : r.list.map(({ action, tool, pattern }) => ({
      action: action as 'allow', ...(tool.trim() === '' ? {} : { tool: tool.trim() }), ...(pattern === '' ? {} : { pattern }),
    })),
  };
}

/** What happens to approvals under these rules, in one sentence for each thing that a person should know before it holds. */
export function warningOf(r: Rules): string {
  const all = r.list.find((rule) => rule.action === 'allow' && rule.tool.trim() === '' && rule.pattern === '');
  if (r.mode === 'allow_all' || all !== undefined) {
    return 'Commands will run and files will change without anybody being asked.';
  }
  return r.deadline !== '' && r.byDefault === 'allow' ? 'What nobody answers in time will be allowed.' : '';
}

/** Moves one of a list by one place. */
export function moved<T>(list: readonly T[], from: number, by: number): T[] {
  const to = from + by;
  const copy = [...list];
  if (to < 0 || to >= copy.length) {
    return copy;
  }
  [copy[from], copy[to]] = [copy[to]!, copy[from]!];
  return copy;
}
