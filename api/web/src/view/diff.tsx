import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { diffLines, diffSize, type DiffLine } from '../text/diff.ts';
import { plain } from '../text/words.ts';

const marks: Partial<Record<DiffLine['kind'], string>> = { add: '+', del: '−', same: ' ' };
const spoken: Partial<Record<DiffLine['kind'], string>> = { add: 'added', del: 'removed' };

/** A diff, by its text or by lines. Long ones show their beginning first; isFolded is told whether this one does. */
export function Diff({ text, lines: given, fold = 200, label = 'Changes', isFolded }: { text?: string; lines?: DiffLine[]; fold?: number; label?: string; isFolded?: Signal<boolean> | undefined }): JSX.Element {
  const lines = useMemo(() => given ?? diffLines(text ?? ''), [text, given]);
  const [isWhole, setWhole] = useState(false);
  const size = diffSize(lines);
  const shown = isWhole ? lines : lines.slice(0, fold);
  const group = useRef<HTMLDivElement>(null);
  const hasMore = shown.length < lines.length;
  useLayoutEffect(() => {
    if (isFolded === undefined) {
      return undefined;
    }
    isFolded.value = hasMore;
    return () => {
      isFolded.value = false;
    };
  }, [isFolded, hasMore]);
  const unfold = (): void => {
    group.current?.focus(); // the button goes, and keys are for what was opened
    setWhole(true);
  };
  return (
    <div class={`diff${lines.some((l) => (l.new ?? l.old) !== undefined) ? '' : ' unnumbered'}`} role="group" aria-label={`${label}: ${size.added} lines added, ${size.removed} removed`} tabIndex={0} ref={group}>
      <div class="diff-lines">{shown.map((line, i) => <Line key={i} line={line} />)}</div>
      {hasMore ? <button type="button" class="more" onClick={unfold}>{lines.length - shown.length} more lines</button> : null}
    </div>
  );
}

function Line({ line }: { line: DiffLine }): JSX.Element {
  if (line.kind === 'file' || line.kind === 'hunk' || line.kind === 'note') {
    return <div class={`d-${line.kind}`}>{plain(line.text)}</div>;
  }
  return (
    <div class={`d-line d-${line.kind}`}>
      <span class="d-number" aria-hidden="true">{line.new ?? line.old ?? ''}</span>
      <span class="d-mark" aria-hidden="true">{marks[line.kind]}</span>
      <span class="d-text">{spoken[line.kind] === undefined ? null : <span class="unseen">{spoken[line.kind]}: </span>}{plain(line.text)}</span>
    </div>
  );
}
