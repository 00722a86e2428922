import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { RequestAnswer } from 'ringmaster-client';
import type { Question, RequestOpened } from 'ringmaster-protocol';
import { plain } from '../text/words.ts';

/** The questions of a request, with their options and places for text. */
export function Questions({ request: r, answer }: { request: RequestOpened; answer: (body: RequestAnswer, words: string) => void }): JSX.Element {
  const questions = r.questions ?? [];
  const chosen = useSignal<string[][]>(questions.map(() => []));
  const typed = useSignal<string[]>(questions.map((q) => q.prefill ?? ''));
  const answers = questions.map((q, i) => [...chosen.value[i]!, ...(isFree(q) && typed.value[i]!.trim() !== '' ? [typed.value[i]!] : [])]);
  const isReady = answers.every((a) => a.length > 0);
  const choose = (i: number, id: string, isMultiple: boolean): void => {
    const had = chosen.peek()[i]!;
    const next = isMultiple ? (had.includes(id) ? had.filter((x) => x !== id) : [...had, id]) : [id];
    chosen.value = chosen.peek().map((list, n) => (n === i ? next : list));
    if (!isMultiple && isFree(questions[i]!)) {
      typed.value = typed.peek().map((t, n) => (n === i ? '' : t));
    }
  };
  const write = (i: number, text: string): void => {
    typed.value = typed.peek().map((t, n) => (n === i ? text : t));
    if (questions[i]!.multiple !== true && text !== '') {
      chosen.value = chosen.peek().map((list, n) => (n === i ? [] : list));
    }
  };
  return (
    <form
      class="questions"
      onSubmit={(e) => {
        e.preventDefault();
        if (isReady) {
          answer({ answers }, answers.flat().join(', '));
        }
      }}
    >
      {questions.map((q, i) => <One key={i} question={q} isOnly={questions.length === 1 && q.text === r.title} chosen={chosen.value[i]!} typed={typed.value[i]!} choose={(id) => choose(i, id, q.multiple === true)} write={(text) => write(i, text)} />)}
      <div class="answers">
        <button type="submit" class="primary" disabled={!isReady}>Answer</button>
        <button type="button" class="quiet" onClick={() => answer({ outcome: 'cancelled' }, 'no answer')}>Dismiss</button>
      </div>
    </form>
  );
}

/** A question without options can only be answered with text. */
function isFree(q: Question): boolean {
  return q.freeText === true || (q.options ?? []).length === 0;
}

interface OneProps {
  question: Question;
  /** The request's title says it already. */
  isOnly: boolean;
  chosen: string[];
  typed: string;
  choose: (id: string) => void;
  write: (text: string) => void;
}

function One({ question: q, isOnly, chosen, typed, choose, write }: OneProps): JSX.Element {
  const name = useId();
  return (
    <fieldset>
      <legend class={isOnly ? 'unseen' : ''} dir="auto">{plain(q.text)}</legend>
      {q.options?.map((o) => (
        <label key={o.id} class="option">
          <input type={q.multiple === true ? 'checkbox' : 'radio'} name={name} checked={chosen.includes(o.id)} onChange={() => choose(o.id)} />
          <span dir="auto">{plain(o.label ?? o.id)}{o.description === undefined ? null : <small>{plain(o.description)}</small>}</span>
        </label>
      ))}
      {isFree(q) ? <textarea rows={2} dir="auto" aria-label={`Answer: ${plain(q.text)}`} value={typed} onInput={(e) => write(e.currentTarget.value)} /> : null}
    </fieldset>
  );
}
