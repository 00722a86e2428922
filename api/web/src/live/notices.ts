import { effect, signal, type Signal } from '@preact/signals';
import { knownOf, newsOf, type Known } from '../text/news.ts';
import { plain } from '../text/words.ts';
import type { Feed } from './feed.ts';
import { nameOf } from './groups.ts';
import { keyOf } from './inbox.ts';
import { go } from './place.ts';

const stored = 'ringmaster.notices';

/** Whether this browser tells of what needs a person while nobody looks at the page; unable: it does not know how, or somebody has forbidden it. */
export const notices: Signal<'on' | 'off' | 'unable'> = signal(standing());

function standing(): 'on' | 'off' | 'unable' {
  if (!('Notification' in globalThis) || Notification.permission === 'denied') {
    return 'unable';
  }
  try {
    return Notification.permission === 'granted' && localStorage.getItem(stored) === 'yes' ? 'on' : 'off';
  } catch {
    return 'off';
  }
}

/** Turns notices on or off. Only a click calls this: a browser is asked for its permission when a person wants them, and not before. */
export async function turnNotices(): Promise<void> {
  const isWanted = notices.peek() === 'off';
  if (isWanted && Notification.permission !== 'granted') {
    await Notification.requestPermission();
  }
  try {
    localStorage.setItem(stored, isWanted ? 'yes' : 'no');
  } catch {
    // until the page is closed
  }
  const now = standing();
  notices.value = now === 'unable' ? now : isWanted && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Shows a notice, where the browser lets a page do that: some leave it to service workers, and say so only here. */
function shown(title: string, o: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, o);
  } catch {
    notices.value = 'unable';
    return undefined;
  }
}

/** Tells of new requests and of turns that have ended, while nobody looks. It returns a way to end it. */
export function watchNews(feed: Feed): () => void {
  let known: ReadonlyMap<string, Known> | undefined;
  let asked: ReadonlySet<string> | undefined;
  const tell = (session: string, tag: string, words: string, toInbox: boolean): void => {
    if (notices.peek() !== 'on' || (document.visibilityState === 'visible' && document.hasFocus())) {
      return;
    }
    const s = feed.sessions.peek().get(session);
    const notice = shown(plain(nameOf(s ?? {})).slice(0, 80), { body: [words, s?.agent ?? ''].filter((w) => w !== '').map(plain).join(' '), tag, icon: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '' });
    if (notice === undefined) {
      return;
    }
    notice.onclick = () => {
      window.focus();
      go(toInbox ? { view: 'inbox' } : { view: 'session', id: session });
      notice.close();
    };
  };
  const ends = [
    effect(() => {
      const sessions = [...feed.sessions.value.values()];
      if (!feed.isListed.value || (known === undefined && feed.listAsOf.value !== 0)) {
        return; // what came since a list was kept is no news: nobody had asked to be told of it
      }
      for (const n of known === undefined ? [] : newsOf(known, sessions)) {
        tell(n.session, n.tag, n.words, false);
      }
      known = knownOf(sessions);
    }),
    effect(() => {
      const list = feed.inbox.requests.value;
      if (!feed.inbox.isRead.value) {
        return;
      }
      for (const r of asked === undefined ? [] : list.filter((each) => !asked!.has(keyOf(each)))) {
        tell(r.sessionId, `request/${keyOf(r)}`, r.request.kind === 'approval' ? `It asks for an approval (${r.request.toolKind ?? 'a tool'}).` : 'It asks a question.', true);
      }
      asked = new Set(list.map(keyOf));
    }),
  ];
  return () => ends.forEach((end) => end());
}
