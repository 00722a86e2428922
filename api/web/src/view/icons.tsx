import type { JSX } from 'preact';
import type { Group } from '../live/groups.ts';

const glyphs: Record<Group, string> = { needs: '!', failed: '✕', working: '◐', ready: '●', idle: '○', ended: '–' };

/** The sign of a group. Its shape says what its colour says. */
export function Sign({ group }: { group: Group }): JSX.Element {
  return <span class={`sign sign-${group}`} aria-hidden="true">{glyphs[group]}</span>;
}
