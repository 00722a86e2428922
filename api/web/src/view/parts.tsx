import type { JSX } from 'preact';
import { paneOf } from '../live/panes.ts';
import { pathOf, type Part, type SessionPlace } from '../live/place.ts';

const names: [Part, string][] = [['talk', 'Transcript'], ['changes', 'Changes'], ['time', 'Time'], ['usage', 'Usage'], ['raw', 'Raw']];

/** The views of one session. */
export function Parts({ here, find }: { here: SessionPlace; find: () => void }): JSX.Element {
  const now = here.part ?? 'talk';
  const { entry: _, at: __, ...rest } = here;
  return (
    <nav class="parts" aria-label={here.beside === undefined ? 'Views of this session' : `Views of pane ${paneOf(here) + 1}`}>
      {names.map(([part, name]) => <a key={part} href={pathOf({ ...rest, part })} data-place data-part={part} aria-current={part === now ? 'page' : undefined}>{name}</a>)}
      <button type="button" class="quiet small find-open" title="Find in what was said (f)" onClick={find}>Find</button>
    </nav>
  );
}
