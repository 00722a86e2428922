import type { ComponentChildren, JSX } from 'preact';
import type { CompactionData, EntryState, MessageData, PlanData, SystemData, ThinkingData, ToolResultData } from 'ringmaster-protocol';
import { plain, short } from '../text/words.ts';
import type { Followed } from '../live/followed.ts';
import { pathOf, place } from '../live/place.ts';
import { Cut, Flowing } from './cut.tsx';
import { Markdown } from './markdown.tsx';
import { Output } from './output.tsx';
import { Sent } from './sent.tsx';
import { ToolCall } from './tool.tsx';

/** One entry, by its kind. It is drawn again when the entry changes, and nothing around it. */
export function Entry({ session, id }: { session: Followed; id: string }): JSX.Element | null {
  const x = session.entry(id);
  if (x === undefined) {
    return null;
  }
  const here = place.value;
  const isTarget = here.view === 'session' && here.entry === id && here.id === session.id;
  return (
    <article class={`entry entry-${known.has(x.entryType) ? x.entryType : 'unknown'}${x.open ? ' open' : ''}${isTarget ? ' target' : ''}`} aria-label={labelOf(x)} id={`e-${id}`} tabIndex={-1}>
      <a class="anchor" href={pathOf({ view: 'session', id: session.id, entry: id })} data-place aria-label="Link to this entry" title="Link to this entry">#</a>
      <Content entry={x} session={session.id} />
      {x.open === true ? <Flowing beyond={session.beyond(id)} /> : null}
      {'truncated' in x.data && x.data.truncated === true ? <Cut session={session.id} entry={id} isOpen={x.open === true} bytes={(x.data as { bytes?: number }).bytes} /> : null}
      {x.incomplete ? <p class="note">Cut off{x.reason === undefined ? '' : `: ${plain(x.reason)}`}.</p> : null}
    </article>
  );
}

const known = new Set(['user_message', 'assistant_message', 'thinking', 'tool_call', 'tool_result', 'plan', 'compaction', 'system']);

function labelOf(x: EntryState): string {
  const names: Record<string, string> = { user_message: 'You', assistant_message: 'Agent', thinking: 'Thinking', tool_result: 'Result', plan: 'Plan', compaction: 'Compaction', system: 'Notice' };
  return x.entryType === 'tool_call' ? `Tool ${plain(x.data.toolName)}, ${x.data.status}` : (names[x.entryType] ?? 'Entry');
}

function Content({ entry: x, session }: { entry: EntryState; session: string }): JSX.Element {
  switch (x.entryType) {
    case 'user_message':
      return <UserMessage data={x.data} session={session} />;
    case 'assistant_message':
      return x.data.text === '' && x.open ? <p class="note">…</p> : <Markdown text={x.data.text} />;
    case 'thinking':
      return <Thinking data={x.data} isOpen={x.open === true} />;
    case 'tool_call':
      return <ToolCall data={x.data} />;
    case 'tool_result':
      return <ToolResult data={x.data} />;
    case 'plan':
      return <Plan data={x.data} />;
    case 'compaction':
      return <Compaction data={x.data} />;
    case 'system':
      return <Notice data={x.data} />;
    default:
      return <Folded summary={`An entry of the kind “${plain(String((x as EntryState).entryType))}”, which this page does not know`}><pre class="wrap">{plain(JSON.stringify((x as EntryState).data, null, 2))}</pre></Folded>;
  }
}

function UserMessage({ data, session }: { data: MessageData; session: string }): JSX.Element {
  return (
    <>
      <Long text={data.text} />
      {data.images === undefined || data.images.length === 0 ? null : <Sent session={session} images={data.images} />}
    </>
  );
}

/** Text of a person: as it was typed, and folded when it is long. */
export function Long({ text }: { text: string }): JSX.Element {
  const lines = text.split('\n');
  if (lines.length <= 14 && text.length <= 2000) {
    return <p class="typed" dir="auto">{plain(text)}</p>;
  }
  const head = lines.slice(0, 8).join('\n').slice(0, 1200);
  return <Folded summary={<span class="typed" dir="auto">{plain(head)}…</span>}><p class="typed" dir="auto">{plain(text)}</p></Folded>;
}

export function Folded({ summary, children, isOpen }: { summary: ComponentChildren; children: ComponentChildren; isOpen?: boolean }): JSX.Element {
  return <details open={isOpen}><summary>{summary}</summary>{children}</details>;
}

function Thinking({ data, isOpen }: { data: ThinkingData; isOpen: boolean }): JSX.Element {
  const text = data.text || (data.summary ?? []).join('\n\n');
  const first = text.trim().split('\n').at(isOpen ? -1 : 0) ?? '';
  return (
    <Folded summary={<><span class="kind">{isOpen ? 'Thinking' : 'Thought'}</span> <span class="glimpse" dir="auto">{plain(first.slice(0, 160))}</span></>}>
      <Markdown text={text} />
    </Folded>
  );
}

function ToolResult({ data }: { data: ToolResultData }): JSX.Element {
  return <>{data.isError ? <p class="error">The call failed.</p> : null}<Output text={data.output} /></>;
}

const steps: Record<string, string> = { completed: '✓', in_progress: '▸', pending: '○' };

function Plan({ data }: { data: PlanData }): JSX.Element {
  return (
    <>
      <p class="kind">Plan</p>
      {data.text ? <Markdown text={data.text} /> : null}
      {data.steps === undefined ? null : <ul class="plan">{data.steps.map((s, i) => <li key={i} class={s.status === 'completed' ? 'done' : s.status === 'in_progress' ? 'now' : ''}><span class="box" role="img" aria-label={plain(s.status ?? 'step')}>{steps[s.status ?? ''] ?? '·'}</span><span dir="auto">{plain(s.text)}</span></li>)}</ul>}
    </>
  );
}

function Compaction({ data }: { data: CompactionData }): JSX.Element {
  const before = data.tokensBefore === undefined ? '' : ` ${short(data.tokensBefore)} tokens`;
  return <Folded summary={<><span class="kind">Compacted</span>{before} of the conversation into a summary</>}><Markdown text={data.summary} /></Folded>;
}

function Notice({ data }: { data: SystemData }): JSX.Element {
  const text = plain(data.text);
  if (data.native !== undefined) {
    return <Folded summary={text || `Event of the agent: ${plain(data.kind ?? 'unknown')}`}><pre class="wrap">{plain(JSON.stringify(data.native, null, 2))}</pre></Folded>;
  }
  return <p class={data.level === 'error' ? 'error' : data.level === 'warning' ? 'warning' : 'note'} dir="auto">{text || plain(data.kind ?? '')}</p>;
}
