import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { RawLine } from 'ringmaster-client';
import type { LogEvent } from 'ringmaster-protocol';
import type { Followed } from '../live/followed.ts';
import { pairsOf, type Pair } from '../text/pairs.ts';
import { plain, saying } from '../text/words.ts';
import { useFeed } from '../view/context.ts';

/** How many events are shown at once, and of how many native lines: a flood may have more of them. */
const page = 100, mostLines = 1000;

interface Shown {
  pairs: Pair<RawLine>[];
  from: number;
  to: number;
  isCut: boolean;
}

/** A session's events beside the native lines that they came of, some at a time. */
export function Raw({ session }: { session: Followed }): JSX.Element {
  const feed = useFeed();
  const newest = session.fold.state.seq;
  const end = useSignal(newest);
  const shown = useSignal<Shown | undefined>(undefined);
  const error = useSignal('');
  const wanted = useSignal('');
  const last = end.value;
  useEffect(() => {
    const stop = new AbortController();
    const from = Math.max(1, last - page + 1);
    const read = async (): Promise<void> => {
      const s = feed.client.session(session.id);
      const events: LogEvent[] = [];
      for await (const { event } of s.log({ since: { epoch: session.fold.cursor.epoch, seq: from - 1 }, signal: stop.signal })) {
        if (event.seq > last) {
          break;
        }
        events.push(event);
      }
      const lines: RawLine[] = [];
      let isCut = false;
      for await (const line of (await s.raw({ from, to: Math.max(from, last), signal: stop.signal })).lines) {
        if (lines.length === mostLines) {
          isCut = true;
          break;
        }
        lines.push(line);
      }
      shown.value = { pairs: pairsOf(lines, events), from, to: last, isCut };
      error.value = '';
    };
    read().catch((thrown: unknown) => {
      if (!stop.signal.aborted) {
        error.value = saying(thrown);
      }
    });
    return () => stop.abort();
  }, [session, last]);
  const s = shown.value;
  const top = session.seq.value;
  return (
    <div class="part raw">
      <div class="part-bar">
        <button type="button" class="small" disabled={s === undefined || s.from <= 1} onClick={() => { end.value = Math.max(1, last - page); }}>← Older</button>
        <span class="note" role="status">{s === undefined ? 'Reading…' : `Events ${s.from} to ${s.to} of ${top}`}</span>
        <button type="button" class="small" disabled={last >= top} onClick={() => { end.value = Math.min(top, last + page); }}>Newer →</button>
        <form
          onSubmit={(e) => {
            e.preventDefault();
            const seq = Number(wanted.peek());
            if (Number.isInteger(seq) && seq > 0) {
              end.value = Math.min(top, seq + page / 2);
            }
          }}
        >
          <input aria-label="Go to the event of a number" placeholder="event" inputMode="numeric" value={wanted.value} onInput={(e) => { wanted.value = e.currentTarget.value; }} />
          <button class="small">Go</button>
        </form>
      </div>
      {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
      {s?.isCut ? <p class="warning">These events came of more than {mostLines} native lines; the first ones are shown.</p> : null}
      {s === undefined ? null : (
        <div class="pairs">
          <div class="pair pair-head" aria-hidden="true"><span>Lines of the agent’s connection</span><span>Events of the log</span></div>
          <ol>{s.pairs.map((p, i) => <PairRow key={`${p.lines[0]?.line ?? ''}/${p.events[0]?.seq ?? ''}/${i}`} pair={p} />)}</ol>
          {s.pairs.length === 0 ? <p class="empty">Nothing is there.</p> : null}
        </div>
      )}
    </div>
  );
}

const ways: Record<RawLine['dir'], string> = { out: 'agent →', in: '→ agent', err: 'stderr', meta: 'connection', note: 'missing' };

function PairRow({ pair }: { pair: Pair<RawLine> }): JSX.Element {
  return (
    <li class="pair">
      <div class="pair-side">{pair.lines.map((l) => <Json key={l.line} name={`${ways[l.dir] ?? plain(l.dir)} ${l.line}`} value={l.data} />)}</div>
      <div class="pair-side">{pair.events.map((e) => <Json key={e.seq} name={`${e.seq} ${plain(e.type)}`} value={e} hidden={3} />)}</div>
    </li>
  );
}

const glimpse = 160;

/** A value in one line, without the first members where its name has them; opened, over many lines, with a way to copy it. */
function Json({ name, value, hidden = 0 }: { name: string; value: unknown; hidden?: number }): JSX.Element {
  const isOpen = useSignal(false);
  const said = useSignal('');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = hidden === 0 ? text : JSON.stringify(Object.fromEntries(Object.entries(value as object).slice(hidden)));
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(() => { said.value = 'copied'; }, () => { said.value = 'not allowed'; });
  };
  return (
    <details class="json" onToggle={(e) => { isOpen.value = e.currentTarget.open; }}>
      <summary><span class="kind">{name}</span> <code>{plain(line.slice(0, glimpse))}{line.length > glimpse ? '…' : ''}</code></summary>
      {isOpen.value ? (
        <>
          <pre class="wrap" tabIndex={0} role="group" aria-label={name}>{plain(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>
          <p><button type="button" class="small" onClick={copy}>Copy</button> <span class="note" role="status">{said.value}</span></p>
        </>
      ) : null}
    </details>
  );
}
