import type { Feed } from '../live/feed.ts';
import { focusPane } from '../live/focus.ts';
import { keyOf } from '../live/inbox.ts';
import { paneOf, panesOf, without } from '../live/panes.ts';
import { go, place, type Part } from '../live/place.ts';
import { canChange, canWrite } from '../login/kept.ts';

/** What keys reach beyond the view that has the focus. */
export interface Reach {
  feed: Feed;
  filter: () => HTMLInputElement | null;
  help: (isOpen: boolean) => void;
  begin: () => void;
  /** Opens the palette: of everything, of sessions to show beside the one that is there, or of what was said; with a text that is there already. */
  palette: (mode: 'all' | 'beside' | 'said', text?: string) => void;
  /** Opens the nodes. */
  nodes: () => void;
  /** A dialog is open, which has the keys. */
  isOpen: () => boolean;
}

/** One key, or two of which the first is g. */
interface Key {
  keys: string;
  words: string;
  /** Absent: the view that has the focus takes it. */
  does?: (reach: Reach) => void;
  /** How the palette calls it; absent: it is not there. */
  command?: string;
  /** There is something to do it to. */
  when?: (reach: Reach) => boolean;
}

const isSession = (): boolean => place.value.view === 'session';
const isMine = ({ feed }: Reach): boolean => place.value.view === 'session' && canChange(feed.sessions.value.get(place.value.id));
const isBeside = (): boolean => place.value.view === 'session' && place.value.beside !== undefined;
const to = (part: Part) => (): void => {
  const p = place.peek();
  if (p.view === 'session') {
    const { entry: _, at: __, ...rest } = p;
    go({ ...rest, part });
  }
};

const table: readonly Key[] = [
  { keys: '.', words: 'everything that can be done or gone to', does: ({ palette }) => palette('all') },
  { keys: 'a', words: 'the next request that needs you', does: ({ feed }) => next(feed), command: 'Next request that needs you', when: ({ feed }) => feed.inbox.total.value > 0 },
  { keys: 'y', words: 'allow once: the request that has the focus' },
  { keys: 'n', words: 'deny: the request that has the focus' },
  { keys: 'j k', words: 'down and up, in the list or among requests' },
  { keys: 'enter', words: 'open what has the focus' },
  { keys: 'p', words: 'write to the session that is shown', does: () => inPane('[data-composer]')?.focus(), command: 'Write to this session', when: isMine },
  { keys: 'f', words: 'find in what was said there', does: () => inPane('.find-open')?.click(), command: 'Find in this session', when: isSession },
  { keys: 'shift f', words: 'search what was said in all sessions that this browser keeps', does: ({ palette }) => palette('said'), command: 'Search what was said in all sessions' },
  { keys: 's', words: 'its settings: name, model, approvals, end', does: () => inPane('.head .settings')?.click(), command: 'Settings of this session: name, model, approvals, end, delete', when: isMine },
  { keys: 'b', words: 'another session beside it', does: ({ palette }) => { if (isSession()) { palette('beside'); } }, command: 'Show another session beside this one', when: isSession },
  { keys: 'h l', words: 'the session to the left and to the right, where several are shown' },
  { keys: 'q', words: 'close the one that has the keys', does: () => { const p = place.peek(); if (isBeside() && p.view === 'session') { go(without(p, paneOf(p))); requestAnimationFrame(focusPane); } }, command: 'Close this pane', when: isBeside },
  { keys: 'shift x', words: 'interrupt the session that is shown', does: () => inPane('.head .stop')?.click(), command: 'Interrupt this session', when: () => isSession() && inPane('.head .stop') !== undefined },
  { keys: 'c', words: 'begin a session', does: ({ begin }) => begin(), command: 'New session', when: canWrite },
  {
    keys: '/', words: 'filter the list; enter there searches what was said', command: 'Filter the list of sessions',
    does: ({ filter }) => {
      if (filter()?.offsetParent === null) {
        go({ view: 'home' }); // on a phone the list is a view of its own
      }
      requestAnimationFrame(() => filter()?.focus());
    },
  },
  { keys: 'g i', words: 'everything that is asked', does: () => go({ view: 'inbox' }), command: 'Inbox: everything that is asked' },
  { keys: 'g r', words: 'the list of sessions', does: () => go({ view: 'home' }), command: 'List of sessions' },
  { keys: 'g s', words: 'what was said', does: to('talk'), command: 'Transcript of this session', when: isSession },
  { keys: 'g d', words: 'changes of files', does: to('changes'), command: 'Changes: diffs by file', when: isSession },
  { keys: 'g t', words: 'the session as it was', does: to('time'), command: 'Time: the session as it was', when: isSession },
  { keys: 'g u', words: 'tokens and cost', does: to('usage'), command: 'Usage: tokens and cost', when: isSession },
  { keys: 'g n', words: 'native lines', does: to('raw'), command: 'Raw: native lines and events', when: isSession },
  { keys: 'g o', words: 'the daemons on the same Core', does: ({ nodes }) => nodes(), command: 'Nodes: the daemons on the same Core' },
  { keys: 'esc', words: 'back', does: () => { const p = place.peek(); if (p.view === 'session' && p.part !== undefined) { to('talk')(); } else if (p.view !== 'home') { go({ view: 'home' }); } } },
  { keys: '?', words: 'these keys', does: ({ help }) => help(true), command: 'Keys' },
  { keys: '', words: '', does: () => { const p = place.peek(); if (p.view === 'session') { const { beside: _, pane: __, ...rest } = p; go(rest); } }, command: 'Show this session alone', when: isBeside },
];

/** The keys of the page, as the help shows them. */
export const keyList: readonly [string, string][] = table.filter((k) => k.keys !== '').map((k) => [k.keys, k.words]);

/** What of the keys the palette offers now. */
export function commandsOf(reach: Reach): { id: string; name: string; note: string; does: () => void }[] {
  return table.filter((k) => k.command !== undefined && k.does !== undefined && (k.when?.(reach) ?? true)).map((k) => ({
    id: k.command!, name: k.command!, note: k.keys, does: () => requestAnimationFrame(() => k.does!(reach)),
  }));
}

const names: Record<string, string> = { esc: 'Escape', 'shift x': 'X', 'shift f': 'F' };
const plainKeys = new Map(table.filter((k) => k.does !== undefined && k.keys !== '' && !k.keys.startsWith('g ')).map((k) => [names[k.keys] ?? k.keys, k.does!]));
const afterG = new Map(table.filter((k) => k.keys.startsWith('g ')).map((k) => [k.keys.slice(2), k.does!]));
plainKeys.set('j', () => move(1)).set('k', () => move(-1)).set('h', () => beside(-1)).set('l', () => beside(1));

/** Keys that count wherever the focus is, unless somebody types. Answers are not among them: a request takes them itself, while it has the focus. */
export function onKey(reach: Reach): (e: KeyboardEvent) => void {
  let isAfterG = false;
  return (e) => {
    if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.altKey || (e.target instanceof Element && e.target.closest('input, textarea, select, [contenteditable]') !== null)) {
      return;
    }
    const wasAfterG = isAfterG;
    isAfterG = e.key === 'g';
    if (reach.isOpen() || document.querySelector('dialog[open]') !== null) {
      return;
    }
    const does = (wasAfterG ? afterG : plainKeys).get(e.key);
    if (does !== undefined) {
      e.preventDefault();
      does(reach);
    }
  };
}

/** Something of the session that has the keys, which is the only one that is shown, or marked among several: a key must not reach a session that nobody meant. */
function inPane(selector: string): HTMLElement | undefined {
  return document.querySelector('.pane.focused, .main > .session')?.querySelector<HTMLElement>(selector) ?? undefined;
}

/** Gives the keys to the pane beside the one that has them. */
function beside(by: number): void {
  const p = place.peek();
  const to = p.view === 'session' ? panesOf(p)[paneOf(p) + by] : undefined;
  if (to !== undefined) {
    go(to, true);
    requestAnimationFrame(() => setTimeout(focusPane));
  }
}

/** Moves the focus among the requests of the view where it is in there, else among the rows of the list. */
function move(by: number): void {
  const main = document.querySelector('.pane.focused') ?? document.querySelector('.main');
  const isInside = main?.contains(document.activeElement) === true;
  const requests = [...(main?.querySelectorAll<HTMLElement>('[data-request]') ?? [])];
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.offsetParent !== null);
  const list = (isInside && requests.length > 0) || rows.length === 0 ? requests : rows;
  const at = list.findIndex((each) => each.contains(document.activeElement));
  const to = at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + by));
  focus(list[to]);
}

/** Leads to the request behind the one that has the focus, in the list of all. */
function next(feed: Feed): void {
  const keys = feed.inbox.requests.peek().map(keyOf);
  if (keys.length === 0) {
    return;
  }
  const here = document.activeElement?.closest<HTMLElement>('[data-request]')?.dataset['request'];
  const key = keys[(keys.indexOf(here ?? '') + 1) % keys.length]!;
  if (place.value.view === 'session') {
    go({ view: 'inbox' });
  } else if (document.querySelector(selector(key)) === null || document.querySelector<HTMLElement>(selector(key))!.offsetParent === null) {
    go({ view: 'inbox' });
  }
  requestAnimationFrame(() => setTimeout(() => focus(document.querySelector<HTMLElement>(selector(key)))));
}

function selector(key: string): string {
  return `[data-request="${CSS.escape(key)}"]`;
}

function focus(element: HTMLElement | null | undefined): void {
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
}
