import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Followed } from '../live/followed.ts';
import { nameOf } from '../live/groups.ts';
import { canChange } from '../login/kept.ts';
import { plain, saying } from '../text/words.ts';
import { useFeed } from './context.ts';

/** The prompts that wait. A new order counts when the log has it. */
export function Queue({ id, session }: { id: string; session: Followed }): JSX.Element | null {
  const feed = useFeed();
  const busy = useSignal('');
  const error = useSignal('');
  const queue = session.head.value >= 0 ? session.fold.state.queue : [];
  if (queue.length === 0) {
    return null;
  }
  const act = async (promptId: string, does: () => Promise<unknown>): Promise<void> => {
    busy.value = promptId;
    error.value = '';
    try {
      await does();
    } catch (thrown) {
      error.value = saying(thrown);
    }
    busy.value = '';
  };
  const s = feed.client.session(id);
  return (
    <section class="queue" aria-label={`Prompts that wait: ${plain(nameOf(feed.sessions.value.get(id) ?? {}))}`}>
      <h3>Waiting <span class="count">{queue.length}</span></h3>
      {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
      <ol>
        {queue.map((p, i) => (
          <li key={p.promptId} aria-busy={busy.value === p.promptId}>
            <span class="queue-text" dir="auto">{p.streamingBehavior === 'steer' ? <span class="kind">steer </span> : null}{plain(p.text.split('\n')[0] ?? '')}</span>
            {!canChange(feed.sessions.value.get(id)) ? null : <><button type="button" class="quiet small" aria-label="Move up" disabled={i === 0 || busy.value !== ''} onClick={() => void act(p.promptId, () => s.move(p.promptId, { position: i }))}>↑</button>
            <button type="button" class="quiet small" aria-label="Move down" disabled={i === queue.length - 1 || busy.value !== ''} onClick={() => void act(p.promptId, () => s.move(p.promptId, { position: i + 2 }))}>↓</button>
            <button type="button" class="quiet small" aria-label="Take out of the queue" disabled={busy.value !== ''} onClick={() => void act(p.promptId, () => s.cancel(p.promptId))}>✕</button></>}
          </li>
        ))}
      </ol>
    </section>
  );
}
