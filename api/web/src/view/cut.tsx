import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
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
