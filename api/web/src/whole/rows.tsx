import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The height of one row, as the style has it. */
const high = 20;

/** How high a list may be drawn: browsers have their limits. What is below is reached by searching. */
const most = 8_000_000;

/** Many rows of one height, of which those in view are drawn. to leads to a row. */
export function Rows({ count, row, label, to }: { count: number; row: (i: number) => JSX.Element; label: string; to?: number | undefined }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const shown = Math.min(count, Math.floor(most / high));
  useEffect(() => {
    if (to !== undefined) {
      box.current?.scrollTo(0, Math.max(0, to * high - box.current.clientHeight / 2));
    }
  }, [to]);
  const from = Math.max(0, Math.floor(top.value / high) - 40);
  const end = Math.min(shown, from + 160);
  return (
    <div class="fixed-rows" ref={box} tabIndex={0} role="region" aria-label={label} onScroll={(e) => { top.value = e.currentTarget.scrollTop; }}>
      <div style={{ height: `${from * high}px` }} />
      {Array.from({ length: Math.max(0, end - from) }, (_, n) => row(from + n))}
      <div style={{ height: `${(shown - end) * high}px` }} />
    </div>
  );
}
