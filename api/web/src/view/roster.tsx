import { useComputed, useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { groupNames, groups, nameOf, rowsOf, type Row } from '../live/groups.ts';
import { now } from '../live/now.ts';
import { place } from '../live/place.ts';
import { seen } from '../live/seen.ts';
import { age, base, causes, count, dollars, plain, stateWords } from '../text/words.ts';
import { canWrite } from '../login/kept.ts';
import { useFeed } from './context.ts';
import { Facts } from './facts.tsx';
import { Sign } from './icons.tsx';

/** The list of sessions, by what a person should do about them. */
export function Roster({ filterBox, search }: { filterBox: Signal<HTMLInputElement | null>; search: (text: string) => void }): JSX.Element {
  const feed = useFeed();
  const filter = useSignal('');
  const rows = useComputed(() => rowsOf(feed.sessions.value.values(), feed.inbox.requests.value, seen.value, filter.value));
  const total = feed.sessions.value.size;
  const hits = [...rows.value.values()].reduce((n, list) => n + list.length, 0);
  return (
    <nav class="roster" aria-label="Sessions">
      <div class="filter">
        <input
          ref={(box) => { filterBox.value = box; }} type="search" placeholder="Filter sessions" aria-label="Filter sessions" autocomplete="off" spellcheck={false} value={filter.value}
          onInput={(e) => { filter.value = e.currentTarget.value; }}
          onKeyDown={(e) => {
            if (e.key === 'Escape') {
              filter.value = '';
              e.currentTarget.blur();
              e.stopPropagation();
            } else if (e.key === 'Enter' && !e.isComposing && filter.peek().trim() !== '') {
              e.preventDefault();
              search(filter.peek());
            }
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <div class="groups">
        {groups.map((group) => {
          const list = rows.value.get(group)!;
          return list.length === 0 ? null : (
            <section key={group} class={`group group-${group}`} aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>{groupNames[group]} <span class="count">{list.length}</span></h2>
              <ul>{list.map((row) => <RosterRow key={row.session.id} row={row} />)}</ul>
            </section>
          );
        })}
        {!feed.isListed.value ? <p class="empty">Reading the list of sessions…</p> : null}
        {feed.isListed.value && total === 0 ? <div class="empty"><p>No sessions yet.</p><p>{canWrite() ? 'Begin one with New, above, or in a terminal:' : 'One is begun in a terminal:'}</p><p><code>ringmaster run --agent claude "…"</code></p></div> : null}
        {total > 0 && hits === 0 ? <p class="empty">No session has “{plain(filter.value)}” in its name, agent, folder or labels.</p> : null}
        {filter.value.trim() === '' ? null : <p class="filter-more"><button type="button" class="small" id="search-said" onClick={() => search(filter.peek())}>Search what was said <kbd aria-hidden="true">enter</kbd></button></p>}
      </div>
    </nav>
  );
}

function RosterRow({ row }: { row: Row }): JSX.Element {
  const s = row.session;
  const here = place.value.view === 'session' && place.value.id === s.id;
  const line = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (here && isNew(s.id)) {
      line.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [here]);
  const said = what(row);
  const spent = dollars(s.spent.costMicros);
  return (
    <li>
      <a class={`row${s.unreachable ? ' unreachable' : ''}`} ref={line} href={`/s/${s.id}`} data-place data-row={s.id} aria-current={here ? 'page' : undefined}>
        <Sign group={row.group} />
        <span class="row-name" dir="auto">{plain(nameOf(s))}</span>
        <span class="row-age">{age(now.value - Date.parse(row.requests[0]?.openedAt ?? s.updatedAt))}</span>
        {said === '' ? null : <span class="row-what" dir="auto">{plain(said)}</span>}
        <span class="row-facts"><Facts list={[s.agent, base(s.cwd), row.below.length > 0 ? count(row.below.length, 'sub-agent') : '', spent].filter((f) => f !== '')} /></span>
      </a>
    </li>
  );
}

let shown = { id: '', until: 0 };

/** A session was gone to just now: its row is brought into view. Later the list stays where the reader has it, also when the row moves to another group. */
function isNew(id: string): boolean {
  const time = performance.now();
  if (shown.id !== id) {
    shown = { id, until: time + 2000 };
  }
  return time < shown.until;
}

/** Why a row is where it is, in a few words. */
function what({ session: s, group, requests, below }: Row): string {
  const first = requests[0];
  if (first !== undefined) {
    const r = first.request;
    const more = requests.length > 1 ? ` (+${requests.length - 1})` : '';
    return `${r.kind === 'approval' ? [r.toolName, r.subject].filter(Boolean).join(' ') || r.title : r.title}${more}${s.unreachable ? ' · unreachable' : ''}`;
  }
  if (group === 'failed') {
    return s.status.state === 'failed' ? (s.endError ?? 'failed') : `its turn failed${s.lastTurn?.error === undefined ? '' : `: ${s.lastTurn.error}`}`;
  }
  const working = below.filter((b) => b.status.agentStatus !== 'idle').length;
  const state = group === 'idle' ? '' : group === 'ready' ? (s.lastTurn?.status === 'interrupted' ? `its turn was interrupted ${causes[s.lastTurn.cause ?? ''] ?? ''}`.trim() : 'its turn has ended') : stateWords(s.status.state, s.status.toolName);
  const words = [state, s.status.stalled ? 'says nothing' : '', s.status.queuedPrompts ? `${count(s.status.queuedPrompts, 'prompt')} waiting` : '', working > 0 ? `${working} below at work` : ''];
  const limit = s.marks?.find((m) => m.state === 'reached') ? 'budget used up' : '';
  return [...words, limit, s.node !== undefined ? `at ${s.node.slice(0, 8)}${s.unreachable ? ', unreachable' : ''}` : '', s.damage !== undefined ? 'log damaged' : s.readOnly ? 'read-only' : ''].filter((w) => w !== '').join(' · ');
}
