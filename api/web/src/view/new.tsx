import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { newKey } from '../live/draft.ts';
import { go } from '../live/place.ts';
import { plain, saying } from '../text/words.ts';
import { useFeed } from './context.ts';

/** Begins a session: which agent, in which folder, with which first prompt. It is there when the list of sessions has it. */
export function NewSession({ close }: { close: () => void }): JSX.Element {
  const feed = useFeed();
  const dialog = useRef<HTMLDialogElement>(null);
  const agents = [...feed.agents.value.values()];
  const usable = agents.filter((a) => a.available);
  const newest = [...feed.sessions.peek().values()].sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0];
  const agent = useSignal(usable.find((a) => a.name === newest?.agent)?.name ?? usable[0]?.name ?? '');
  const roots = useSignal<readonly string[]>([]);
  const cwd = useSignal(newest?.cwd ?? '');
  const model = useSignal('');
  const prompt = useSignal('');
  const error = useSignal('');
  const made = useSignal('');
  const isBusy = useSignal(false);
  const key = useRef(newKey());
  useEffect(() => {
    dialog.current?.showModal();
    feed.client.roots().then((list) => {
      roots.value = list;
      cwd.value ||= list[0] ?? '';
    }, () => undefined); // a folder can be typed all the same
  }, []);
  useSignalEffect(() => {
    agent.value ||= [...feed.agents.value.values()].find((a) => a.available)?.name ?? '';
  });
  useSignalEffect(() => {
    if (made.value !== '' && feed.sessions.value.has(made.value)) {
      go({ view: 'session', id: made.value });
      close();
    }
  });
  const begin = async (): Promise<void> => {
    isBusy.value = true;
    error.value = '';
    const text = prompt.peek().trim();
    try {
      const { id } = await feed.client.create({
        agent: agent.peek(), cwd: cwd.peek().trim(), ...(model.peek() === '' ? {} : { model: model.peek() }), ...(text === '' ? {} : { prompt: prompt.peek() }),
      }, { key: key.current });
      made.value = id;
    } catch (thrown) {
      error.value = saying(thrown);
      isBusy.value = false;
    }
  };
  const models = feed.agents.value.get(agent.value)?.models ?? [];
  const folders = [...new Set([...roots.value, ...[...feed.sessions.peek().values()].map((s) => s.cwd)])].slice(0, 50);
  return (
    <dialog ref={dialog} class="new" aria-labelledby="new-title" onClose={close}>
      <h2 id="new-title">New session</h2>
      {feed.agents.value.size > 0 && usable.length === 0 ? <p class="error">No agent is installed that could work. <code>ringmaster doctor</code> says what is missing.</p> : null}
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void begin();
        }}
      >
        <label>Agent
          <select value={agent.value} onChange={(e) => { agent.value = e.currentTarget.value; model.value = ''; }}>
            {agents.map((a) => <option key={a.name} value={a.name} disabled={!a.available}>{plain(a.name)}{a.available ? '' : ' (not installed)'}</option>)}
          </select>
        </label>
        <label>Folder
          <input list="new-folders" required autocomplete="off" spellcheck={false} value={cwd.value} onInput={(e) => { cwd.value = e.currentTarget.value; }} />
          <datalist id="new-folders">{folders.map((f) => <option key={f} value={f} />)}</datalist>
        </label>
        {models.length === 0 ? null : (
          <label>Model
            <select value={model.value} onChange={(e) => { model.value = e.currentTarget.value; }}>
              <option value="">The agent’s own choice</option>
              {models.map((m) => <option key={m.id} value={m.id}>{plain(m.label ?? m.id)}</option>)}
            </select>
          </label>
        )}
        <label>First prompt
          <textarea rows={4} dir="auto" value={prompt.value} onInput={(e) => { prompt.value = e.currentTarget.value; }} />
        </label>
        {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
        <div class="answers">
          <button class="primary" disabled={isBusy.value || agent.value === '' || cwd.value.trim() === ''}>{isBusy.value ? 'Beginning…' : 'Begin'}</button>
          <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
        </div>
      </form>
    </dialog>
  );
}
