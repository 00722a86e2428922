import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { pieces } from '../text/ansi.ts';

/** The lines that are shown of an output that is folded: its end says how it went. */
const folded = 8;

/** How much of an output is drawn at most; the rest is in the daemon. */
const most = 100_000;

/** A tool's output, folded to its last lines. */
export function Output({ text }: { text: string }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const whole = text.replace(/\n+$/, '');
  const lines = useMemo(() => whole.split('\n'), [whole]);
  const shown = isOpen ? whole.slice(-most) : lines.slice(-folded).join('\n').slice(-4000);
  const drawn = useMemo(() => pieces(shown), [shown]);
  if (whole === '') {
    return null;
  }
  const hidden = lines.length - folded;
  return (
    <div class="output">
      {hidden > 0 ? <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{isOpen ? 'Show less' : `${hidden} lines before`}</button> : null}
      <pre tabIndex={0} role="group" aria-label="Output">{drawn.map((p, i) => p.classes === '' ? p.text : <span key={i} class={p.classes}>{p.text}</span>)}</pre>
    </div>
  );
}
