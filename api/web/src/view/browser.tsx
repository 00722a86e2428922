import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { inventory } from '../live/inventory.ts';
import { budget, setBudget } from '../live/keeper.ts';
import { useFeed } from './context.ts';

/** What a browser may keep, as it can be chosen. */
const budgets = [64, 128, 256, 512, 1024, 2048].map((n) => n << 20);

const roles = {
  waits: 'This tab looks for the others.', leads: 'This tab reads the daemon’s one stream, for itself and for your other tabs.', follows: 'Another tab reads the daemon’s one stream, for this one too.',
  alone: 'This tab has a stream of its own: the others do not answer, or this browser cannot share one.',
};

/** What this browser keeps, and how it forgets it. */
export function ThisBrowser({ close, forget }: { close: () => void; forget: () => Promise<void> }): JSX.Element {
  const { keeps, role } = useFeed();
  const kept = useSignal({ sessions: 0, bytes: -1 });
  const dialog = useRef<HTMLDialogElement>(null);
  const isAsked = useSignal(false);
  const isBusy = useSignal(false);
  const most = useSignal(budget());
  useEffect(() => {
    dialog.current?.showModal();
    void inventory().then((found) => { kept.value = found; });
  }, []);
  const { sessions, bytes } = kept.value;
  return (
    <dialog ref={dialog} class="new" id="browser" aria-labelledby="browser-title" onClose={close}>
      <h2 id="browser-title">This browser</h2>
      <form method="dialog">
        {keeps.value === 'disk'
          ? <p>It keeps what was read, so that it opens at once and without the daemon: now <strong id="kept-size">{bytes < 0 ? '…' : size(bytes)}</strong> of {sessions === 1 ? '1 session' : `${sessions} sessions`}. What was not read for longest goes first.</p>
          : <p id="keeps-nothing">It keeps nothing here: it has no file system for this page, or another tab holds it. What was read goes when the page is closed.</p>}
        {role.value === 'alone' || keeps.value === 'disk' ? <p class="note">{roles[role.value]}</p> : null}
        <label>At most
          <select id="budget" value={String(most.value)} onChange={(e) => {
            most.value = Number(e.currentTarget.value);
            setBudget(most.value);
          }}>{[...new Set([...budgets, most.value])].sort((a, b) => a - b).map((n) => <option key={n} value={String(n)}>{size(n)}</option>)}</select>
        </label>
        <p class="note">Another limit counts when all tabs of this page have been loaded again.</p>
        {isAsked.value
          ? <div class="request-row"><button type="button" class="stop" id="forget-yes" disabled={isBusy.value} onClick={() => { isBusy.value = true; void forget(); }}>{isBusy.value ? 'Forgetting…' : 'Forget everything and log out'}</button></div>
          : <div class="request-row"><button type="button" id="forget" onClick={() => { isAsked.value = true; }}>Forget this browser…</button></div>}
        <p class="note">That takes away the login, what was read, drafts and what was seen, in all tabs. The sessions themselves stay with the daemon.</p>
        <button class="primary">Close</button>
      </form>
    </dialog>
  );
}

function size(bytes: number): string {
  return bytes >= 1 << 30 ? `${bytes / (1 << 30)} GiB` : bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MiB` : bytes >= 1024 ? `${Math.round(bytes / 1024)} KiB` : `${bytes} bytes`;
}
