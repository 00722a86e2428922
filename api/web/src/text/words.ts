/** What a person is told of an error: what was wrong, and what to do. */
export function saying(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error.name === 'Unreachable') {
    return 'The daemon does not answer.';
  }
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : '';
  return [sentence(error.message), hint === '' ? '' : sentence(hint)].filter((s) => s !== '').join(' ');
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** A length of time in its greatest unit. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) {
    return `${seconds}s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes}m`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** A duration with its two greatest units. */
export function lasted(ms: number): string {
  if (ms < 1000) {
    return `${Math.max(0, Math.round(ms))} ms`;
  }
  const s = ms / 1000;
  if (s < 60) {
    return `${s < 10 ? s.toFixed(1) : Math.round(s)} s`;
  }
  return s < 3600 ? `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s` : `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

/** A span that somebody has chosen: in one unit where it is a whole number of it. */
export function span(ms: number): string {
  for (const [one, unit] of [[86_400_000, 'day'], [3_600_000, 'hour'], [60_000, 'minute'], [1000, 'second']] as const) {
    if (ms >= one && ms % one === 0) {
      return count(ms / one, unit);
    }
  }
  return lasted(ms);
}

/** A number of tokens, short. */
export function short(n: number): string {
  return n < 1000 ? `${n}` : n < 1e6 ? `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`;
}

/** Millionths of a US dollar. */
export function dollars(micros: number): string {
  return micros >= 10_000 ? `$${(micros / 1e6).toFixed(2)}` : micros > 0 ? '< 1 ¢' : '';
}

/** How many of something there are. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The last part of a path. */
export function base(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) || path;
}

const statesInWords: Record<string, string> = {
  starting: 'starting', idle: 'idle', queued: 'about to begin', responding: 'writing', retrying: 'retrying', compacting: 'compacting', running_tool: 'running a tool',
  awaiting_approval: 'asks for approval', awaiting_input: 'asks a question', interrupting: 'stopping', completed: 'completed', terminated: 'ended', failed: 'failed',
};

/** Why a turn was interrupted. */
export const causes: Readonly<Record<string, string>> = {
  user: 'by a person', parent: 'by the session above', daemon: 'because the daemon ended', agent: 'by the agent', lost: 'because the agent was lost', budget: 'because its budget is used up',
};

/** A state for people; one of a later version is shown as it is. */
export function stateWords(state: string, toolName?: string): string {
  return state === 'running_tool' && toolName ? `running ${toolName}` : (statesInWords[state] ?? state);
}

/** Controls that turn the direction of text, or hide in it, are shown by their names: a text must not read otherwise than it is. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu, (c) => c === '\r' || c === '\f' ? '' : `⟨${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
