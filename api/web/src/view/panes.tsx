import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { focusPane } from '../live/focus.ts';
import { nameOf } from '../live/groups.ts';
import { isNarrow } from '../live/narrow.ts';
import { paneOf, panesOf, without } from '../live/panes.ts';
import { go, pathOf, type SessionPlace } from '../live/place.ts';
import { plain } from '../text/words.ts';
import { useFeed } from './context.ts';
import { SessionView } from './session.tsx';

/**
 * One session, or two to four beside each other, each of them whole: which they are is in the address, with the one that has the keys. It is the one in which the focus was last. Where there is room for one, that is the one.
 */
export function Panes({ here }: { here: SessionPlace }): JSX.Element {
  const feed = useFeed();
  const panes = panesOf(here), at = paneOf(here);
  const box = useRef<HTMLDivElement>(null);
  const ids = panes.map((p) => p.id);
  useMemo(() => feed.show(ids), [feed, ids.join()]); // before a pane that is new asks for its log, for which another one has to go
  useEffect(() => {
    const active = document.activeElement, pane = box.current?.querySelector('.pane.focused');
    pane?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (pane && !pane.contains(active) && (active === document.body || active?.closest('.pane') != null)) {
      focusPane(); // the keys and the focus are in one place
    }
  }, [here.id]);
  if (panes.length === 1) {
    return <SessionView key={here.id} here={here} />;
  }
  const shown = isNarrow.value ? [here] : panes;
  return (
    <div class="grid" ref={box}>
      {isNarrow.value ? (
        <nav class="pane-names" aria-label="Sessions beside each other">
          {panes.map((p, i) => <a key={p.id} href={pathOf(p)} data-place aria-current={i === at ? 'true' : undefined} dir="auto">{plain(nameOf(feed.sessions.value.get(p.id) ?? {}))}</a>)}
        </nav>
      ) : null}
      <div class={`panes panes-${shown.length}`}>
        {shown.map((p) => {
          const i = ids.indexOf(p.id);
          const take = (e: Event): void => {
            if (i !== at && (e.target as Element).closest('.pane-close') === null) { // who closes it does not want to write to it
              go(p, true);
            }
          };
          return (
            <div class={`pane${i === at ? ' focused' : ''}`} key={p.id} role="group" tabIndex={-1} aria-label={`Pane ${i + 1} of ${panes.length}${i === at ? ', has the keys' : ''}`} onFocusIn={take} onPointerDown={take}>
              <a class="pane-close" href={pathOf(without(here, i))} data-place="alone" aria-label="Close this pane" title="Close this pane">✕</a>
              <SessionView here={p} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
