import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Beyond } from '../live/followed.ts';
import { plain } from '../text/words.ts';
import { later } from './later.tsx';

const Whole = later(() => import('../whole/whole.tsx').then((m) => m.Whole));

/** Says that the log has the beginning of a text alone, and leads to all of it. */
export function Cut({ session, entry, isOpen, bytes }: { session: string; entry: string; isOpen: boolean; bytes: number | undefined }): JSX.Element {
  const isShown = useSignal(false);
  return (
    <div class="cut">
      <p class="note">The log keeps the beginning of this text{bytes === undefined ? '' : `, of ${Math.ceil(bytes / 1024)} KiB in all`}.</p>
      {isOpen ? null : <button type="button" class="small" onClick={() => { isShown.value = true; }}>Show the whole text</button>}
      {isShown.value ? <Whole session={session} entry={entry} close={() => { isShown.value = false; }} /> : null}
    </div>
  );
}

/** What is being written beyond what the log keeps of a text. */
export function Flowing({ beyond }: { beyond: Beyond | undefined }): JSX.Element | null {
  if (beyond === undefined) {
    return null;
  }
  return (
    <div class="flowing">
      <p class="note">The log keeps no more of this text. It goes on, {Math.ceil(beyond.bytes / 1024)} KiB so far:</p>
      <p class="typed" dir="auto">{plain(beyond.text)}</p>
    </div>
  );
}
