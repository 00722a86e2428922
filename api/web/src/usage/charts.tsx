import type { ComponentChildren, JSX } from 'preact';
import { barsOf, ceiling, type TurnSpent } from '../text/spending.ts';
import { short } from '../text/words.ts';

const isNarrow = matchMedia('(max-width: 40rem)').matches;
const width = isNarrow ? 360 : 720, height = 180, left = 64, bottom = 20, most = isNarrow ? 40 : 80;

/** The frame of a chart: three lines with their values, and what is drawn over them. */
function Frame({ top, words, label, children, from, to }: { top: number; words: (n: number) => string; label: string; children: ComponentChildren; from: string; to: string }): JSX.Element {
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {[0, 0.5, 1].map((part) => (
        <g key={part}>
          <line class="chart-line" x1={left} x2={width} y1={y(part * top, top)} y2={y(part * top, top)} />
          <text class="chart-text" x={left - 8} y={y(part * top, top) + 4} text-anchor="end">{words(part * top)}</text>
        </g>
      ))}
      {children}
      <text class="chart-text" x={left} y={height - 4}>{from}</text>
      {from === to ? null : <text class="chart-text" x={width} y={height - 4} text-anchor="end">{to}</text>}
    </svg>
  );
}

function y(value: number, top: number): number {
  return 12 + (1 - value / top) * (height - bottom - 12);
}

/** Tokens by turn, by their kinds. */
export function Tokens({ turns }: { turns: readonly TurnSpent[] }): JSX.Element {
  const bars = barsOf(turns, most);
  const top = ceiling(Math.max(...bars.map((b) => b.fresh + b.cached + b.output)));
  const room = (width - left) / Math.max(bars.length, 8);
  return (
    <Frame top={top} words={short} label={`Tokens by turn, ${turns.length} in all: the table below has the figures`} {...ends(turns)}>
      {bars.map((b, i) => {
        let under = 0;
        return (['cached', 'fresh', 'output'] as const).map((kind) => {
          const from = under;
          under += b[kind];
          return <rect key={`${i}/${kind}`} class={`bar-${kind}`} x={left + i * room + 1} width={Math.max(1, Math.min(room - 2, 48))} y={y(under, top)} height={Math.max(0, y(from, top) - y(under, top))} />;
        });
      })}
    </Frame>
  );
}

/** What it has cost up to each turn. */
export function Cost({ turns, words }: { turns: readonly TurnSpent[]; words: (n: number) => string }): JSX.Element {
  const bars = barsOf(turns, most);
  let sum = 0;
  const sums = bars.map((b) => (sum += b.cost));
  const top = ceiling(sum);
  const room = (width - left) / Math.max(bars.length, 8);
  const points = sums.map((s, i) => `${left + i * room + Math.min(room - 2, 48) / 2 + 1},${y(s, top)}`);
  return (
    <Frame top={top} words={words} label={`Cost up to each turn, ${words(sum)} in all: the table below has the figures`} {...ends(turns)}>
      <polyline class="cost-line" points={points.join(' ')} />
      {points.map((p, i) => <circle key={i} class="cost-point" cx={p.split(',')[0]} cy={p.split(',')[1]} r={3} />)}
    </Frame>
  );
}

function ends(turns: readonly TurnSpent[]): { from: string; to: string } {
  const name = (t: TurnSpent | undefined): string => (t === undefined || t.turnId === '' ? 'between turns' : t.turnId);
  return { from: name(turns[0]), to: name(turns.at(-1)) };
}
