import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Followed } from '../live/followed.ts';
import { Spending } from '../text/spending.ts';
import { count, lasted, plain, saying } from '../text/words.ts';
import { useFeed } from '../view/context.ts';
import { Cost, Tokens } from './charts.tsx';

/** How many turns the table shows; the newest ones. */
const mostRows = 200;

/** What a session has used, turn by turn. It reads the log without its pieces of text, and goes on where it was when a turn has ended. */
export function Usage({ session }: { session: Followed }): JSX.Element {
  const feed = useFeed();
  const read = useMemo(() => ({ spending: new Spending(), seq: 0 }), [session]);
  const drawn = useSignal(0);
  const error = useSignal('');
  const ended = session.head.value >= 0 ? session.fold.state.turns.filter((t) => t.endSeq !== undefined).length : 0;
  useEffect(() => {
    const end = new AbortController();
    void (async () => {
      try {
        const { epoch } = session.fold.cursor;
        for await (const { event } of feed.client.session(session.id).log({ since: { epoch, seq: read.seq }, view: 'settled', signal: end.signal })) {
          read.spending.add(event);
          read.seq = event.seq;
        }
        drawn.value++;
        error.value = '';
      } catch (thrown) {
        if (!end.signal.aborted) {
          error.value = saying(thrown);
        }
      }
    })();
    return () => end.abort();
  }, [session, ended]);
  const { turns, hasCost } = read.spending;
  if (drawn.value === 0) {
    return <div class="part">{error.value === '' ? <p class="empty" role="status">Reading what was used…</p> : <p class="error" role="alert">{plain(error.value)}</p>}</div>;
  }
  if (turns.length === 0) {
    return <div class="part"><p class="empty">Nothing was used yet, as far as the agent tells it.</p></div>;
  }
  const sum = (of: (t: (typeof turns)[number]) => number): number => turns.reduce((n, t) => n + of(t), 0);
  const isEstimated = turns.some((t) => t.isEstimated);
  const rows = turns.slice(-mostRows).reverse();
  const byId = new Map(session.fold.state.turns.map((t) => [t.turnId, t]));
  return (
    <div class="part usage" tabIndex={0} role="region" aria-label="Usage">
      {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
      <dl class="sums">
        <div><dt>Input</dt><dd>{figure(sum((t) => t.fresh + t.cached))}</dd></div>
        <div><dt>Of that, cached</dt><dd>{figure(sum((t) => t.cached))}</dd></div>
        <div><dt>Output</dt><dd>{figure(sum((t) => t.output))}</dd></div>
        <div><dt>Requests</dt><dd>{figure(sum((t) => t.requests))}</dd></div>
        {hasCost ? <div><dt>Cost{isEstimated ? ', in part estimated' : ''}</dt><dd>{money(sum((t) => t.cost))}</dd></div> : null}
      </dl>
      <section>
        <h3>Tokens by turn</h3>
        <p class="legend"><span class="key-cached">cached input</span> <span class="key-fresh">other input</span> <span class="key-output">output</span></p>
        <Tokens turns={turns} />
      </section>
      {hasCost && turns.length === 1 ? null : hasCost ? <section><h3>Cost, added up</h3><Cost turns={turns} words={money} /></section> : <p class="note">The agent tells no cost, and no price is known for its model.</p>}
      <section>
        <h3 id="usage-table">By turn</h3>
        {turns.length > rows.length ? <p class="note">The newest {count(rows.length, 'turn')} of {turns.length}.</p> : null}
        <div class="table" tabIndex={0} role="region" aria-labelledby="usage-table">
          <table>
            <thead><tr><th scope="col">Turn</th><th scope="col">Requests</th><th scope="col">Input</th><th scope="col">Cached</th><th scope="col">Output</th>{hasCost ? <th scope="col">Cost</th> : null}<th scope="col">Time</th><th scope="col">Model</th></tr></thead>
            <tbody>
              {rows.map((t, i) => {
                const turn = byId.get(t.turnId);
                return (
                  <tr key={`${t.turnId}/${i}`}>
                    <th scope="row">{t.turnId === '' ? 'between turns' : plain(t.turnId)}</th><td>{figure(t.requests)}</td><td>{figure(t.fresh + t.cached)}</td><td>{figure(t.cached)}</td><td>{figure(t.output)}</td>
                    {hasCost ? <td>{money(t.cost)}</td> : null}<td>{turn?.endTs === undefined ? '' : lasted(turn.endTs - turn.startTs)}</td><td>{plain(t.models.join(', '))}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}

function figure(n: number): string {
  return n.toLocaleString('en');
}

function money(n: number): string {
  return n === 0 ? '$0' : n < 0.01 ? `$${n.toPrecision(2)}` : `$${n.toFixed(2)}`;
}
