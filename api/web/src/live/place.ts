import { signal } from '@preact/signals';

/** What of a session is shown: what was said, or a view of its log. */
export const parts = ['talk', 'changes', 'time', 'usage', 'raw'] as const;
export type Part = (typeof parts)[number];

export interface SessionPlace {
  view: 'session';
  id: string;
  /** Absent: what was said. */
  part?: Part;
  /** The entry that the address leads to. */
  entry?: string;
  /** The cursor at which the session is shown, in its text form. */
  at?: string;
  /** Sessions that are shown beside it, each in its own view. */
  beside?: readonly Beside[];
  /** Where it stands among them, from 0: this one has the keys. Absent: before them. */
  pane?: number;
}

/** What is shown beside the session that has the keys. */
export type Beside = Pick<SessionPlace, 'id' | 'part' | 'at'>;

/** What the address names. */
export type Place = { view: 'home' } | { view: 'inbox' } | SessionPlace;

/** How many sessions stand beside each other at most. */
export const mostBeside = 4;

export const place = signal<Place>(placeOf(location.pathname, location.search));

/** Reads an address of the page: what it does not know leads to what is nearest. */
export function placeOf(path: string, search = ''): Place {
  const [, first, second, third, fourth] = path.split('/');
  if (first !== 's' || second === undefined || second === '') {
    return path === '/inbox' ? { view: 'inbox' } : { view: 'home' };
  }
  const query = new URLSearchParams(search);
  const at = query.get('at');
  const id = decoded(second);
  const beside = besideOf(query.get('beside') ?? '', id);
  const pane = Number(query.get('pane')) - 1;
  const part = at !== null ? 'time' : parts.find((p) => p === third);
  return {
    view: 'session', id,
    ...(part === undefined || part === 'talk' ? {} : { part }),
    ...(third === 'e' && fourth !== undefined && fourth !== '' ? { entry: decoded(fourth) } : {}),
    ...(at === null ? {} : { at }), ...(beside.length === 0 ? {} : { beside }), ...(Number.isInteger(pane) && pane > 0 && pane <= beside.length ? { pane } : {}),
  };
}

/** Reads what stands beside a session: ID, ID/PART or ID@CURSOR, with commas between them. No session stands there twice. */
function besideOf(text: string, id: string): Beside[] {
  const list = new Map<string, Beside>();
  for (const one of text.split(',')) {
    const [, each, view, at] = /^([^/@]+)(?:\/([a-z]+)|@([0-9.]+))?$/.exec(one) ?? [];
    const part = at !== undefined ? 'time' : parts.find((p) => p === view);
    if (each !== undefined && each !== id && !list.has(each) && list.size < mostBeside - 1) {
      list.set(each, { id: each, ...(part === undefined || part === 'talk' ? {} : { part }), ...(at === undefined ? {} : { at }) });
    }
  }
  return [...list.values()];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a place. A place at a cursor is /s/ID?at=CURSOR, whatever else is known of it. */
export function pathOf(p: Place): string {
  if (p.view !== 'session') {
    return p.view === 'inbox' ? '/inbox' : '/';
  }
  const rest = p.entry !== undefined ? `/e/${encodeURIComponent(p.entry)}` : p.at === undefined && p.part !== undefined && p.part !== 'talk' ? `/${p.part}` : '';
  const beside = (p.beside ?? []).map((b) => `${encodeURIComponent(b.id)}${b.at !== undefined ? `@${b.at}` : b.part === undefined || b.part === 'talk' ? '' : `/${b.part}`}`).join(',');
  const query = [p.at === undefined ? '' : `at=${encodeURIComponent(p.at)}`, beside === '' ? '' : `beside=${beside}`, beside === '' || !p.pane ? '' : `pane=${p.pane + 1}`].filter((q) => q !== '');
  return `/s/${encodeURIComponent(p.id)}${rest}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** Leads to a place; in place of the one before where that is no step of its own, such as the next mark of a slider. */
export function go(to: Place, isSameStep = false): void {
  const path = pathOf(to);
  if (path !== location.pathname + location.search) {
    if (isSameStep) {
      history.replaceState(null, '', path);
    } else {
      history.pushState(null, '', path);
    }
  }
  place.value = to;
}

addEventListener('popstate', () => {
  place.value = placeOf(location.pathname, location.search);
});
