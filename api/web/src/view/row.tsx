import type { JSX } from 'preact';
import type { RequestState, TurnState } from 'ringmaster-protocol';
import type { Followed } from '../live/followed.ts';
import type { Item } from '../live/items.ts';
import { causes, lasted, plain, short } from '../text/words.ts';
import { Entry, Long } from './entry.tsx';
import { Sent } from './sent.tsx';

/** One row of a transcript. */
export function Row({ item, session }: { item: Item; session: Followed }): JSX.Element | null {
  switch (item.kind) {
    case 'entry':
      return <Entry session={session} id={item.id} />;
    case 'prompt':
      return <article class="entry entry-user_message" aria-label="You"><Long text={item.turn.prompt?.text ?? ''} />{item.turn.prompt?.images?.length ? <Sent session={session.id} images={item.turn.prompt.images} /> : null}</article>;
    case 'end':
      return <TurnEnd turn={item.turn} />;
    case 'answer':
      return <Answer request={item.request} />;
    case 'unread':
      return <p class="mark unread"><span>New since you were here</span></p>;
    case 'child': {
      const { child } = item;
      const state = child.ended ?? child.turnStatus;
      return <p class="mark">Session below: <a href={`/s/${child.childSessionId}`} data-place dir="auto">{plain(child.title ?? child.childSessionId.slice(0, 8))}</a>{state === undefined ? '' : ` · ${plain(state)}`}</p>;
    }
  }
}

function TurnEnd({ turn }: { turn: TurnState }): JSX.Element {
  const facts = [turn.endTs === undefined ? '' : lasted(turn.endTs - turn.startTs), turn.usage === undefined ? '' : `${short(turn.usage.totalTokens)} tokens`].filter((f) => f !== '').join(' · ');
  if (turn.status === 'completed') {
    return <p class="mark turn-end"><span>{facts}</span></p>;
  }
  if (turn.status === 'interrupted') {
    return <p class="mark turn-end"><span>Interrupted {causes[turn.cause ?? ''] ?? ''} · {facts}</span></p>;
  }
  return (
    <div class="failure" role="group" aria-label="The turn failed">
      <p><strong>The turn failed.</strong> {turn.error === undefined ? null : <span dir="auto">{plain(turn.error)}</span>}</p>
      {turn.hint === undefined ? null : <p dir="auto">{plain(turn.hint)}</p>}
      <p class="note">{facts}</p>
    </div>
  );
}

const outcomes: Record<string, string> = { allowed: 'Allowed', denied: 'Denied', answered: 'Answered', failed: 'Failed', cancelled: 'Withdrawn', expired: 'Expired without an answer' };

function Answer({ request: r }: { request: RequestState }): JSX.Element {
  const { outcome, option, by, message, answers, rule, mode } = r.resolved!;
  const part = by !== 'policy' ? '' : rule !== undefined ? `, its rule ${rule}` : mode !== undefined ? `, which is ${mode}` : '';
  const subject = r.kind === 'approval' ? [r.toolName, r.subject].filter(Boolean).join(' ') : r.title;
  const told = [option === 'allow_always' ? 'for always' : option === 'deny_stop' ? 'and the turn stopped' : '', answers?.flat().join(', ') ?? ''].filter((t) => t !== '').join(' ');
  return (
    <p class={`mark answered answered-${outcome === 'allowed' || outcome === 'answered' ? 'yes' : 'no'}`}>
      <span dir="auto">{outcomes[outcome] ?? plain(outcome)} {plain(told)} · {plain(subject)}</span> <span class="by">by {plain(by.replace(/^client:/, '') + part)}</span>
      {message ? <span class="by" dir="auto"> “{plain(message)}”</span> : null}
    </p>
  );
}
