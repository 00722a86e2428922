import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RequestAnswer } from 'ringmaster-client';
import type { RequestOpened } from 'ringmaster-protocol';
import { byKey, isPlain, known, sorted } from '../text/answers.ts';
import { plain } from '../text/words.ts';

/** The answers to an approval: those that this agent supports, in the order that people know. What allows for always asks twice, and so does what allows something that is not shown whole: unseen says why it is not. */
export function Approval({ request: r, unseen, pressed, answer }: { request: RequestOpened; unseen: string; pressed: Signal<string>; answer: (body: RequestAnswer, words: string) => void }): JSX.Element {
  const twice = useSignal('');
  const message = useSignal('');
  const hasMessage = useSignal(false);
  const options = r.options ?? [];
  const give = (option: string): void => {
    const text = message.peek().trim();
    answer({ option, ...(text === '' ? {} : { message: text }) }, known[option]?.words ?? option);
  };
  const choose = (option: string): void => {
    if (isPlain(option, unseen)) {
      give(option);
    } else {
      twice.value = option;
    }
  };
  useSignalEffect(() => {
    const key = pressed.value;
    if (key === '') {
      return;
    }
    pressed.value = '';
    const option = byKey(key, options);
    if (option !== undefined) {
      choose(option);
    }
  });
  const asking = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (twice.peek() === 'allow_once') { // it was asked of what was shown then
      asking.current?.closest('article')?.focus();
      twice.value = '';
    }
  }, [unseen]);
  if (twice.value !== '') {
    const option = options.find((o) => o.id === twice.value);
    const isOnce = twice.value === 'allow_once';
    return (
      <div class="answers" role="group" aria-label={isOnce ? 'Allow what is not shown whole?' : 'Allow for always?'} ref={asking}>
        <p class="twice">{isOnce ? unseen : plain(option?.description ?? 'The agent will not ask again for the like of this.')}</p>
        <button type="button" class="danger" onClick={() => give(twice.value)}>Yes, {plain((known[twice.value]?.words ?? option?.label ?? twice.value).toLowerCase())}</button>
        <button type="button" ref={(b) => b?.focus()} onClick={() => { twice.value = ''; }}>Not yet</button>
      </div>
    );
  }
  return (
    <>
      {hasMessage.value ? (
        <label class="message">Message to the agent, with your answer
          <textarea rows={2} dir="auto" ref={(box) => { if (box !== null && message.peek() === '') { box.focus(); } }} value={message.value} onInput={(e) => { message.value = e.currentTarget.value; }} />
        </label>
      ) : null}
      <div class="answers" role="group" aria-label="Answers">
        {sorted(options).map((id) => (
          <button key={id} type="button" class={known[id]?.class ?? ''} title={options.find((o) => o.id === id)?.description} onClick={() => choose(id)}>
            {known[id]?.words ?? plain(options.find((o) => o.id === id)?.label ?? id)}{known[id]?.key === undefined ? null : <kbd aria-hidden="true">{known[id].key}</kbd>}
          </button>
        ))}
        {hasMessage.value ? null : <button type="button" class="quiet" onClick={() => { hasMessage.value = true; }}>Message…</button>}
      </div>
    </>
  );
}
