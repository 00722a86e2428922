import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { RequestAnswer } from 'ringmaster-client';
import type { EntryState, Policy, RequestOpened } from 'ringmaster-protocol';
import { now } from '../live/now.ts';
import { canChange, canWrite } from '../login/kept.ts';
import { answers } from '../text/answers.ts';
import { deadlineOf, reasonOf } from '../text/reason.ts';
import { unseenOf, type CallRead } from '../text/subject.ts';
import { age, plain } from '../text/words.ts';
import { Approval } from './approval.tsx';
import { useFeed } from './context.ts';
import { Questions } from './questions.tsx';
import { Subject } from './subject.tsx';

export interface RequestProps {
  sessionId: string;
  request: RequestOpened;
  openedMs: number;
  call: EntryState | undefined;
  read: CallRead;
  policy: Policy | undefined;
  /** Where it comes from, where that is not the session around it. */
  from?: ComponentChildren;
}

/** One thing that an agent asks, with what it is about and why, and the ways to answer. It takes keys only while it has the focus. */
export function Request({ sessionId, request: r, openedMs, call, read, policy, from }: RequestProps): JSX.Element {
  const { inbox, link, sessions } = useFeed();
  const isHere = canChange(sessions.value.get(sessionId));
  const key = `${sessionId}/${r.requestId}`;
  const sending = inbox.sending.value.get(key);
  const error = inbox.failed.value.get(key);
  const pressed = useSignal('');
  const isFolded = useSignal(false);
  const answer = (body: RequestAnswer, words: string): void => void inbox.answer(sessionId, r.requestId, body, words);
  const title = r.kind === 'approval' ? `${r.toolName ?? 'The agent'}${r.subject !== undefined && r.toolKind !== 'execute' ? ` ${r.subject}` : ''}` : r.title;
  const deadline = deadlineOf(r, now.value);
  return (
    <article
      class={`request request-${r.kind}`} tabIndex={0} data-request={key} aria-label={`${r.kind === 'approval' ? 'Approval' : 'Question'}: ${plain(title)}`} aria-busy={sending !== undefined}
      onKeyDown={(e) => {
        const isTyping = e.target instanceof HTMLElement && e.target.closest('input, textarea, select') !== null;
        if (r.kind === 'approval' && isHere && sending === undefined && answers(e, isTyping)) {
          e.preventDefault();
          pressed.value = e.key;
        }
      }}
    >
      {from === undefined ? null : <header>{from}<span class="request-age">{age(now.value - openedMs)}</span></header>}
      <header>
        <h3 dir="auto">{r.kind === 'approval' ? <><span class="asks">wants</span> {plain(title)}</> : plain(title)}</h3>
        {from === undefined ? <span class="request-age">{age(now.value - openedMs)}</span> : null}
      </header>
      <Subject request={r.kind === 'approval' || r.kind === 'caller_tool' ? r : { ...r, subject: undefined }} call={call} isFolded={isFolded} />
      <p class="reason">{reasonOf(r, policy)} {deadline === '' ? null : <strong class="deadline">{deadline}</strong>}</p>
      {error === undefined ? null : <p class="error" role="alert">{plain(error)}</p>}
      {sending !== undefined ? <p class="sending" role="status">Sending: {plain(sending)}…{link.value === 'away' ? ' The daemon does not answer yet.' : ''}</p> : null}
      {isHere ? null : <p class="note">{canWrite() ? 'Another node has this session: it is answered there.' : 'This login only reads: it is answered elsewhere.'}</p>}
      <div class={sending === undefined ? '' : 'waits'} inert={sending !== undefined} hidden={!isHere}>
        {r.kind === 'approval' ? <Approval request={r} unseen={unseenOf(r, call, read, isFolded.value)} pressed={pressed} answer={answer} /> : null}
        {r.kind === 'question' || r.kind === 'elicitation' ? <Questions request={r} answer={answer} /> : null}
        {r.kind === 'caller_tool' ? <p class="note">The program “{plain(r.callerId ?? '')}” answers this.</p> : null}
      </div>
    </article>
  );
}
