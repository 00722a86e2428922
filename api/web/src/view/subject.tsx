import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { EntryState, RequestOpened } from 'ringmaster-protocol';
import { matterOf } from '../text/subject.ts';
import { plain } from '../text/words.ts';
import { Diff } from './diff.tsx';

/** What is asked about: the command, a diff where there is one, or the arguments as they are. isFolded is told whether lines of a diff are left to be opened. */
export function Subject({ request: r, call, isFolded }: { request: RequestOpened; call: EntryState | undefined; isFolded?: Signal<boolean> }): JSX.Element | null {
  const matter = matterOf(r, call);
  if (matter === undefined) {
    return null;
  }
  if (matter.kind === 'diff') {
    return (
      <>
        {matter.said === '' ? null : <p class="said" dir="auto">{plain(matter.said)}</p>}
        <Diff text={matter.diff} isFolded={isFolded} />
        {matter.cut === '' ? null : <p class="note cut">{matter.cut}</p>}
      </>
    );
  }
  if (matter.kind === 'edits') {
    return <Diff lines={matter.lines} label="What is to be replaced" isFolded={isFolded} />;
  }
  return (
    <>
      {matter.kind === 'command' ? <pre class="command" tabIndex={0} role="group" aria-label="Command">{plain(matter.command)}</pre> : <pre class="wrap" tabIndex={0} role="group" aria-label="What is asked about">{plain(matter.text)}</pre>}
      {matter.kind === 'command' && matter.said !== '' ? <p class="said">{plain(matter.said)}</p> : null}
      {r.cwd ? <p class="note">in {plain(r.cwd)}</p> : null}
    </>
  );
}
