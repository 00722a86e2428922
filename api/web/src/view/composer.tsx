import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Followed } from '../live/followed.ts';
import { nameOf } from '../live/groups.ts';
import { accepted } from '../live/picture.ts';
import { plain } from '../text/words.ts';
import { useAround } from './context.ts';
import { Pictures } from './pictures.tsx';

/** The place to write to a session. The draft stays until the log has it. */
export function Composer({ id, session }: { id: string; session: Followed }): JSX.Element {
  const { feed, drafts } = useAround();
  const draft = drafts.of(id).value;
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const status = session.head.value >= 0 ? session.fold.state.status : undefined;
  const summary = feed.sessions.value.get(id);
  const name = status?.state ?? summary?.status.state ?? 'idle';
  const works = !['idle', 'completed', 'terminated', 'failed'].includes(name);
  const able = feed.agents.value.get(summary?.agent ?? '')?.capabilities;
  const canSteer = works && able?.steer === true;
  const canShow = able?.images === true;
  const isAway = feed.link.value === 'away';
  useEffect(() => {
    const area = box.current!;
    area.style.height = ''; // which is that of no text: to ask for it would lay the whole page out before its first picture
    if (draft.text !== '') {
      area.style.height = `${Math.min(area.scrollHeight + 2, 240)}px`;
    }
  }, [draft.text]);
  const send = (behavior?: 'steer' | 'followUp'): void => void drafts.send(feed.client, id, behavior);
  /** Takes files that were pasted or dropped; false: there were none. */
  const take = (list: FileList | undefined | null): boolean => {
    const files = [...(list ?? [])];
    if (files.length > 0 && canShow && !draft.isSending) {
      void drafts.attach(id, files);
    }
    return files.length > 0;
  };
  const isEmpty = draft.isReading || (draft.text.trim() === '' && draft.pictures.length === 0);
  return (
    <form
      class={`composer${isOver.value ? ' over' : ''}`} aria-label={`Write to ${plain(nameOf(summary ?? {}))}`}
      onSubmit={(e) => {
        e.preventDefault();
        send();
      }}
      onDragOver={(e) => {
        if (e.dataTransfer?.types.includes('Files')) {
          e.preventDefault(); // a file that is dropped is no address to go to
          e.dataTransfer.dropEffect = canShow ? 'copy' : 'none';
          isOver.value = canShow;
        }
      }}
      onDragLeave={() => { isOver.value = false; }}
      onDrop={(e) => {
        isOver.value = false;
        if (take(e.dataTransfer?.files)) {
          e.preventDefault();
        }
      }}
    >
      <Pictures pictures={draft.pictures} isSending={draft.isSending} detach={(p, why) => drafts.detach(id, p, why)} />
      <textarea
        ref={box} rows={1} dir="auto" aria-label="Prompt" data-composer placeholder={works ? 'Follow up when this turn ends…' : 'Write a prompt…'} value={draft.text} readOnly={draft.isSending || draft.isReading}
        onInput={(e) => drafts.write(id, e.currentTarget.value)}
        onPaste={(e) => {
          if (canShow && take(e.clipboardData?.files)) {
            e.preventDefault();
          }
        }}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && !e.shiftKey && !e.isComposing) {
            e.preventDefault();
            send((e.ctrlKey || e.metaKey) && canSteer ? 'steer' : undefined);
          } else if (e.key === 'Escape') {
            e.stopPropagation();
            e.currentTarget.blur();
          }
        }}
      />
      <div class="composer-row">
        <p class={draft.error !== '' ? 'error' : draft.isSending || isAway ? 'note' : 'note hint'} role="status">{draft.isSending ? 'Sending…' : draft.error !== '' ? plain(draft.error) : isAway ? 'The daemon does not answer. What you write is kept here.' : works ? 'Enter queues it for the end of this turn.' : 'Enter sends, Shift Enter makes a new line.'}</p>
        {canShow ? (
          <>
            <input ref={picker} type="file" class="unseen" tabIndex={-1} aria-hidden="true" accept={accepted} multiple onChange={(e) => { take(e.currentTarget.files); e.currentTarget.value = ''; }} />
            <button type="button" class="quiet" disabled={draft.isSending} title="PNG, JPEG, GIF or WebP, at most 8 of at most 10 MiB; they can be pasted and dropped, too" onClick={() => picker.current?.click()}>Image…</button>
          </>
        ) : null}
        {canSteer ? <button type="button" disabled={isEmpty || draft.isSending} onClick={() => send('steer')} title="Goes into the running turn (Ctrl Enter)">Steer</button> : null}
        <button type="submit" class="primary" disabled={isEmpty || draft.isSending}>{works ? 'Follow up' : 'Send'}</button>
      </div>
    </form>
  );
}
