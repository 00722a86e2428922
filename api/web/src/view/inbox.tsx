import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { InboxRequest } from 'ringmaster-client';
import type { EntryState } from 'ringmaster-protocol';
import { nameOf } from '../live/groups.ts';
import { keyOf } from '../live/inbox.ts';
import type { CallRead } from '../text/subject.ts';
import { base, count, plain } from '../text/words.ts';
import { useFeed } from './context.ts';
import { Request } from './request.tsx';

/** Everything that is asked in all sessions, the longest waiting first. */
export function InboxView(): JSX.Element {
  const feed = useFeed();
  const requests = feed.inbox.requests.value;
  const total = Math.max(requests.length, feed.inbox.total.value);
  const top = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    // Where the request that had the focus has gone, the list gets it, and not the next request: the key that was pressed for one must not answer another.
    if (hadFocus.current && document.activeElement === document.body) {
      top.current?.focus();
    }
  }, [requests]);
  return (
    <div class="inbox" ref={top} tabIndex={-1} onFocusIn={() => { hadFocus.current = true; }} onFocusOut={(e) => { hadFocus.current = e.relatedTarget === null || top.current?.contains(e.relatedTarget as Node) === true; }}>
      <h2>{requests.length === 0 ? (feed.inbox.isRead.value ? 'Nothing needs you' : 'Inbox') : `${count(total, 'request')} ${total === 1 ? 'needs' : 'need'} you`}</h2>
      {requests.map((r) => <Item key={keyOf(r)} item={r} />)}
      {total > requests.length ? <p class="empty">{total - requests.length} more follow when these are answered.</p> : null}
      {requests.length === 0 ? <p class="empty">{feed.inbox.isRead.value ? emptyWords(feed.sessions.value.size) : 'Reading what is asked…'}</p> : null}
    </div>
  );
}

function emptyWords(sessions: number): string {
  return sessions === 0 ? 'What agents ask will show here. There is no session yet: begin one with New, or in a terminal.' : 'What agents ask in any session shows here: approvals with their diff or command, and questions. Choose a session to read along.';
}

function Item({ item: r }: { item: InboxRequest }): JSX.Element {
  const feed = useFeed();
  const call = useSignal<{ entry: EntryState | undefined; read: CallRead }>({ entry: undefined, read: 'reading' });
  const key = keyOf(r);
  useEffect(() => {
    let isHere = true;
    void feed.inbox.call(r).then((entry) => {
      if (isHere) {
        call.value = { entry, read: entry === undefined ? 'failed' : 'read' };
      }
    });
    return () => {
      isHere = false;
    };
  }, [key]);
  const from = (
    <a class="from" href={`/s/${r.sessionId}`} data-place dir="auto">
      <strong>{plain(nameOf(r))}</strong><span><bdi>{plain(r.agent)}</bdi> · <bdi>{plain(base(r.cwd))}</bdi></span>
    </a>
  );
  return <Request sessionId={r.sessionId} request={r.request} openedMs={Date.parse(r.openedAt)} call={call.value.entry} read={call.value.read} policy={feed.sessions.value.get(r.sessionId)?.policy} from={from} />;
}
