import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { keyList } from './keys.ts';

/** All keys. */
export function Help({ close }: { close: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl>{keyList.map(([keys, words]) => <div key={keys}><dt>{keys.split(' ').map((k) => <kbd key={k}>{k}</kbd>)}</dt><dd>{words}</dd></div>)}</dl>
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>
  );
}
