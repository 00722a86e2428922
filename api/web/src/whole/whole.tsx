import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { pieces } from '../text/ansi.ts';
import { hitsOf, rowsOf } from '../text/lines.ts';
import { count, plain, saying } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { Rows } from './rows.tsx';

const mostHits = 10_000;

/** The whole text of an entry, as the daemon has it (GET …/entries/{id}/text), also where the log keeps its beginning. */
export function Whole({ session, entry, close }: { session: string; entry: string; close: () => void }): JSX.Element {
  const feed = useFeed();
  const dialog = useRef<HTMLDialogElement>(null);
  const rows = useSignal<readonly string[]>([]);
  const blob = useSignal<Blob | undefined>(undefined);
  const read = useSignal(0);
  const error = useSignal('');
  const search = useSignal('');
  const at = useSignal(0);
  useEffect(() => {
    dialog.current?.showModal();
    const end = new AbortController();
    void (async () => {
      try {
        const answer = await feed.client.session(session).entryText(entry, { signal: end.signal });
        const parts: Uint8Array<ArrayBuffer>[] = [];
        for (const reader = answer.body!.getReader(); ;) {
          const { done, value } = await reader.read();
          if (done) {
            break;
          }
          parts.push(value as Uint8Array<ArrayBuffer>);
          read.value += value.length;
        }
        const whole = new Blob(parts, { type: 'text/plain;charset=utf-8' });
        rows.value = rowsOf(await whole.text());
        blob.value = whole;
      } catch (thrown) {
        if (!end.signal.aborted) {
          error.value = saying(thrown);
        }
      }
    })();
    return () => end.abort();
  }, [session, entry]);
  const hits = useComputed(() => hitsOf(rows.value, search.value, mostHits));
  const step = (by: number): void => {
    const n = hits.value.length;
    at.value = n === 0 ? 0 : (at.peek() + by + n) % n;
  };
  const save = (): void => {
    const url = URL.createObjectURL(blob.peek()!);
    const link = document.createElement('a');
    link.href = url;
    link.download = `${entry.replace(/[^\w.-]/g, '_')}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000); // the browser has begun to read it by then
  };
  const here = hits.value[at.value];
  return (
    <dialog ref={dialog} class="whole" aria-labelledby="whole-title" onClose={close}>
      <header>
        <h2 id="whole-title">The whole text</h2>
        {blob.value === undefined ? null : <span class="note">{count(rows.value.length, 'line')}, {size(blob.value.size)}</span>}
        <form method="dialog"><button class="quiet" aria-label="Close">✕</button></form>
      </header>
      {error.value !== '' ? <p class="error" role="alert">{plain(error.value)}</p> : blob.value === undefined ? <p class="empty" role="status">Reading… {read.value > 0 ? size(read.value) : ''}</p> : (
        <>
          <div class="whole-bar">
            <input
              type="search" aria-label="Find in this text" placeholder="Find" value={search.value} autocomplete="off" spellcheck={false}
              onInput={(e) => { search.value = e.currentTarget.value; at.value = 0; }}
              onKeyDown={(e) => {
                if (e.key === 'Enter') {
                  e.preventDefault();
                  step(e.shiftKey ? -1 : 1);
                }
              }}
            />
            <span class="note" role="status">{search.value === '' ? '' : hits.value.length === 0 ? 'not there' : `${at.value + 1} of ${hits.value.length}${hits.value.length === mostHits ? ' or more' : ''}`}</span>
            <button type="button" class="small" onClick={save}>Save as a file</button>
          </div>
          <Rows
            count={rows.value.length} label="Text" to={here}
            row={(i) => <div key={i} class={`text-row${i === here ? ' hit' : ''}`}><span class="d-number" aria-hidden="true">{i + 1}</span><span>{pieces(rows.value[i]!).map((p, n) => (p.classes === '' ? p.text : <span key={n} class={p.classes}>{p.text}</span>))}</span></div>}
          />
        </>
      )}
    </dialog>
  );
}

function size(bytes: number): string {
  return bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}
