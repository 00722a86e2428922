import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { formatCursor, parseCursor, type Cursor } from 'ringmaster-protocol';
import { Followed } from '../live/followed.ts';
import { showIn } from '../live/panes.ts';
import type { SessionPlace } from '../live/place.ts';
import { saysPart } from '../live/state.ts';
import { marksOf, nextMark, ticksOf, type Mark } from '../text/marks.ts';
import { plain, saying, stateWords } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { NotKept, pastOf } from './past.ts';
import { Then } from './then.tsx';

/** How long a slider rests before the state of its place is asked for, and how long each mark is shown when it plays; milliseconds. */
const rests = 120, plays = 1500;

/** A session as it was at a place of its log, which the address names: folded from what this browser keeps of the log, or by the daemon where that is not all. */
export function Time({ session, here }: { session: Followed; here: SessionPlace }): JSX.Element {
  const feed = useFeed();
  const newest = session.fold.state.seq;
  const last = Math.max(session.seq.value, newest, 1);
  const wanted = cursorOf(here.at, session.fold.cursor);
  const epoch = wanted?.epoch ?? session.fold.cursor.epoch;
  const opened = useMemo(() => Math.max(1, newest), [session, wanted === undefined, epoch]); // what comes later moves the slider's end, and not what is shown
  const seq = Math.min(wanted?.seq ?? opened, last);
  const shown = useSignal<Followed | undefined>(undefined);
  const error = useSignal('');
  const isPlaying = useSignal(false);
  const copied = useSignal('');
  const isMissing = useSignal(false); // and the daemon may have it
  const isBack = isMissing.value && feed.link.value === 'live';
  const head = session.head.value;
  const marks = useMemo(() => marksOf(session.fold.state), [session, head]);
  const ticks = useMemo(() => ticksOf(marks, last, 200), [marks, last]);
  const lead = (to: number): void => {
    copied.value = '';
    showIn({ id: here.id, part: 'time', at: formatCursor({ epoch: session.fold.cursor.epoch, seq: Math.max(1, Math.min(last, to)) }) }, true);
  };
  useEffect(() => {
    const end = new AbortController();
    const timer = setTimeout(() => {
      pastOf(feed, session.id, { epoch, seq }, end.signal).then((state) => {
        const f = new Followed(session.id, state.seq);
        f.begin(state, { epoch: state.epoch, seq: state.seq }, true);
        f.trouble.value = saysPart(state);
        shown.value = f;
        error.value = '';
        isMissing.value = false;
      }, (thrown: unknown) => {
        if (!end.signal.aborted) {
          error.value = saying(thrown);
          isMissing.value = thrown instanceof NotKept;
          isPlaying.value = false;
        }
      });
    }, shown.peek() === undefined ? 0 : rests);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [session, epoch, seq, isBack]);
  const next = nextMark(marks, seq, 1), before = nextMark(marks, seq, -1);
  useEffect(() => {
    if (!isPlaying.value) {
      return undefined;
    }
    if (next === undefined) {
      isPlaying.value = false;
      return undefined;
    }
    const timer = setTimeout(() => lead(next.seq), plays);
    return () => clearTimeout(timer);
  }, [isPlaying.value, seq, next?.seq]);
  const f = shown.value;
  const isThere = f !== undefined && f.fold.state.seq === seq;
  const mark = marks.find((m) => m.seq === seq);
  return (
    <div class="part time">
      <div class="slider">
        <div class="ticks" aria-hidden="true">{ticks.map(({ part, mark: m }) => <span key={m.seq} class={`tick tick-${m.kind}`} style={{ left: `${part * 100}%` }} />)}</div>
        <input
          type="range" min={1} max={last} value={seq} aria-label="Place in the log" aria-valuetext={`event ${seq} of ${last}${mark === undefined ? '' : `, ${mark.words}`}`}
          onInput={(e) => {
            isPlaying.value = false;
            lead(Number(e.currentTarget.value));
          }}
        />
        <div class="part-bar">
          <button type="button" class="small" disabled={before === undefined} onClick={() => lead(before!.seq)}>← Mark</button>
          <button type="button" class="small" aria-label="−1 event" disabled={seq <= 1} onClick={() => lead(seq - 1)}>−1</button>
          <button type="button" class="small" aria-label="+1 event" disabled={seq >= last} onClick={() => lead(seq + 1)}>+1</button>
          <button type="button" class="small" disabled={next === undefined} onClick={() => lead(next!.seq)}>Mark →</button>
          <button type="button" class="small" aria-pressed={isPlaying.value} disabled={next === undefined} onClick={() => { isPlaying.value = !isPlaying.peek(); }}>{isPlaying.value ? 'Pause' : 'Play'}</button>
          <span class="note grows" role="status">{isThere ? [`event ${seq} of ${last}`, new Date(f.fold.state.ts).toLocaleString(), stateWords(f.fold.state.status?.state ?? '', plain(f.fold.state.status?.toolName ?? '')), mark?.words ?? ''].filter((w) => w !== '').map(plain).join(' · ') : `event ${seq} of ${last}…`}</span>
          <button type="button" class="small" onClick={() => { lead(seq); navigator.clipboard.writeText(location.href).then(() => { copied.value = 'copied'; }, () => { copied.value = 'The address has it.'; }); }}>{copied.value === '' ? 'Copy a link' : copied.value}</button>
        </div>
        <Legend marks={marks} />
      </div>
      {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
      {f === undefined ? (error.value === '' ? <p class="empty" role="status">Asking for the state…</p> : null) : <Then key={f.fold.state.seq} session={f} />}
    </div>
  );
}

const kinds: [Mark['kind'], string][] = [['turn', 'turns'], ['request', 'requests'], ['failed', 'failures'], ['compaction', 'compactions']];

function Legend({ marks }: { marks: readonly Mark[] }): JSX.Element {
  return <p class="legend">{kinds.filter(([kind]) => marks.some((m) => m.kind === kind)).map(([kind, words]) => <span key={kind} class={`key-${kind}`}>{words}</span>)}</p>;
}

/** The cursor of an address; one that is none is the newest event. */
function cursorOf(text: string | undefined, now: Cursor): Cursor | undefined {
  try {
    const at = text === undefined ? undefined : parseCursor(text);
    return at === undefined || at.seq < 1 ? undefined : { epoch: at.epoch || now.epoch, seq: at.seq };
  } catch {
    return undefined;
  }
}
