import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Followed } from '../live/followed.ts';
import { hasFailed, nameOf } from '../live/groups.ts';
import { canChange } from '../login/kept.ts';
import { base, dollars, plain, saying, short, stateWords } from '../text/words.ts';
import { useAround } from './context.ts';
import { Facts } from './facts.tsx';
import { later } from './later.tsx';

const Controls = later(() => import('../controls/controls.tsx').then((m) => m.Controls));

/** What a session is, what it does, and the ways to stop and change it. */
export function Head({ id, session }: { id: string; session: Followed }): JSX.Element {
  const { feed } = useAround();
  const summary = feed.sessions.value.get(id)!;
  const error = useSignal('');
  const isAsked = useSignal(false);
  const isOpen = useSignal(false);
  const { state, toolName, stalled } = (session.head.value >= 0 && session.isWhole.value ? session.fold.state.status : undefined) ?? summary.status;
  const isFailed = state === 'idle' && hasFailed(summary.lastTurn);
  const works = !['idle', 'completed', 'terminated', 'failed', 'interrupting', 'starting'].includes(state);
  const interrupt = async (): Promise<void> => {
    isAsked.value = true;
    error.value = '';
    try {
      await feed.client.session(id).interrupt();
    } catch (thrown) {
      error.value = saying(thrown);
    }
    isAsked.value = false;
  };
  const { costMicros, totalTokens } = summary.spent;
  const facts = [summary.node === undefined ? '' : `at ${plain(summary.node.slice(0, 8))}${summary.unreachable ? ', unreachable' : ''}`, summary.agent, session.fold.state.model ?? summary.model ?? '', base(summary.cwd), totalTokens > 0 ? `${short(totalTokens)} tokens` : '', dollars(costMicros)].filter((f) => f !== '');
  return (
    <>
      <header class={`head${works ? ' works' : ''}`}>
        <a class="back" href="/" data-place aria-label="Back to all sessions">←</a>
        <div class="head-names">
          <h2 dir="auto">{plain(nameOf(summary))}</h2>
          <p class="head-facts" title={plain(summary.cwd)}><Facts list={facts} /></p>
        </div>
        <p class={`state state-${isFailed || summary.unreachable ? 'failed' : stateClass(state)}`} role="status"><span class="dot" aria-hidden="true" />{isFailed ? 'its turn failed' : stateWords(state, plain(toolName ?? ''))}{stalled ? ', says nothing' : ''}{summary.unreachable ? ', unreachable' : ''}</p>
        {canChange(summary) ? <button type="button" class="quiet settings" title="Name, model, approvals, end (s)" aria-label="Settings" onClick={() => { isOpen.value = true; }}><span class="on-wide">Settings</span><span class="on-phone" aria-hidden="true">⋯</span></button> : null}
        {works && canChange(summary) ? <button type="button" class="stop" disabled={isAsked.value} aria-label={isAsked.value ? 'Stopping…' : 'Interrupt'} title="Stop the running turn (shift x)" onClick={() => void interrupt()}><span class="on-wide">{isAsked.value ? 'Stopping…' : 'Interrupt'}</span><span class="on-phone" aria-hidden="true">{isAsked.value ? '…' : '■'}</span></button> : null}
        {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
      </header>
      {isOpen.value ? <Controls id={id} session={session} close={() => { isOpen.value = false; }} /> : null}
    </>
  );
}

function stateClass(state: string): string {
  return state.startsWith('awaiting') ? 'needs' : state === 'failed' ? 'failed' : state === 'idle' ? 'idle' : state === 'completed' || state === 'terminated' ? 'ended' : 'working';
}
