import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Followed } from '../live/followed.ts';
import { nameOf } from '../live/groups.ts';
import { go, type SessionPlace } from '../live/place.ts';
import { plain } from '../text/words.ts';
import { useAround } from './context.ts';
import { Head } from './head.tsx';
import { later } from './later.tsx';
import { KeptLog } from './offline.tsx';
import { Parts } from './parts.tsx';
import { Talk } from './talk.tsx';

const Raw = later(() => import('../raw/raw.tsx').then((m) => m.Raw));
const Changes = later(() => import('../changes/changes.tsx').then((m) => m.Changes));
const Usage = later(() => import('../usage/usage.tsx').then((m) => m.Usage));
const Find = later(() => import('../find/find.tsx').then((m) => m.Find));
const Time = later(() => import('../time/time.tsx').then((m) => m.Time));

/** One session, in the view that the address names. */
export function SessionView({ here }: { here: SessionPlace }): JSX.Element {
  const { id } = here;
  const { feed, drafts } = useAround();
  const summary = feed.sessions.value.get(id);
  const isThere = summary !== undefined;
  const session = useMemo(() => (isThere ? feed.follow(id) : undefined), [feed, id, isThere]);
  useEffect(() => {
    if (session !== undefined) {
      session.onEvent = (e) => {
        if (e.type === 'prompt_queued') {
          drafts.taken(id, e.idempotencyKey);
        }
      };
    }
  }, [session]);
  if (session === undefined || summary === undefined) {
    return (
      <div class="nothing">
        <a class="back" href="/" data-place>← Sessions</a>
        {feed.isListed.value ? <><h2>No such session</h2><p class="empty">There is none with the id <code>{plain(id)}</code> within the reach of this login. It may have been removed.</p></> : <p class="empty">Reading the list of sessions…</p>}
      </div>
    );
  }
  return <Open key={id} here={here} session={session} />;
}

function Open({ here, session }: { here: SessionPlace; session: Followed }): JSX.Element {
  const { feed } = useAround();
  const isFinding = useSignal(false);
  const { id } = here;
  const find = (): void => {
    isFinding.value = true;
    if (here.part !== undefined && here.part !== 'talk') {
      const { part: _, at: __, ...talk } = here;
      go(talk);
    }
  };
  const isTalk = here.part === undefined || here.part === 'talk';
  return (
    <section class="session" aria-label={plain(nameOf(feed.sessions.value.get(id) ?? {}))}>
      <Head id={id} session={session} />
      <KeptLog session={session} />
      <Parts here={here} find={find} />
      {isFinding.value && isTalk ? <Find session={session} here={here} close={() => { isFinding.value = false; }} /> : null}
      {isTalk ? <Talk id={id} session={session} entry={here.entry} /> : !session.isWhole.value ? <p class="empty" role="status">Reading the log…</p> : <View here={here} session={session} />}
    </section>
  );
}

function View({ here, session }: { here: SessionPlace; session: Followed }): JSX.Element {
  switch (here.part) {
    case 'changes':
      return <Changes session={session} />;
    case 'usage':
      return <Usage session={session} />;
    case 'time':
      return <Time session={session} here={here} />;
    default:
      return <Raw session={session} />;
  }
}
