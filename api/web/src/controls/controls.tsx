import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Followed } from '../live/followed.ts';
import { nameOf } from '../live/groups.ts';
import { plain } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { Choice } from './choice.tsx';
import { Ending } from './ending.tsx';
import { Name } from './name.tsx';
import { Rules } from './rules.tsx';

/** What can be changed of a session: its name, its model and mode, what answers its approvals, and whether it goes on. */
export function Controls({ id, session, close }: { id: string; session: Followed; close: () => void }): JSX.Element | null {
  const feed = useFeed();
  const dialog = useRef<HTMLDialogElement>(null);
  const summary = feed.sessions.value.get(id);
  const isThere = summary !== undefined;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (!isThere) {
      close(); // it is gone
    }
  }, [isThere]);
  if (summary === undefined) {
    return null;
  }
  const facts: [string, string | undefined][] = [['Id', id], ['Folder', summary.cwd], ['Agent', [summary.agent, summary.agentVersion].filter(Boolean).join(' ')], ['Agent’s own id', summary.nativeSessionId], ['Owner', summary.owner]];
  return (
    <dialog ref={dialog} class="controls" aria-labelledby="controls-title" onClose={close}>
      <header>
        <h2 id="controls-title" dir="auto">{plain(nameOf(summary))}</h2>
        <form method="dialog"><button class="quiet" aria-label="Close">✕</button></form>
      </header>
      <Name id={id} summary={summary} />
      <Choice id={id} kind="model" summary={summary} session={session} />
      <Choice id={id} kind="mode" summary={summary} session={session} />
      <Rules id={id} policy={summary.policy} />
      <section aria-labelledby="facts-title">
        <h3 id="facts-title">About it</h3>
        <dl>{facts.map(([name, value]) => (value ? <div key={name}><dt>{name}</dt><dd>{plain(value)}</dd></div> : null))}</dl>
      </section>
      <Ending id={id} summary={summary} />
    </dialog>
  );
}
