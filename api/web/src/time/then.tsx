import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Followed } from '../live/followed.ts';
import { plain } from '../text/words.ts';
import { Subject } from '../view/subject.tsx';
import { Transcript } from '../view/transcript.tsx';

/** What somebody would have seen then: what was said up to there, what was asked, what waited. Nothing of it can be answered. */
export function Then({ session }: { session: Followed }): JSX.Element {
  const isAtEnd = useSignal(true);
  const { openRequests, state } = session.fold;
  return (
    <Transcript
      session={session} isAtEnd={isAtEnd}
      tail={
        <>
          {state.entries.length === 0 && state.turns.length === 0 ? <p class="empty">Nothing had been said yet.</p> : null}
          {openRequests.map((r) => (
            <section key={r.requestId} class="request past" aria-label="What was asked">
              <h3 dir="auto">{r.kind === 'approval' ? <><span class="asks">wanted</span> {plain([r.toolName, r.toolKind === 'execute' ? '' : r.subject].filter(Boolean).join(' '))}</> : plain(r.title)}</h3>
              <Subject request={r} call={session.fold.entry(r.entryId ?? '')} />
              <p class="note">It was open at this time.</p>
            </section>
          ))}
          {state.queue.length === 0 ? null : <section class="then-queue"><h3>Waiting then</h3><ol>{state.queue.map((p) => <li key={p.promptId} dir="auto">{plain(p.text.split('\n')[0] ?? '')}</li>)}</ol></section>}
          {state.end === undefined ? null : <p class="mark">The session had ended.</p>}
        </>
      }
    />
  );
}
