import type { JSX } from 'preact';
import type { Followed } from '../live/followed.ts';
import { useFeed } from './context.ts';

/** Says that the list is the one which this browser has kept, and of when. */
export function KeptList(): JSX.Element | null {
  const { link, listAsOf } = useFeed();
  if (link.value !== 'away' || listAsOf.value === 0) {
    return null;
  }
  return <p class="kept" role="status" id="kept-list">Offline. This list is as of <Time at={listAsOf.value} />.</p>;
}

/** Says up to when a session's log is here, while there is no more to be had. */
export function KeptLog({ session }: { session: Followed }): JSX.Element | null {
  const { link } = useFeed();
  if (link.value !== 'away' || session.seq.value === 0) {
    return null;
  }
  return <p class="kept kept-log" role="status">Offline. What stands here goes up to <Time at={session.fold.state.ts} />; what came since is not in this browser.</p>;
}

function Time({ at }: { at: number }): JSX.Element {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  return <time dateTime={time.toISOString()}>{isToday ? time.toLocaleTimeString() : time.toLocaleString()}</time>;
}
