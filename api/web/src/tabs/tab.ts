import type { Outbox } from './outbox.ts';
import type { Place } from './place.ts';

/** A tab of the browser, as the one that leads has it. */
export interface Tab {
  /** Where it is in the sessions that it wants. */
  places: Map<string, Place>;
  out: Outbox;
  /** The list has changed while the tab was behind. */
  owesRoster: boolean;
}
