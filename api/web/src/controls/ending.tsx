import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionSummary } from 'ringmaster-client';
import { leave } from '../live/panes.ts';
import { count } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { useAct } from './act.ts';
import { Told } from './told.tsx';

/** Ends a session, or removes it: asked twice, since neither can be taken back. */
export function Ending({ id, summary }: { id: string; summary: SessionSummary }): JSX.Element {
  const feed = useFeed();
  const act = useAct();
  const asked = useSignal<'' | 'end' | 'remove'>('');
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked.value !== '') {
      section.current?.scrollIntoView({ block: 'nearest' }); // what is asked is longer than what it stands for
    }
  }, [asked.value]);
  const { state } = summary.status;
  const isOver = state === 'completed' || state === 'terminated' || state === 'failed';
  const below = [...feed.sessions.value.values()].filter((s) => s.parentSessionId === id && (s.subAgent || s.spawned)).length;
  const waiting = summary.status.queuedPrompts ?? 0;
  const also = [below > 0 ? `${count(below, 'session')} below it` : '', waiting > 0 ? `${count(waiting, 'prompt')} that ${waiting === 1 ? 'waits' : 'wait'}` : ''].filter((w) => w !== '').join(' and ');
  const end = (): void => void act.run(async () => {
    await feed.client.session(id).end();
    asked.value = '';
    return '';
  });
  const remove = (): void => void act.run(async () => {
    await feed.client.session(id).remove();
    leave(id);
    return '';
  });
  return (
    <section class="control ending" ref={section} aria-labelledby="ending-title">
      <h3 id="ending-title">{isOver ? 'Remove it' : 'End or remove it'}</h3>
      {asked.value === '' ? (
        <div class="answers">
          {isOver ? null : <button type="button" onClick={() => { asked.value = 'end'; }}>End the session…</button>}
          <button type="button" class="danger" onClick={() => { asked.value = 'remove'; }}>Delete the session…</button>
        </div>
      ) : (
        <div class="answers" role="group" aria-label={asked.value === 'end' ? 'End the session?' : 'Delete the session?'}>
          <p class="twice">{asked.value === 'end' ? `Its agent goes${also === '' ? '' : `, with ${also}`}. What was said stays.` : `Its log, images and lines of the agent are removed for good${isOver ? '' : ', and its agent goes'}${also === '' ? '' : `, with ${also}`}. Files that the agent has changed stay as they are.`}</p>
          <button type="button" class="danger" disabled={act.isBusy.value} onClick={asked.value === 'end' ? end : remove}>{asked.value === 'end' ? 'Yes, end it' : 'Yes, delete it for good'}</button>
          <button type="button" ref={(b) => b?.focus()} onClick={() => { asked.value = ''; }}>Not yet</button>
        </div>
      )}
      <Told act={act} />
    </section>
  );
}
