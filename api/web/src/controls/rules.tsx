import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Policy } from 'ringmaster-protocol';
import { changeOf, moved, rulesOf, warningOf, type Rule } from '../live/rules.ts';
import { span } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { useAct } from './act.ts';
import { Told } from './told.tsx';

const modes: [string, string][] = [['', 'No policy: everything is asked'], ['ask', 'Ask about everything'], ['allow_reads', 'Allow what only reads, ask about the rest'], ['allow_all', 'Allow everything'], ['deny_all', 'Deny everything']];
const actions: [string, string][] = [['allow', 'Allow'], ['deny', 'Deny'], ['deny_stop', 'Deny and stop'], ['ask', 'Ask']];
const deadlines = [60_000, 300_000, 600_000, 1_800_000, 3_600_000, 28_800_000, 86_400_000];
const defaults: [string, string][] = [['', 'denied'], ['deny_stop', 'denied, and the turn stopped'], ['allow', 'allowed']];

/** What answers a session's approvals in place of a person (spec §4.10). It is replaced as a whole. */
export function Rules({ id, policy }: { id: string; policy: Policy | undefined }): JSX.Element {
  const feed = useFeed();
  const act = useAct();
  const base = useSignal(policy); // what the form was begun with
  const form = useSignal(rulesOf(policy));
  const text = (p: Policy | undefined): string => JSON.stringify(rulesOf(p));
  const isChanged = JSON.stringify(form.value) !== text(base.value);
  if (!isChanged && text(policy) !== text(base.value)) {
    base.value = policy; // it was changed elsewhere, and nothing here
    form.value = rulesOf(policy);
  }
  const isElsewhere = isChanged && text(policy) !== text(base.value);
  const r = form.value;
  const set = (part: Partial<typeof r>): void => { form.value = { ...form.peek(), ...part }; };
  const setRule = (at: number, part: Partial<Rule>): void => set({ list: r.list.map((rule, i) => (i === at ? { ...rule, ...part } : rule)) });
  const warning = warningOf(r);
  return (
    <form
      class="control rules"
      onSubmit={(e) => {
        e.preventDefault();
        const sent = form.peek();
        void act.run(async () => {
          const now = await feed.client.session(id).change({ policy: changeOf(sent) });
          base.value = now.policy;
          form.value = rulesOf(now.policy);
          return 'It counts for approvals that are asked from now on.';
        });
      }}
    >
      <label for="control-policy">Approvals</label>
      <select id="control-policy" value={r.mode} onChange={(e) => set({ mode: e.currentTarget.value })}>
        {modes.map(([value, words]) => <option key={value} value={value}>{value === '' && r.list.length > 0 ? 'What no rule answers is asked' : words}</option>)}
      </select>
      {r.list.length === 0 ? null : (
        <ol class="rule-list" aria-label="Rules: the first that fits answers">
          {r.list.map((rule, i) => (
            <li key={i}>
              <select aria-label={`Rule ${i + 1}: what it does`} value={rule.action} onChange={(e) => setRule(i, { action: e.currentTarget.value })}>{actions.map(([value, words]) => <option key={value} value={value}>{words}</option>)}</select>
              <input aria-label={`Rule ${i + 1}: tool or kind`} placeholder="any tool" list="rule-tools" maxLength={1024} autocomplete="off" spellcheck={false} value={rule.tool} onInput={(e) => setRule(i, { tool: e.currentTarget.value })} />
              <input aria-label={`Rule ${i + 1}: command, path or address`} placeholder="any command or path" maxLength={1024} autocomplete="off" spellcheck={false} value={rule.pattern} onInput={(e) => setRule(i, { pattern: e.currentTarget.value })} />
              <span class="rule-moves">
                <button type="button" class="quiet small" aria-label={`Move rule ${i + 1} up`} disabled={i === 0} onClick={() => set({ list: moved(r.list, i, -1) })}>↑</button>
                <button type="button" class="quiet small" aria-label={`Move rule ${i + 1} down`} disabled={i === r.list.length - 1} onClick={() => set({ list: moved(r.list, i, 1) })}>↓</button>
                <button type="button" class="quiet small" aria-label={`Take rule ${i + 1} out`} onClick={() => set({ list: r.list.filter((_, n) => n !== i) })}>✕</button>
              </span>
            </li>
          ))}
        </ol>
      )}
      <datalist id="rule-tools">{['read', 'search', 'edit', 'execute', 'fetch', 'other'].map((k) => <option key={k} value={k} />)}</datalist>
      <div><button type="button" class="small" disabled={r.list.length >= 256} onClick={() => set({ list: [...r.list, { action: 'allow', tool: '', pattern: '' }] })}>Add a rule</button></div>
      <div class="control-row">
        <label class="inline">A person has
          <select value={r.deadline} onChange={(e) => set({ deadline: e.currentTarget.value })}>
            <option value="">as long as the agent waits</option>
            {[...new Set([...deadlines, ...(r.deadline === '' ? [] : [Number(r.deadline)])])].sort((a, b) => a - b).map((d) => <option key={d} value={String(d)}>{span(d)}</option>)}
          </select>
        </label>
        {r.deadline === '' ? null : (
          <label class="inline">then it is
            <select value={r.byDefault === 'deny' ? '' : r.byDefault} onChange={(e) => set({ byDefault: e.currentTarget.value })}>{defaults.map(([value, words]) => <option key={value} value={value}>{words}</option>)}</select>
          </label>
        )}
      </div>
      {warning === '' ? null : <p class="warning">{warning}</p>}
      {isElsewhere ? <p class="warning">It was changed elsewhere meanwhile. <button type="button" class="small" onClick={() => { base.value = policy; form.value = rulesOf(policy); }}>Take that</button></p> : null}
      <div class="control-row"><button class={isChanged ? 'primary' : ''} disabled={!isChanged || act.isBusy.value}>Set the policy</button>{isChanged ? <button type="button" class="quiet" onClick={() => { base.value = policy; form.value = rulesOf(policy); }}>As it was</button> : null}</div>
      <Told act={act} />
    </form>
  );
}
