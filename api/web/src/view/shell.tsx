import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { nameOf } from '../live/groups.ts';
import { notices, turnNotices, watchNews } from '../live/notices.ts';
import { place } from '../live/place.ts';
import { canWrite, login } from '../login/kept.ts';
import { plain } from '../text/words.ts';
import { ThisBrowser } from './browser.tsx';
import { useFeed } from './context.ts';
import { Help } from './help.tsx';
import { InboxView } from './inbox.tsx';
import { commandsOf, onKey, type Reach } from './keys.ts';
import { later } from './later.tsx';
import { NewSession } from './new.tsx';
import { KeptList } from './offline.tsx';
import { Panes } from './panes.tsx';
import { Roster } from './roster.tsx';

const Palette = later(() => import('../palette/palette.tsx').then((m) => m.Palette));
const Nodes = later(() => import('../nodes/nodes.tsx').then((m) => m.Nodes));

/** The page of somebody who is logged in: the list beside what was chosen; on a phone, one of both. */
export function Shell({ notice, leave, forget }: { notice: string; leave: () => void; forget: () => Promise<void> }): JSX.Element {
  const feed = useFeed();
  const filterBox = useSignal<HTMLInputElement | null>(null);
  const help = useSignal(false);
  const isNew = useSignal(false);
  const isBrowser = useSignal(false);
  const isNodes = useSignal(false);
  const palette = useSignal<{ mode: 'all' | 'beside' | 'said'; text: string } | undefined>(undefined);
  const reach = useMemo<Reach>(() => ({
    feed, filter: () => filterBox.peek(), help: (isOpen) => { help.value = isOpen; }, begin: () => { isNew.value = canWrite(); }, palette: (mode, text = '') => { palette.value = { mode, text }; }, nodes: () => { isNodes.value = true; },
    isOpen: () => help.peek() || isNew.peek() || palette.peek() !== undefined || isBrowser.peek() || isNodes.peek(),
  }), [feed]);
  // Until the inbox is read, as without the daemon, the list says how many wait.
  const needs = feed.inbox.isRead.value ? feed.inbox.total.value : [...feed.sessions.value.values()].filter((s) => s.status.state.startsWith('awaiting')).length;
  const here = place.value;
  useSignalEffect(() => {
    const n = feed.inbox.total.value;
    const p = place.value;
    const s = p.view === 'session' ? feed.sessions.value.get(p.id) : undefined;
    document.title = `${n > 0 ? `(${n}) ` : ''}${s === undefined ? 'Ringmaster' : `${plain(nameOf(s)).slice(0, 80)} · Ringmaster`}`;
  });
  useSignalEffect(() => { // by itself: the list changes all the time, and a call costs several milliseconds
    const n = feed.inbox.total.value;
    const badge = navigator as Navigator & { setAppBadge?: (n: number) => Promise<void>; clearAppBadge?: () => Promise<void> };
    const soon = setTimeout(() => void (n > 0 ? badge.setAppBadge?.(n) : badge.clearAppBadge?.())?.catch(() => undefined), 1000);
    return () => clearTimeout(soon);
  });
  useLayoutEffect(() => { // a key counts from the first picture on
    const key = onKey(reach);
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  }, [reach]);
  useEffect(() => watchNews(feed), [feed]);
  const link = feed.link.value;
  return (
    <main class={`shell view-${here.view}`} data-role={feed.role.value}>
      <h1 class="unseen">Ringmaster</h1>
      <div class="side">
        <header class="bar">
          <a class="brand" href="/" data-place>Ringmaster</a>
          <span class={`link link-${link}`} role="status">{link === 'live' ? <span class="unseen">connected</span> : link === 'away' ? 'daemon away' : 'connecting…'}</span>
          {!canWrite() ? null : <button type="button" class="small" id="new" title="Begin a session (c)" onClick={() => { isNew.value = true; }}>New</button>}
          <a class={`needs${needs > 0 ? ' some' : ''}`} href="/inbox" data-place aria-current={here.view === 'inbox' ? 'page' : undefined}>{needs > 0 ? `${needs} need${needs === 1 ? 's' : ''} you` : 'Inbox'}</a>
        </header>
        {notice === '' ? null : <p class="notice" role="status" id="notice">{plain(notice)}</p>}
        <KeptList />
        <Roster filterBox={filterBox} search={(text) => reach.palette('said', text)} />
        <footer class="foot">
          <div class="foot-row">
            <span id="who" title={login.value?.expiresAt === undefined ? '' : `until ${new Date(login.value.expiresAt).toLocaleString()}`}>{plain([login.value?.name, login.value?.scope && `(${login.value.scope})`].filter(Boolean).join(' '))}</span>
            <button type="button" class="quiet small" id="leave" onClick={leave}>Log out</button>
          </div>
          <div class="foot-row">
            {notices.value === 'unable' ? null : <button type="button" class="quiet small" id="notices" aria-pressed={notices.value === 'on'} title="Tells you, while you look elsewhere, of requests and of turns that have ended" onClick={() => void turnNotices()}>{notices.value === 'on' ? 'Notices on' : 'Notify me'}</button>}
            <button type="button" class="quiet small" onClick={() => reach.palette('all')}>Go to…</button>
            <button type="button" class="quiet small" onClick={() => { help.value = true; }}>Keys</button>
            <NodesButton open={reach.nodes} />
            <button type="button" class="quiet small" id="this-browser" onClick={() => { isBrowser.value = true; }}>This browser</button>
          </div>
        </footer>
      </div>
      <div class="main">{here.view === 'session' ? <Panes here={here} /> : <><a class="back only-phone" href="/" data-place>← Sessions</a><InboxView /></>}</div>
      <Announcer />
      {isNew.value ? <NewSession close={() => { isNew.value = false; }} /> : null}
      {palette.value === undefined ? null : <Palette key={palette.value.mode} {...palette.value} commands={commandsOf(reach)} close={() => { palette.value = undefined; }} />}
      {isBrowser.value ? <ThisBrowser close={() => { isBrowser.value = false; }} forget={forget} /> : null}
      {isNodes.value ? <Nodes close={() => { isNodes.value = false; }} /> : null}
      {help.value ? <Help close={() => { help.value = false; }} /> : null}
    </main>
  );
}

/** Leads to the nodes, where there is another one. */
function NodesButton({ open }: { open: () => void }): JSX.Element | null {
  const feed = useFeed();
  const are = useComputed(() => [...feed.sessions.value.values()].some((s) => s.node !== undefined));
  return are.value ? <button type="button" class="quiet small" id="open-nodes" title="The daemons on the same Core (g o)" onClick={open}>Nodes</button> : null;
}

/** Tells a screen reader when something new needs a person, and nothing of what is being written. */
function Announcer(): JSX.Element {
  const feed = useFeed();
  const said = useSignal('');
  const before = useSignal<number | undefined>(undefined);
  useSignalEffect(() => {
    const n = feed.inbox.requests.value.length;
    const was = before.peek();
    if (was !== undefined && n > was) {
      said.value = `An answer is needed: ${n} in all`;
    } else if (n === 0) {
      said.value = '';
    }
    before.value = feed.inbox.isRead.value ? n : undefined;
  });
  return <p class="unseen" role="status">{said.value}</p>;
}
