import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ChoiceTaken, OfferedChoice, SessionSummary } from 'ringmaster-client';
import type { Followed } from '../live/followed.ts';
import { plain, saying } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { useAct } from './act.ts';
import { Told } from './told.tsx';

const when: Record<ChoiceTaken['applied'], string> = {
  now: 'It counts from the next request to a model on.', next_turn: 'The agent says that it counts from the next turn on.', when_idle: 'It counts once the running turn has ended.', at_start: 'It counts once the agent is ready.',
};

const other = '\u0000other'; // no agent's word

interface Offered {
  list: OfferedChoice[];
  all: boolean;
  known: boolean;
}

/** The model or the mode of a session: what the agent offers, what is in force, and what is chosen and not in force yet. */
export function Choice({ id, kind, summary, session }: { id: string; kind: 'model' | 'mode'; summary: SessionSummary; session: Followed }): JSX.Element | null {
  const feed = useFeed();
  const act = useAct();
  const offered = useSignal<Offered | undefined>(undefined);
  const trouble = useSignal('');
  const picked = useSignal('');
  const typed = useSignal('');
  const isLater = useSignal(false);
  const agent = feed.agents.value.get(summary.agent);
  const isAble = agent?.capabilities[kind === 'model' ? 'models' : 'modes'] !== false;
  const inForce = (session.head.value >= 0 ? session.fold.state[kind] : undefined) ?? summary[kind] ?? '';
  const pending = (kind === 'model' ? summary.pendingModel : summary.pendingMode) ?? '';
  const { state } = summary.status;
  const works = !['idle', 'completed', 'terminated', 'failed', 'starting'].includes(state);
  useEffect(() => {
    if (!isAble) {
      return;
    }
    const end = new AbortController();
    const s = feed.client.session(id);
    const read = kind === 'model'
      ? s.models({ signal: end.signal }).then((o) => ({ list: o.models.length > 0 ? o.models : (agent?.models ?? []), all: o.all, known: o.known }))
      : s.modes({ signal: end.signal }).then((o) => ({ list: o.modes.length > 0 ? o.modes : (agent?.modes ?? []), all: true, known: o.known }));
    read.then((o) => { offered.value = o; trouble.value = ''; }, (error: unknown) => { trouble.value = end.signal.aborted ? '' : saying(error); });
    return () => end.abort();
  }, [id, kind, isAble, state === 'starting']);
  if (!isAble) {
    return kind === 'mode' ? null : <p class="control note">This agent’s model cannot be changed while it runs.</p>;
  }
  const o = offered.value;
  const list = o?.list ?? [];
  const isOther = picked.value === other;
  const want = isOther ? typed.value.trim() : picked.value;
  const current = pending || inForce;
  const choices = current === '' || list.some((c) => c.id === current) ? list : [{ id: current }, ...list];
  const title = kind === 'model' ? 'Model' : 'Mode';
  const change = (): void => void act.run(async () => {
    const s = feed.client.session(id);
    const rest = works && isLater.peek() ? { when: 'idle' as const } : {};
    const { applied } = kind === 'model' ? await s.setModel({ model: want, ...rest }) : await s.setMode({ mode: want, ...rest });
    picked.value = '';
    return when[applied] ?? '';
  });
  return (
    <form
      class="control"
      onSubmit={(e) => {
        e.preventDefault();
        change();
      }}
    >
      <label for={`control-${kind}`}>{title}</label>
      <div class="control-row">
        <select id={`control-${kind}`} disabled={o === undefined} value={picked.value === '' ? current : picked.value} onChange={(e) => { picked.value = e.currentTarget.value; }}>
          {current === '' ? <option value="">{o === undefined ? 'Asking the agent…' : 'The agent’s own'}</option> : null}
          {choices.map((c) => <option key={c.id} value={c.id}>{plain(c.label ?? c.id)}</option>)}
          {o !== undefined && !o.all ? <option value={other}>Another one…</option> : null}
        </select>
        <button disabled={act.isBusy.value || want === '' || want === current}>Change</button>
      </div>
      {isOther ? <input aria-label={`The ${kind}, in the agent’s own words`} autocomplete="off" spellcheck={false} maxLength={1024} value={typed.value} ref={(box) => { if (box !== null && typed.peek() === '') { box.focus(); } }} onInput={(e) => { typed.value = e.currentTarget.value; }} /> : null}
      {works && want !== '' && want !== current ? <label class="check"><input type="checkbox" checked={isLater.value} onChange={(e) => { isLater.value = e.currentTarget.checked; }} /> Only when the running turn has ended</label> : null}
      {pending === '' ? null : <p class="note">{plain(pending)} is chosen and not in force yet{inForce === '' ? '' : `; in force: ${plain(inForce)}`}.</p>}
      {o?.known === false ? <p class="note">The agent says what it offers while it runs.</p> : null}
      {trouble.value === '' ? null : <p class="error">{plain(trouble.value)}</p>}
      <Told act={act} />
    </form>
  );
}
