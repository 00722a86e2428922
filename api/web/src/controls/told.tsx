import type { JSX } from 'preact';
import { plain } from '../text/words.ts';
import type { Act } from './act.ts';

/** How a change goes, or went. */
export function Told({ act }: { act: Act }): JSX.Element {
  return (
    <>
      <p class="note" role="status">{act.isBusy.value ? 'Sending…' : plain(act.said.value)}</p>
      {act.error.value === '' ? null : <p class="error" role="alert">{plain(act.error.value)}</p>}
    </>
  );
}
