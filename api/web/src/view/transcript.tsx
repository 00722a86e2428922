import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Followed } from '../live/followed.ts';
import { itemsOf, type Item } from '../live/items.ts';
import { guess, lastSpan, spanOf } from '../live/windowed.ts';
import { count } from '../text/words.ts';
import { Guarded } from './guarded.tsx';
import { Row } from './row.tsx';

/** How much is drawn above the view at first, in pixels, and for how long, in milliseconds: the rest can wait until there is something to read. */
const first = 200, firstFor = 150;

/** How near to the end counts as being there, in pixels. */
const near = 48;

/** The browser may round a scroll position anew at each layout, so that the same place is told a pixel apart. */
const rounded = 1;

/**
 * What was said in a session, of which only the rows near the view are mounted. It follows the end while the reader is there, and moves no reader who is not. tail stands behind the last row; isAtEnd is told whether the reader is at the end.
 * target is the row that the address leads to: the reader is brought there once.
 */
export function Transcript({ session, tail, isAtEnd: told, target, seen }: { session: Followed; tail: ComponentChildren; isAtEnd: Signal<boolean>; target?: string | undefined; seen?: number | undefined }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const follows = useRef(true);
  const end = useRef(0); // where the end was when it was scrolled to last
  const scroll = useSignal({ top: 0, view: 800, isAtEnd: true });
  const drawn = useSignal<Followed | undefined>(undefined); // the session of which more than the first picture is drawn
  useEffect(() => {
    const over = setTimeout(() => {
      drawn.value = session;
    }, firstFor);
    return () => clearTimeout(over);
  }, [session]);
  const unread = useSignal(0);
  const entries = session.entries.value;
  const head = session.head.value;
  const items = useMemo(() => itemsOf(session.fold.state, seen), [session, entries, head, seen]);
  const height = (i: number): number => heights.current.get(items[i]!.id) ?? guess;
  const { top, view, isAtEnd } = scroll.value;
  const span = isAtEnd ? lastSpan(items.length, height, view, drawn.value === session ? view + 400 : first) : spanOf(items.length, height, top, view);

  const shown = useRef(items.length);
  useEffect(() => {
    if (!follows.current && items.length > shown.current) {
      unread.value += items.length - shown.current;
    }
    shown.current = items.length;
  }, [items]);

  // Rows that grow, those of an entry that is being written too, move the end.
  // The end is looked for when the browser has laid out all of a frame: a transcript that asked while others beside it are still drawn would have it laid out once for each of them.
  const observer = useRef<ResizeObserver | null>(null);
  const observed = useRef(new WeakSet<Element>()); // to observe a row again has it reported again
  const isScrolled = useRef(false); // and nobody has looked to where
  const isLed = useRef(false); // to the end, which needs no row of another size
  const toEnd = (log: HTMLElement): void => {
    if (follows.current) {
      log.scrollTop = log.scrollHeight;
      end.current = log.scrollTop;
    }
  };
  useLayoutEffect(() => {
    const log = box.current!;
    observer.current = new ResizeObserver((changes) => {
      for (const { target } of changes) {
        const id = (target as HTMLElement).dataset['item'];
        if (id !== undefined && (target as HTMLElement).offsetHeight > 0) {
          heights.current.set(id, (target as HTMLElement).offsetHeight);
        }
      }
      if (isScrolled.current) {
        look(); // whoever has scrolled is not moved
      }
      toEnd(log);
    });
    observed.current = new WeakSet();
    observer.current.observe(log);
    observer.current.observe(log.lastElementChild!);
    return () => observer.current?.disconnect();
  }, [session]);
  useLayoutEffect(() => {
    const log = box.current!;
    for (const row of log.querySelectorAll('[data-item]')) {
      if (!observed.current.has(row)) {
        observed.current.add(row);
        observer.current?.observe(row);
      }
    }
    if (isLed.current) {
      isLed.current = false;
      toEnd(log);
    }
  });

  const reached = useRef<string | undefined>(undefined);
  useEffect(() => {
    const at = target === undefined ? -1 : items.findIndex((item) => item.id === target);
    if (at < 0 || reached.current === target) {
      return;
    }
    reached.current = target;
    follows.current = false;
    const log = box.current!;
    let above = 0;
    for (let i = 0; i < at; i++) {
      above += height(i);
    }
    log.scrollTop = Math.max(0, above - log.clientHeight / 3);
    scroll.value = { ...scroll.peek(), top: above, isAtEnd: false };
    told.value = false;
    settle(log, target!, 6);
  }, [items, target]);

  const scrolled = (): void => {
    if (!isScrolled.current) {
      isScrolled.current = true;
      requestAnimationFrame(() => setTimeout(() => { // when the frame is drawn
        if (isScrolled.current) {
          look();
        }
      }));
    }
  };
  const look = (): void => {
    isScrolled.current = false;
    const log = box.current;
    if (log === null) {
      return; // the browser tells of a scroll a frame later, when another session may be shown
    }
    const isNear = log.scrollHeight - log.scrollTop - log.clientHeight < near;
    const isThere = isNear || (follows.current && log.scrollTop >= end.current - rounded); // rows that have grown since are no move of the reader's
    follows.current = isThere;
    const was = scroll.peek(), view = log.clientHeight;
    if (!isThere || !was.isAtEnd || was.view !== view) { // at the end nothing depends on where it is
      scroll.value = { top: log.scrollTop - (log.firstElementChild as HTMLElement).offsetTop, view, isAtEnd: isThere };
    }
    told.value = isThere;
    if (isThere) {
      unread.value = 0;
    }
  };
  const lead = (): void => {
    follows.current = true;
    isLed.current = true;
    unread.value = 0;
    scroll.value = { ...scroll.peek(), isAtEnd: true };
    told.value = true;
  };
  return (
    <div class="transcript">
      <div class={`log${isAtEnd ? ' at-end' : ''}`} ref={box} role="log" aria-live="off" aria-label="Transcript" tabIndex={0} onScroll={scrolled}>
        <div class="rows">
          <div style={{ height: `${span.above}px` }} />
          {items.slice(span.from, span.to).map((item) => <Held key={item.id} item={item} session={session} />)}
          <div style={{ height: `${span.below}px` }} />
          {tail}
        </div>
      </div>
      {isAtEnd ? null : <button type="button" class="to-end" onClick={lead}>{unread.value > 0 ? `${count(unread.value, 'new row')} ↓` : 'To the end ↓'}</button>}
    </div>
  );
}

function Held({ item, session }: { item: Item; session: Followed }): JSX.Element {
  return <div data-item={item.id}><Guarded><Row item={item} session={session} /></Guarded></div>;
}

/** Brings a row into view that is about to be mounted. The rows around it get their heights with the next frames, which moves it. */
function settle(log: HTMLElement, id: string, frames: number): void {
  const row = log.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`);
  row?.scrollIntoView({ block: row.offsetHeight > log.clientHeight ? 'start' : 'center' });
  if (frames > 0) {
    requestAnimationFrame(() => settle(log, id, frames - 1));
  } else if (document.activeElement?.closest('input, textarea') == null) { // whoever types goes on typing
    row?.querySelector<HTMLElement>('.entry')?.focus({ preventScroll: true });
  }
}
