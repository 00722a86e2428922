import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { SessionSummary } from 'ringmaster-client';
import { useFeed } from '../view/context.ts';
import { useAct } from './act.ts';
import { Told } from './told.tsx';

/** What a session is called. */
export function Name({ id, summary }: { id: string; summary: SessionSummary }): JSX.Element {
  const feed = useFeed();
  const act = useAct();
  const title = useSignal(summary.title ?? '');
  return (
    <form
      class="control"
      onSubmit={(e) => {
        e.preventDefault();
        const text = title.peek().trim();
        void act.run(async () => {
          await feed.client.session(id).change({ title: text === '' ? null : text });
          return text === '' ? 'It is called what its agent calls it.' : 'It stays, whatever the agent calls its session.';
        });
      }}
    >
      <label for="control-title">Title</label>
      <div class="control-row">
        <input id="control-title" dir="auto" autocomplete="off" maxLength={1000} value={title.value} placeholder={summary.firstPrompt ?? ''} onInput={(e) => { title.value = e.currentTarget.value; }} />
        <button disabled={act.isBusy.value || title.value.trim() === (summary.title ?? '')}>Rename</button>
      </div>
      <Told act={act} />
    </form>
  );
}
