import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { groupNames, groupOf, nameOf } from '../live/groups.ts';
import { openAt, withBeside } from '../live/panes.ts';
import { go, place } from '../live/place.ts';
import type { Part } from '../live/questions.ts';
import { seen } from '../live/seen.ts';
import { fit } from '../text/find.ts';
import { age, base, plain } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { kindOf, Searched, Snippet, useSaid } from './said.tsx';

/** One thing that can be done or gone to. */
export interface Command {
  id: string;
  name: string;
  /** What it is found by as well. */
  more?: string;
  /** What kind of thing it is, or a key that does it as well. */
  note: string;
  does: () => void;
  /** What was said there, in place of its name. */
  parts?: readonly Part[];
}

/** What a palette is for: all that can be done and gone to, a session to show beside the one that is there, or what was said. */
export type Mode = 'all' | 'beside' | 'said';

const labels: Record<Mode, string> = { all: 'Command, session, or words that were said', beside: 'Session to show beside this one', said: 'Words that were said' };
const titles: Record<Mode, string> = { all: 'Commands and sessions', beside: 'Show a session beside this one', said: 'Search what was said' };

/** How many of each kind are shown where there are several kinds. */
const mostShown = 12;

/** How many rows are drawn at first, and how many more when somebody comes near to the end of them. */
const drawnAtOnce = 30;

/** Everything that the page can do and lead to, by typing a part of its name. */
export function Palette({ commands, mode, text, close }: { commands: readonly Command[]; mode: Mode; text: string; close: () => void }): JSX.Element {
  const feed = useFeed();
  const dialog = useRef<HTMLDialogElement>(null);
  const wanted = useSignal(text);
  const at = useSignal(0);
  const drawn = useSignal(drawnAtOnce);
  const isWaiting = useSignal(false); // for the first place that is found, which Enter was meant for
  const name = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const said = useSaid(feed, wanted.value, mode === 'said' ? wanted.value.trim().length > 1 : mode === 'all' && wanted.value.trim().length > 2);
  const named = useComputed<Command[]>(() => {
    const here = place.value;
    const open = here.view === 'session' ? [here.id, ...(here.beside ?? []).map((b) => b.id)] : [];
    const best = (list: Command[]): Command[] => list.map((c) => ({ c, f: fit(`${c.name} ${c.more ?? ''}`, wanted.value) })).filter((x) => x.f !== undefined).sort((a, b) => b.f! - a.f!).slice(0, mostShown).map((x) => x.c);
    const asks = new Set(feed.inbox.requests.value.map((r) => r.sessionId));
    const sessions = (): Command[] => [...feed.sessions.value.values()].filter((s) => mode === 'all' || !open.includes(s.id)).sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt)).map((s) => ({
      id: `s/${s.id}`, name: nameOf(s), more: `${s.agent} ${base(s.cwd)}`, note: groupNames[groupOf(s, asks.has(s.id), seen.value[s.id])],
      does: () => go(mode === 'beside' && here.view === 'session' ? withBeside(here, s.id) : openAt({ view: 'session', id: s.id })),
    }));
    return mode === 'said' ? [] : [...(mode === 'all' ? best([...commands]) : []), ...best(sessions())];
  });
  const found = said.hits.slice(0, mode === 'all' ? mostShown : undefined).map((h): Command => {
    const s = feed.sessions.value.get(h.id);
    return {
      id: `e/${h.id}/${h.entryId}`, name: nameOf(s ?? {}), parts: h.parts,
      note: [s?.agent ?? '', kindOf(h), age(Date.now() - h.ts), h.isLastOfMany ? 'there may be more in this session' : ''].filter((w) => w !== '').join(' · '),
      does: () => go(openAt({ view: 'session', id: h.id, entry: h.entryId })),
    };
  });
  const list = [...named.value, ...found];
  const take = (c: Command | undefined): void => {
    if (c !== undefined) {
      dialog.current?.close();
      c.does();
    }
  };
  const first = list[0];
  useEffect(() => {
    if (isWaiting.value && first !== undefined) {
      isWaiting.value = false;
      take(first);
    }
  }, [first, isWaiting.value]);
  const now = Math.min(at.value, list.length - 1);
  useEffect(() => document.getElementById(`${name}-${at.value}`)?.scrollIntoView({ block: 'nearest' }), [at.value]);
  const { progress } = said;
  const isSearching = progress === 'begins' || progress?.stage === 'goes on';
  return (
    <dialog ref={dialog} class={`palette palette-${mode}`} aria-label={titles[mode]} onClose={close}>
      <input
        role="combobox" aria-expanded="true" aria-controls={name} aria-activedescendant={list.length === 0 ? undefined : `${name}-${now}`} aria-label={labels[mode]} placeholder={labels[mode]}
        autocomplete="off" spellcheck={false} value={wanted.value}
        onInput={(e) => {
          wanted.value = e.currentTarget.value;
          at.value = 0;
          drawn.value = drawnAtOnce;
          isWaiting.value = false;
        }}
        onKeyDown={(e) => {
          if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
            e.preventDefault();
            at.value = list.length === 0 ? 0 : (now + (e.key === 'ArrowDown' ? 1 : -1) + list.length) % list.length;
            drawn.value = Math.max(drawn.value, at.value + drawnAtOnce);
          } else if (e.key === 'Enter' && !e.isComposing) {
            e.preventDefault();
            isWaiting.value = list.length === 0 && isSearching;
            take(list[now]);
          }
        }}
      />
      <ul
        id={name} role="listbox" aria-label="What fits"
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight) {
            drawn.value = Math.max(drawn.value, Math.min(list.length, drawn.value + drawnAtOnce));
          }
        }}
      >
        {list.slice(0, drawn.value).map((c, i) => (
          <li key={c.id} id={`${name}-${i}`} role="option" aria-posinset={i + 1} aria-setsize={list.length} class={c.parts === undefined ? '' : 'said'} aria-selected={i === now} onClick={() => take(c)}>
            {c.parts === undefined ? null : <Snippet parts={c.parts} />}
            <span class="name" dir="auto">{plain(c.name)}{c.more === undefined ? null : <span class="note"> {plain(c.more)}</span>}</span><span class="note">{plain(c.note)}</span>
          </li>
        ))}
      </ul>
      {list.length > 0 || isSearching || mode === 'said' ? null : <p class="empty" role="status">Nothing fits.</p>}
      <Searched said={said} listed={feed.sessions.value.size} isOnDisk={feed.keeps.value === 'disk'} />
    </dialog>
  );
}
