import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Followed } from '../live/followed.ts';
import { go, type SessionPlace } from '../live/place.ts';
import { hitsIn } from '../text/find.ts';

const most = 2000;

/** Searches what was said in a session, also where no row of it is drawn, which the browser's own search cannot see. */
export function Find({ session, here, close }: { session: Followed; here: SessionPlace; close: () => void }): JSX.Element {
  const wanted = useSignal('');
  const at = useSignal(-1);
  // With entries that begin and end, and not with each piece of one that is being written.
  const hits = useComputed(() => (session.entries.value.length > 0 && session.head.value >= 0 ? hitsIn(session.fold.state.entries, wanted.value, most) : []));
  const n = hits.value.length;
  const lead = (to: number): void => {
    if (n > 0) {
      at.value = (to + n) % n;
      go({ ...here, part: 'talk', entry: hits.value[at.value]!.entryId }, true);
    }
  };
  return (
    <search class="find">
      <input
        type="search" aria-label="Find in this session" placeholder="Find in this session" autocomplete="off" spellcheck={false} value={wanted.value} ref={(box) => { if (box !== null && wanted.peek() === '') { box.focus(); } }}
        onInput={(e) => {
          wanted.value = e.currentTarget.value;
          at.value = -1; // here, and not in an effect, which would run behind an Enter that comes at once
        }}
        onKeyDown={(e) => {
          if (e.key === 'Enter') {
            e.preventDefault();
            lead(at.peek() < 0 ? n - 1 : at.peek() + (e.shiftKey ? 1 : -1)); // the newest first
            e.currentTarget.focus();
          } else if (e.key === 'Escape') {
            e.stopPropagation();
            close();
          }
        }}
      />
      <span class="note" role="status">{wanted.value.trim() === '' ? '' : n === 0 ? 'not in what is loaded' : `${at.value < 0 ? '' : `${at.value + 1} of `}${n}${n === most ? ' or more' : ''}`}</span>
      <button type="button" class="small" aria-label="The one before" disabled={n === 0} onClick={() => lead(at.peek() < 0 ? n - 1 : at.peek() - 1)}>↑</button>
      <button type="button" class="small" aria-label="The next one" disabled={n === 0} onClick={() => lead(at.peek() < 0 ? n - 1 : at.peek() + 1)}>↓</button>
      <button type="button" class="quiet small" aria-label="Close the search" onClick={close}>✕</button>
    </search>
  );
}
