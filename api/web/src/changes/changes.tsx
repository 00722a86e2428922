import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Followed } from '../live/followed.ts';
import { pathOf } from '../live/place.ts';
import { changesOf, type Change, type FileChanges } from '../text/changes.ts';
import { count, plain } from '../text/words.ts';
import { Diff } from '../view/diff.tsx';

/** What a session has changed, by file, as its agent's calls of tools tell it. */
export function Changes({ session }: { session: Followed }): JSX.Element {
  const entries = session.entries.value;
  const head = session.head.value;
  const files = useMemo(() => changesOf(session.fold.state.entries), [session, entries, head]);
  const sum = files.reduce<[number, number]>(([a, r], f) => [a + f.added, r + f.removed], [0, 0]);
  return (
    <div class="part changes" tabIndex={0} role="region" aria-label="Changes">
      {files.length === 0 ? <p class="empty">No changes yet. What the agent’s tools edit shows here, file by file.</p> : (
        <p class="note">{count(files.length, 'file')}, <Size added={sum[0]} removed={sum[1]} />. What commands changed is not among it: agents tell the changes of their editing tools.</p>
      )}
      {files.map((f) => <File key={f.path} file={f} session={session.id} isOpen={files.length <= 12} />)}
    </div>
  );
}

function Size({ added, removed }: { added: number; removed: number }): JSX.Element {
  return <span class="size"><span class="size-add">+{added}</span> <span class="size-del">−{removed}</span></span>;
}

function File({ file, session, isOpen }: { file: FileChanges; session: string; isOpen: boolean }): JSX.Element {
  return (
    <details class="file" open={isOpen}>
      <summary><code>{file.path === '' ? 'A file without a name' : plain(file.path)}</code> <Size added={file.added} removed={file.removed} />{file.changes.length > 1 ? <span class="note"> {count(file.changes.length, 'change')}</span> : null}</summary>
      {file.changes.map((c, i) => <One key={`${c.entryId}/${i}`} change={c} session={session} path={file.path} />)}
    </details>
  );
}

const states: Record<Change['state'], string> = { done: '', waits: 'not done yet', failed: 'not done: it failed, or was denied' };

function One({ change: c, session, path }: { change: Change; session: string; path: string }): JSX.Element {
  return (
    <section class={`change change-${c.state}`}>
      <p class="note">{new Date(c.ts).toLocaleTimeString()} · {plain(c.toolName)}{states[c.state] === '' ? '' : ` · ${states[c.state]}`} · <a href={pathOf({ view: 'session', id: session, entry: c.entryId })} data-place>in the transcript</a></p>
      <Diff lines={c.lines} fold={120} label={`Change of ${plain(path)}`} />
    </section>
  );
}
