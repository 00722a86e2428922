import { go, mostBeside, place, placeOf, type Beside, type SessionPlace } from './place.ts';

/** The sessions that a place shows, from left to right: each as the place where it is the one that has the keys. */
export function panesOf(p: SessionPlace): SessionPlace[] {
  const all = listOf(p);
  return all.map((_, i) => focused(all, i));
}

/** Which of its panes has the keys. */
export function paneOf(p: SessionPlace): number {
  return Math.min(p.pane ?? 0, p.beside?.length ?? 0);
}

/** A session as the last of those that a place shows, which has the keys where it had them. */
export function withBeside(p: SessionPlace, id: string): SessionPlace {
  const rest = p.beside ?? [];
  return p.id === id || rest.some((b) => b.id === id) || rest.length >= mostBeside - 1 ? p : { ...p, beside: [...rest, { id }] };
}

/** A place without one of its panes. Where that had the keys, the one that takes its room has them. */
export function without(p: SessionPlace, pane: number): SessionPlace {
  const all = listOf(p), at = paneOf(p);
  const left = all.filter((_, i) => i !== pane);
  return left.length === 0 ? p : focused(left, Math.min(left.length - 1, at > pane ? at - 1 : at));
}

/** Where a session is shown that somebody goes to: in the pane that it has, or else in the one that has the keys. */
export function openAt(to: SessionPlace): SessionPlace {
  const here = place.peek();
  if (here.view !== 'session' || here.beside === undefined || to.beside !== undefined) {
    return to;
  }
  const all = listOf(here);
  const found = all.findIndex((b) => b.id === to.id);
  const at = found < 0 ? paneOf(here) : found;
  return { ...focused(all.with(at, to), at), ...(to.entry === undefined ? {} : { entry: to.entry }) };
}

/** Shows another view or moment of a session in its pane, which does not get the keys by that. All else stays as it is now: whoever asks may have waited since it saw the place. Where the session is shown no more, nothing happens. */
export function showIn(to: Beside, isSameStep: boolean): void {
  const here = place.peek();
  if (here.view !== 'session') {
    return;
  }
  if (here.id === to.id) {
    const { part: _part, at: _at, ...rest } = here;
    go({ ...rest, ...besideOf(to) }, isSameStep);
  } else if ((here.beside ?? []).some((b) => b.id === to.id)) {
    go({ ...here, beside: here.beside!.map((b) => (b.id === to.id ? besideOf(to) : b)) }, isSameStep);
  }
}

/** Leaves a session that is there no more: its pane closes, and what is shown beside it stays. */
export function leave(id: string): void {
  const here = place.peek();
  const pane = here.view === 'session' ? panesOf(here).findIndex((p) => p.id === id) : -1;
  if (here.view === 'session' && pane >= 0) {
    go(here.beside === undefined ? { view: 'home' } : without(here, pane));
  }
}

/** Follows links inside the page without loading it anew. */
export function followLinks(): void {
  document.addEventListener('click', (e) => {
    const link = e.target instanceof Element ? e.target.closest('a[data-place]') : null;
    if (link instanceof HTMLAnchorElement && e.button === 0 && !e.metaKey && !e.ctrlKey && !e.shiftKey && !e.altKey) {
      e.preventDefault();
      const to = placeOf(link.pathname, link.search);
      go(to.view === 'session' && link.dataset['place'] !== 'alone' ? openAt(to) : to);
    }
  });
}

function listOf(p: SessionPlace): Beside[] {
  const rest = p.beside ?? [];
  return rest.toSpliced(paneOf(p), 0, besideOf(p, true));
}

/** The place of a list in which one has the keys. */
function focused(all: readonly Beside[], at: number): SessionPlace {
  const beside = all.filter((_, i) => i !== at).map((b) => besideOf(b));
  return { view: 'session', ...all[at]!, ...(beside.length === 0 ? {} : { beside }), ...(at === 0 ? {} : { pane: at }) };
}

/** What of a place is kept while another one has the keys; with its entry, while it has them itself. */
function besideOf(p: Beside & { entry?: string }, withEntry = false): Beside {
  const { id, part, at, entry } = p;
  return { id, ...(part === undefined || part === 'talk' ? {} : { part }), ...(at === undefined ? {} : { at }), ...(withEntry && entry !== undefined ? { entry } : {}) };
}
