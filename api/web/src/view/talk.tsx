import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Followed } from '../live/followed.ts';
import { now } from '../live/now.ts';
import { see, seen } from '../live/seen.ts';
import { canChange, canWrite } from '../login/kept.ts';
import { plain } from '../text/words.ts';
import { Composer } from './composer.tsx';
import { useAround } from './context.ts';
import { Queue } from './queue.tsx';
import { Request } from './request.tsx';
import { Transcript } from './transcript.tsx';

/** What was said in a session, what it asks, what waits, and the place to write to it. entry is the one that the address leads to. */
export function Talk({ id, session, entry }: { id: string; session: Followed; entry: string | undefined }): JSX.Element {
  const { feed } = useAround();
  const summary = feed.sessions.value.get(id);
  const isAtEnd = useSignal(true);
  const seenBefore = useRef(seen.peek()[id]);
  useSignalEffect(() => {
    if (now.value > 0 && isAtEnd.value && document.visibilityState === 'visible') { // the time goes on while the page is visible
      see(id, session.seq.value);
    }
  });
  const isWhole = session.isWhole.value;
  const isEmpty = isWhole && session.entries.value.length === 0;
  const isLost = entry !== undefined && isWhole && session.fold.entry(entry) === undefined;
  return (
    <>
      {isLost ? <p class="notice" role="status">This log has no entry <code>{plain(entry)}</code>: the link is of another session, or of one that was begun anew.</p> : null}
      <Transcript
        session={session} isAtEnd={isAtEnd} target={entry} seen={seenBefore.current}
        tail={
          <>
            {!isWhole ? <p class="empty">Reading the log…</p> : null}
            {isEmpty && session.fold.state.turns.length === 0 && session.fold.state.end === undefined ? <p class="empty">Nothing was said yet.{canChange(summary) ? ' Write the first prompt below.' : ''}</p> : null}
            {session.trouble.value === '' ? null : <p class="error">{session.trouble.value}</p>}
            <Asks id={id} session={session} />
            <Ending session={session} />
          </>
        }
      />
      <Queue id={id} session={session} />
      {canChange(summary) ? <Composer id={id} session={session} /> : <p class="empty">{canWrite() ? 'Another node has this session: it is read here, and led there.' : 'This login only reads.'}</p>}
    </>
  );
}

/** What is open in this session, as its log says it. */
function Asks({ id, session }: { id: string; session: Followed }): JSX.Element | null {
  const open = session.head.value >= 0 ? session.fold.openRequests : [];
  if (!session.isWhole.value || open.length === 0) {
    return null;
  }
  return (
    <div class="asked">
      {open.map((r) => {
        const call = r.entryId === undefined ? undefined : session.entry(r.entryId);
        return <Request key={`${r.requestId}/${r.openedSeq}`} sessionId={id} request={r} openedMs={r.openedTs} call={call} read={call === undefined ? 'failed' : 'read'} policy={session.fold.state.policy} />;
      })}
    </div>
  );
}

function Ending({ session }: { session: Followed }): JSX.Element | null {
  const end = session.head.value >= 0 ? session.fold.state.end : undefined;
  if (end === undefined) {
    return null;
  }
  return (
    <div class={end.reason === 'error' ? 'failure' : 'mark ended'}>
      <p><strong>{end.reason === 'error' ? 'The session failed.' : 'The session has ended.'}</strong> {end.error === undefined ? null : <span dir="auto">{plain(end.error)}</span>}</p>
      {end.hint === undefined ? null : <p dir="auto">{plain(end.hint)}</p>}
    </div>
  );
}
