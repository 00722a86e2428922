import type { Policy, RequestOpened } from 'ringmaster-protocol';

const modes: Record<string, string> = {
  ask: 'asks about everything', allow_reads: 'allows what only reads', allow_all: 'allows everything', deny_all: 'denies everything',
};

/** Why a person is asked, as far as the session's policy says it (spec §4.10). */
export function reasonOf(r: RequestOpened, policy: Policy | undefined): string {
  if (r.kind === 'question' || r.kind === 'elicitation') {
    return 'The agent asks; no policy answers questions.';
  }
  if (r.kind !== 'approval') {
    return '';
  }
  if (r.guarded === true) {
    return 'It reaches into the daemon’s own folder, which no policy answers.';
  }
  const rules = policy?.rules?.length ?? 0;
  if (policy === undefined || (rules === 0 && policy.mode === undefined)) {
    return 'This session has no policy, so every approval is asked.';
  }
  const mode = policy.mode === undefined ? '' : `The policy ${modes[policy.mode] ?? policy.mode}`;
  const said = rules === 0 ? '' : `none of its ${rules === 1 ? 'rules, one in all,' : `${rules} rules`} answers this`;
  return [mode || 'The policy has no mode', said].filter((s) => s !== '').join('; ') + (mode === '' || policy.mode === 'ask' ? '.' : ', and this is not covered.');
}

/** What happens when nobody answers; empty: the agent waits. */
export function deadlineOf(r: RequestOpened, now: number): string {
  if (r.deadline === undefined) {
    return '';
  }
  const left = Math.max(0, Math.ceil((r.deadline - now) / 1000));
  const clock = left >= 3600 ? `${Math.floor(left / 3600)} h ${Math.floor((left % 3600) / 60)} min` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  const then: Record<string, string> = { allow: 'allowed', deny: 'denied', deny_stop: 'denied, and the turn stopped' };
  return r.default === undefined ? `The agent goes on without an answer in ${clock}.` : `It is ${then[r.default] ?? r.default} in ${clock}.`;
}
